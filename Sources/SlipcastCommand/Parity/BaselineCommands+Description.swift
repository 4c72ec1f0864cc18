extension BaselineRecordCommand {
  static let description = CommandDescription(
    "baseline record", .compare,
    options: [
      ParityOption.baseline("The file to write.", .written, isRequired: true), BaselineOptions.reason,
      BaselineOptions.until, BaselineOptions.anyNumber,
      Option(
        name: "force",
        help: "Overwrites an existing file; differences that it contains keep their reason and last day."),
    ].under(.known) + ParityOption.archives + BaselineOptions.judging + ParityOption.sources + BaselineOptions.words)
}

extension BaselineCheckCommand {
  static let description = CommandDescription(
    "baseline check", .compare,
    options: [ParityOption.baseline("The known differences.", isRequired: true)].under(.known) + ParityOption.archives
      + BaselineOptions.judging
      + [ParityOption.maxAccessChanges, ParityOption.maxRejects, ParityOption.maxMissing, ParityOption.sameSpan].under(
        .judging)
      + ParityOption.sources + BaselineOptions.words
      + [
        Option(name: "exit-zero", help: "Ends with 0 despite new differences.")
      ].under(.words))
}

extension BaselineApproveCommand {
  static let description = CommandDescription(
    "baseline approve", .compare,
    options: [
      ParityOption.baseline("The file to add to.", .written, isRequired: true),
      Option(
        name: "path", value: "PATTERN", isRequired: true, isRepeatable: true,
        help: "Which differences, by path; '**' for all."),
      BaselineOptions.reason, BaselineOptions.until, BaselineOptions.anyNumber,
    ].under(.known) + ParityOption.archives + BaselineOptions.judging + ParityOption.sources + BaselineOptions.words)
}

/// Options that the three commands share.
extension BaselineOptions {
  static let reason = Option(
    name: "reason", value: "TEXT", isRequired: true, help: "Why these differences are accepted.")
  static let until = Option(
    name: "until", value: "DAY", byDefault: "no end",
    help: "The last day on which they are accepted, yyyy-MM-dd UTC.")
  static let anyNumber = Option(
    name: "any-number", help: "Accepts these differences in any number of pairs, for archives that grow.")
  static let judging = [ReportFiles.strict, RuleOptions.tolerance, ParityOption.asOf].under(.judging)
  static let words = [Option(name: "quiet", help: "Writes only errors.")].under(.words)
}
