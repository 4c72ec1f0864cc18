extension DiffCommand {
  static let description = CommandDescription(
    name: "diff", topic: .compare,
    summary: "compares every field of one pair, and explains each difference",
    usage: "diff [OPTION…] LEGACY SERVER",
    operands: .files,
    discussion: [
      "Converts LEGACY, a version 1 notification, a verifyReceipt answer or a receipt, and compares the result with "
        + "SERVER, Apple's version 2 record of the same event. Each field gets a class: conflict (the two state "
        + "different things), timeDependent, semantic (one side's meaning is wider), derived (V2 agrees with a "
        + "conclusion), legacyOnly (only V1 can express it), serverOnly, elsewhere (other messages report it), "
        + "repeated (V1 states a value a second time; listed only with --verbose), representation (the same fact, "
        + "written in another way) or identical. Only conflict fails. A V1 value that cannot be read is a conflict and "
        + "is counted separately.",
      "SERVER is a decoded notification as convert writes it, {\"signedPayload\": …}, a bare signed payload, a "
        + "transaction or renewal info, or an answer with signedTransactions or statuses (compared with a receipt's "
        + "history or statuses). Without --verify signed payloads are decoded without trust. LEGACY may itself "
        + "be a version 2 record, such as an earlier conversion. One of the two may be - for standard input.",
      "A file of --ignore lists accepted differences, one a line: a path, optionally until=yyyy-MM-dd, and the reason. In a "
        + "path * stands for any part of a name, [*] for any index of a list, ** for any number of steps. A line that "
        + "has expired or matches no difference is a warning.",
    ],
    options: [
      ReportFiles.format,
      ReportFiles.report,
      Option(name: "verbose", help: "The text report names rules and sources and lists fields that agree."),
      Option(name: "quiet", help: "Writes nothing to standard output; see the reports and the exit status."),
    ].under(.writing)
      + [
        ReportFiles.strict,
        RuleOptions.tolerance,
        Option(
          name: "ignore", value: "FILE", isRepeatable: true, file: .read,
          help: "Excludes accepted differences from the verdict; they are still shown, and counted separately."),
        Option(name: "exit-zero", help: "Ends with 0 despite conflicts."),
      ].under(.judging)
      + ([
        Option(
          name: "received-at", value: "TIME",
          help: "When LEGACY was received: milliseconds or seconds since 1970, or ISO 8601."),
        Option(name: "storekit", help: "Adds the values that StoreKit reports on a device for a renewal."),
      ] + InputOptions.casting).under(.casting)
      + TrustOptions.onTheWay("both records", "cannot be compared"),
    exitStatuses: [
      (.fine, "parity: no field is in conflict"),
      (.findings, "at least one field is in conflict, or of a class of --strict"),
      (.failed, "the two could not be compared"),
    ],
    examples: [
      (command: "slipcast diff v1.json v2.json", says: "What differs, and how serious it is:"),
      (command: "slipcast diff v1.json v2.json --format json | jq .counts", says: "For programs:"),
      (
        command: "slipcast diff v1.json v2.json --report out.html --report junit.xml --report comment.md",
        says: "An HTML page, a result for the build server, a comment for the pull request:"
      ),
      (command: "slipcast diff --ignore accepted.txt v1.json v2.json", says: "Without known differences:"),
    ])
}
