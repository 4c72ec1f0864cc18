extension ParityCommand {
  static let description = CommandDescription(
    "parity", .compare,
    options: ParityOption.archives
      + [
        ParityOption.baseline(
          "Accepts the differences in this file; new ones fail, and those that no longer occur are reported."),
        Option(
          name: "min-agreement", value: "[PATH=]SHARE", byDefault: "no pair may be in conflict", isRepeatable: true,
          help:
            "The share of pairs that must agree: 99.9%, or data.transactionInfo.expiresDate=100%, or entitlement=100% "
            + "(who is served, and until when). It replaces the rule that every conflict fails; with --baseline both "
            + "must hold, and what it accepts agrees."),
        ReportFiles.strict,
        RuleOptions.tolerance,
        ParityOption.maxAccessChanges,
        ParityOption.maxRejects,
        ParityOption.maxMissing,
        ParityOption.sameSpan,
        ParityOption.asOf,
        Option(
          name: "access", value: "FILE", file: .written,
          help:
            "Writes each subscription and purchase whose access, or the end of it, differs by the last record of either "
            + "archive: .csv or .ndjson, or - for standard output. Access is judged at --as-of, else at the latest date "
            + "of the archives."),
        Option(name: "exit-zero", help: "Ends with 0 even if a gate fails."),
      ].under(.judging)
      + [
        ReportFiles.format,
        ReportFiles.report,
        Option(name: "verbose", help: "The text report shows samples and fields that agree."),
        Option(name: "quiet", help: "Writes nothing to standard output; see the reports and the exit status."),
      ].under(.writing) + ParityOption.sources)
}

enum ParityOption {
  static let archives = [
    Option(
      name: "legacy", value: "INPUT", isRequired: true, isRepeatable: true, file: .read,
      help: "The V1 archive: notifications as Apple sent them."),
    Option(
      name: "server", value: "INPUT", isRequired: true, isRepeatable: true, file: .read,
      help: "The V2 archive of the same app."),
  ].under(.archives)

  static let sources =
    InputOptions.reading
    + [
      Option(
        name: "server-body", value: "POINTER", help: "What --body is, for rows of the V2 archive; --body is for V1's."),
      Option(
        name: "server-received-at", value: "POINTER",
        help: "What --received-at is, for rows of the V2 archive; --received-at is for V1's."),
      SettleOptions.settle, SettleOptions.complete, InputOptions.jobs,
    ].under(.reading) + InputOptions.casting + [InputOptions.rejects].under(.rejects)

  static let maxRejects = Option(
    name: "max-rejects", value: "N|SHARE", byDefault: "0",
    help: "The largest number of unreadable records in both archives: 12, or 0.5%.")

  static let maxMissing = Option(
    name: "max-missing", value: "N|SHARE", byDefault: "10%",
    help:
      "The largest number of events of a side, in the time that both archives cover, that may have no counterpart: 12, or "
      + "0.5%. A type with three or more events that are all missing fails too, unless 100% is given.")

  static let sameSpan = Option(
    name: "same-span",
    help:
      "Both archives should cover the same time: events before and after the common time count for --max-missing too.")

  static let maxAccessChanges = Option(
    name: "max-access-changes", value: "N", byDefault: "0",
    help:
      "The largest number of customers who may gain or lose access at their last known state: lockedOut and servedForFree "
      + "of --access together. --min-agreement entitlement=SHARE replaces this condition.")

  static let asOf = Option(
    name: "as-of", value: "TIME", byDefault: "pairs: when V2 was signed; customers: the latest date of either archive",
    help:
      "Judges access at this time for all pairs: milliseconds or seconds since 1970, or ISO 8601. Later records count as "
      + "far as their dates show access at that time.")

  static func baseline(_ help: String, _ use: FileUse = .read, isRequired: Bool = false) -> Option {
    Option(name: "baseline", value: "FILE", isRequired: isRequired, file: use, help: help)
  }
}
