extension TimelineCommand {
  static let description = CommandDescription(
    name: "timeline", topic: .convert,
    summary: "lists the V2 events of each subscription, with those that V1 never sent",
    usage: "timeline [OPTION…] [INPUT…]",
    operands: .files,
    discussion: [
      "Orders the notifications of each subscription by the time of their events, merges the messages of one action "
        + "into the event that V2 sends for it, and adds the events that V2 would have sent and V1 never did, each "
        + "with the trace that shows it.",
      "INPUT is a Slipcast store (archive.sqlite, postgres://…), which is read as it is, or anything that convert reads, "
        + "standard input by default; it is then converted into a temporary database in TMPDIR first.",
      "Other messages of the archive settle ambiguous readings (as convert --settle does); a store keeps its readings.",
      "As JSON each line has a kind: subscription, event, companion (a message that the event before it absorbed), gap "
        + "(expected in V2, never sent by V1), end (counts), legend (events that leave no trace at all).",
    ],
    options: [
      Option(name: "original-transaction-id", value: "ID", byDefault: "all", help: "Shows one subscription only."),
      Option(
        name: "as-of", value: "TIME", byDefault: "the last message of each subscription",
        help: "The archive is complete up to then: milliseconds or seconds since 1970, or ISO 8601. A period that ends "
          + "later does not count as expired."),
      SettleOptions.complete,
      Option(
        name: "report", value: "FILE", file: .written,
        help:
          "Also draws the subscription as one HTML page (FILE.html) for support staff: periods, events with their V1 messages, access, "
          + "refunds, and why. It needs no network and no scripts. One subscription only."),
      Option(
        name: "format", value: "FORMAT", choices: ["text", "json", "csv"],
        byDefault: "text on a terminal, else json, or as the file of --to is named", help: "The format of the output."),
      Option(
        name: "to", value: "FILE", byDefault: "- (standard output)", file: .written,
        help: "The file to write: .csv has one row for each event, .txt is text, others are JSON; .gz and .zst "
          + "compress."),
    ].under(.writing) + InputOptions.records
      + [
        InputOptions.jobs, InputOptions.quiet,
        Option(name: "exit-zero", help: "Ends with 0 even when records were rejected."),
      ].under(.words),
    exitStatuses: [
      (.fine, "the job is done"), (.findings, "some records were rejected, or the subscription was not found"),
      (.failed, "the job could not be done"),
    ],
    examples: [
      (
        command: "slipcast timeline archive.sqlite --original-transaction-id 1000000412345678",
        says: "One subscription of a store:"
      ),
      (
        command: "slipcast timeline archive.sqlite --original-transaction-id 1000000412345678 --report life.html",
        says: "The same as an HTML page:"
      ),
      (command: "slipcast timeline --format text exports/ | less", says: "All of an archive:"),
    ])
}
