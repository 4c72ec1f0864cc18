extension DiffCommand {
  static let description = CommandDescription(
    name: "diff",
    summary: "one pair, every field, with the meaning of each difference",
    usage: "diff [OPTION…] LEGACY SERVER",
    discussion: [
      "Casts LEGACY, a version 1 notification, a verifyReceipt answer or a receipt, and lays the result beside SERVER, what Apple's "
        + "server says of the same event in version 2. Each field gets a class: conflict (the two state different "
        + "things), timeDependent, semantic (one side's meaning is wider), derived (V2 agrees with a conclusion), "
        + "legacyOnly, serverOnly, representation (the same fact, written in another way) or identical. Only conflict "
        + "fails.",
      "SERVER is a decoded notification as convert writes it, {\"signedPayload\": …}, a bare signed payload, a "
        + "transaction or renewal info, or an answer with signedTransactions or statuses (compared with a receipt's "
        + "history or statuses). Without --verify signed payloads are decoded without trust. LEGACY may itself "
        + "be a version 2 record, such as an earlier cast. One of the two may be - for standard input.",
      "An ignore file lists accepted differences, one a line: a path, optionally until=yyyy-MM-dd, and the reason. In a "
        + "path * stands for any part of a name, [*] for any place of a list, ** for any number of steps. A line that "
        + "has expired or matches no difference is a warning.",
      "Exit status: 0 parity, 1 at least one conflict (or field of a --strict class), 2 the two could not be compared.",
    ],
    options: [
      ReportFiles.format,
      ReportFiles.report,
      Option(name: "verbose", help: "The text report names rules and sources and lists fields that agree."),
      Option(
        name: "ignore", value: "FILE", isRepeatable: true,
        file: .read,
        help: "Takes accepted differences out of the verdict; they are still shown, and counted by themselves."),
      ReportFiles.strict,
      Option(name: "storekit", help: "Adds what a device would have said to the fields of a renewal."),
      Option(
        name: "received-at", value: "TIME",
        help: "When LEGACY was received: milliseconds or seconds since 1970, or ISO 8601."),
    ] + TrustOptions.onTheWay("the signatures of both records", "cannot be compared") + [
      RuleOptions.appAppleId,
      RuleOptions.products,
      RuleOptions.mappings,
      Option(name: "quiet", help: "Writes nothing to standard output: reports and the exit status tell."),
      Option(name: "exit-zero", help: "Ends with 0 despite conflicts."),
    ],
    examples: [
      (command: "slipcast diff v1.json v2.json", says: "What differs, and whether to worry:"),
      (command: "slipcast diff v1.json v2.json --format json | jq .counts", says: "For programs:"),
      (
        command: "slipcast diff v1.json v2.json --report out.html --report junit.xml --report comment.md",
        says: "A page to look through, a result for the build server, a comment for the pull request:"
      ),
      (command: "slipcast diff --ignore accepted.txt v1.json v2.json", says: "With known differences left out:"),
    ])
}
