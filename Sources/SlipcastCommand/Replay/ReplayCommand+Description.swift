extension ReplayCommand {
  static let description = CommandDescription(
    "replay", .convert, operands: .files,
    options: InputOptions.reading + InputOptions.casting.under(.casting)
      + [
        SignCommand.sign,
        Option(name: "raw", help: "Sends V1 as stored."),
        Option(
          name: "order", value: "ORDER",
          choices: [
            Choice("original", "as in the archive"), Choice("shuffled", "at random"),
            Choice("reversed", "the last one first"),
          ], byDefault: "original", help: "The order of the records."),
        Option(name: "duplicates", value: "SHARE", byDefault: "0", help: "The share of duplicates: 0.1, 10%."),
        Option(name: "seed", value: "N", byDefault: "1", help: "The seed of random choices."),
      ].under(.casting)
      + [
        Option(name: "to", value: "URL", isRequired: true, help: "The endpoint: http:// or https://."),
        Option(name: "execute", help: "Sends requests. Without it, the command reports what it would do."),
        Option(name: "rate", value: "N", help: "The most requests per second."),
        Option(
          name: "concurrency", value: "N", byDefault: "1", help: "How many requests at the same time, 1 to 256."),
        Option(
          name: "retry-seconds", value: "LIST", byDefault: "3600,43200,86400,172800,259200",
          help: "The delays before each retry, in seconds, by default those of Apple for V2."),
        Option(name: "timeout", value: "SECONDS", byDefault: "30", help: "The timeout of a response."),
        Option(
          name: "missing", value: "FILE", file: .written,
          help: "Writes there the records that never arrived: source, record, status, attempts, message."),
        Option(
          name: "summary", value: "FILE", isRepeatable: true, file: .written,
          help: "Writes the closing table there too, in the form of its extension: .json, .csv, .md, .html or .xml."),
      ].under(.writing)
      + [InputOptions.quiet].under(.words))
}
