extension TimelineCommand {
  static let description = CommandDescription(
    name: "timeline",
    summary: "each subscription's life as V2 events, with what V1 never told",
    usage: "timeline [OPTION…] [INPUT…]",
    discussion: [
      "Orders the notifications of each subscription by the time of their events, folds the messages of one action into "
        + "the event that V2 sends for it, and names the events that V2 would have sent and V1 never did, each with the "
        + "trace that shows it. INPUT is a Slipcast store (archive.sqlite, postgres://…), which is read as it is, or "
        + "anything that convert reads; it is then converted into a temporary database in TMPDIR first.",
      "Without --as-of the end of the archive is the latest that is known: a period that ends after the last message of its "
        + "subscription is not said to have expired.",
      "As JSON each line has a kind: subscription, event, companion (a message that the event before it absorbed), gap "
        + "(expected in V2, never sent by V1), end (counts), legend (events that leave no trace at all).",
      "Exit status: 0 fine, 1 some records were rejected or there is no such subscription, 2 the job could not be done.",
    ],
    options: [
      Option(name: "original-transaction-id", value: "ID", help: "Shows one subscription only."),
      Option(
        name: "as-of", value: "TIME",
        help: "The archive is complete up to then: milliseconds or seconds since 1970, or ISO 8601."),
      Option(
        name: "format", value: "FORMAT", choices: ["text", "json"],
        help: "How it is written; by default text on a terminal, else JSON."),
    ] + InputOptions.records + [
      Option(name: "quiet", help: "No words on standard error but errors."),
      Option(name: "exit-zero", help: "Exits with 0 even when records were rejected."),
    ],
    examples: [
      (
        command: "slipcast timeline archive.sqlite --original-transaction-id 1000000412345678",
        says: "One subscription of a store:"
      ),
      (command: "slipcast timeline --format text exports/ | less", says: "All of an archive:"),
    ])
}
