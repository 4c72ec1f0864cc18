extension TimelineCommand {
  static let description = CommandDescription(
    "timeline", .convert, operands: .files,
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
      ].under(.words))
}
