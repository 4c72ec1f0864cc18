extension BaselineRecordCommand {
  static let description = CommandDescription(
    name: "baseline record", topic: .compare,
    summary: "records the differences between two archives as known",
    usage: "baseline record --baseline FILE --reason TEXT --legacy INPUT --server INPUT [OPTION…]",
    discussion: [
      "Compares two archives as parity does and writes every difference that fails to a file: the path, the class, the "
        + "kind (absent, changed, and on which side or in which direction), the V1 message and the V2 event, and the largest "
        + "number of pairs (atMost). The file is "
        + "for version control: write a reason for each line, set its last day (until), remove what should "
        + "not be accepted. For INPUT, see slipcast parity --help."
    ],
    options: [
      ParityOption.baseline("The file to write.", .written, isRequired: true), BaselineOptions.reason,
      BaselineOptions.until, BaselineOptions.anyNumber,
      Option(
        name: "force",
        help: "Overwrites an existing file; differences that it contains keep their reason and last day."),
    ].under(.known) + ParityOption.archives + BaselineOptions.judging + ParityOption.sources + BaselineOptions.words,
    exitStatuses: [(.fine, "the file is written"), (.failed, "the archives could not be compared")],
    examples: [
      (
        command: "slipcast baseline record --baseline known.json --reason 'first comparison' --until 2027-03-31 "
          + "--legacy v1/ --server v2/", says: "Accept today's differences:"
      )
    ])
}

extension BaselineCheckCommand {
  static let description = CommandDescription(
    name: "baseline check", topic: .compare,
    summary: "fails on differences that are not known",
    usage: "baseline check --baseline FILE --legacy INPUT --server INPUT [OPTION…]",
    discussion: [
      "Compares two archives and lists the differences that are new, those that have become more frequent than the "
        + "file accepts, and those in the file that no longer occur or have expired. slipcast parity --baseline writes "
        + "the whole report. For INPUT, see slipcast parity --help."
    ],
    options: [ParityOption.baseline("The known differences.", isRequired: true)].under(.known) + ParityOption.archives
      + BaselineOptions.judging
      + [ParityOption.maxAccessChanges, ParityOption.maxRejects, ParityOption.maxMissing, ParityOption.sameSpan].under(
        .judging)
      + ParityOption.sources + BaselineOptions.words
      + [
        Option(name: "exit-zero", help: "Ends with 0 despite new differences.")
      ].under(.words),
    exitStatuses: [
      (.fine, "all differences are known"),
      (.findings, "some are not, or are more frequent than accepted, or a gate does not hold"),
      (.failed, "the archives could not be compared"),
    ],
    examples: [
      (command: "slipcast baseline check --baseline known.json --legacy v1/ --server v2/", says: "In a CI job:")
    ])
}

extension BaselineApproveCommand {
  static let description = CommandDescription(
    name: "baseline approve", topic: .compare,
    summary: "adds new differences to the known ones, with a reason",
    usage: "baseline approve --baseline FILE --path PATTERN --reason TEXT --legacy INPUT --server INPUT [OPTION…]",
    discussion: [
      "Compares two archives and adds the new, expired and grown differences whose path fits a pattern to the file, each "
        + "with the reason. In a pattern * stands for any part of one name, ** for any number of names. For INPUT, "
        + "see slipcast parity --help."
    ],
    options: [
      ParityOption.baseline("The file to add to.", .written, isRequired: true),
      Option(
        name: "path", value: "PATTERN", isRequired: true, isRepeatable: true,
        help: "Which differences, by path; '**' for all."),
      BaselineOptions.reason, BaselineOptions.until, BaselineOptions.anyNumber,
    ].under(.known) + ParityOption.archives + BaselineOptions.judging + ParityOption.sources + BaselineOptions.words,
    exitStatuses: [
      (.fine, "approved"), (.findings, "no new difference fits"), (.failed, "the archives could not be compared"),
    ],
    examples: [
      (
        command: "slipcast baseline approve --baseline known.json --path '**.appAccountToken' "
          + "--reason 'tokens were rewritten in 2024' --legacy v1/ --server v2/", says: "One kind at a time:"
      )
    ])
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
