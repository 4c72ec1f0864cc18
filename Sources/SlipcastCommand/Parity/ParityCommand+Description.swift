extension ParityCommand {
  static let description = CommandDescription(
    name: "parity", topic: .compare,
    summary: "pairs and compares two archives; fails when they differ",
    usage: "parity --legacy INPUT --server INPUT [OPTION…]",
    discussion: [
      "Reads the V1 and the V2 archive of the same app, pairs each V1 message with the V2 notification of the same "
        + "event (by line item, kind of event and time, never by the order of the files), compares each pair as diff "
        + "does, and reports how well the two agree field by field, which events only one archive has, and whether and "
        + "for how long customers would have access according to each. Messages of one action count as one event; "
        + "repeated deliveries count once; events that V1 never sends, and events before V2 existed, do not count as "
        + "missing.",
      "Instead of notifications, --legacy may hold verifyReceipt answers or receipts, and --server the histories or "
        + "the subscription statuses that the server API returns: then transactions or subscriptions are compared one "
        + "by one, each from the newest answer that lists it.",
      "INPUT is a file, a folder, an archive, rows of a database or a Slipcast store, as in convert; one of them may be "
        + "- for standard input. --legacy may also hold V2 records as Apple sent them; what slipcast converted (lines of "
        + "convert, signed ones, stores) does not hold the V1 values that are compared, so it ends the command with status "
        + "2: name the archive that it came from. V2 records are decoded "
        + "notifications or {\"signedPayload\": …}, read without verifying signatures. Both are read twice: the second "
        + "time only as far as samples need it. Events are sorted in a temporary database (TMPDIR), so memory does not "
        + "grow with the archives.",
      "By default every pair with a field in conflict fails, every customer who gains or loses access, every record that "
        + "cannot be read, and archives without a common event or a common time. Events without a counterpart fail when they are more than 10% of "
        + "a side's events in the time that both archives cover, or all events of a type that has three or more. "
        + "--baseline accepts the differences of a file "
        + "(slipcast baseline record writes one) and fails on new ones and on those that have become more frequent; "
        + "--min-agreement lets a share of pairs disagree.",
    ],
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
      ].under(.writing) + ParityOption.sources,
    exitStatuses: [
      (.fine, "parity: all gates hold"), (.findings, "a gate does not hold"),
      (.failed, "the archives could not be compared"),
    ],
    examples: [
      (command: "slipcast parity --legacy v1/ --server v2.ndjson.gz", says: "How well do they agree?"),
      (
        command: "slipcast parity --legacy v1/ --server v2/ --report parity.html --report junit.xml",
        says: "An HTML page, and a result for the build server:"
      ),
      (
        command: "slipcast parity --legacy v1/ --server v2/ --baseline known.json --min-agreement 99.9%",
        says: "What CI runs: nothing new, and nearly all pairs agree:"
      ),
      (
        command: "slipcast parity --legacy 'postgres://localhost/shop?table=v1&key=id&body=body' "
          + "--server 'sqlite:shop.db?table=v2&key=id&body=body'",
        says: "From databases:"
      ),
    ])
}

/// Options that the commands about two archives share.
enum ParityOption {
  static let archives = [
    Option(
      name: "legacy", value: "INPUT", isRequired: true, isRepeatable: true, file: .read,
      help: "The V1 archive: notifications as Apple sent them."),
    Option(
      name: "server", value: "INPUT", isRequired: true, isRepeatable: true, file: .read,
      help: "The V2 archive of the same app."),
  ].under(.archives)

  /// How both are read.
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
    help: "Judges access at this time for all pairs: milliseconds or seconds since 1970, or ISO 8601.")

  static func baseline(_ help: String, _ use: FileUse = .read, isRequired: Bool = false) -> Option {
    Option(name: "baseline", value: "FILE", isRequired: isRequired, file: use, help: help)
  }
}
