extension ReplayCommand {
  static let description = CommandDescription(
    name: "replay", topic: .convert,
    summary: "sends an archive to an endpoint as Apple would",
    usage: "replay [OPTION…] --to URL [INPUT…]",
    operands: .files,
    discussion: [
      "Sends each notification of an archive to an endpoint by POST, so that a new service can be tested with real "
        + "traffic before the switch in App Store Connect. A signed V2 record is sent unchanged. With --sign, decoded "
        + "V2 is signed with a test identity, and V1 is converted and signed. With --raw, V1 is sent as stored, "
        + "including the shared secret.",
      "Without --execute nothing is sent: the command reports what it would send. A request is repeated when the "
        + "response is not 2xx, after the times of --retry-seconds.",
    ],
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
      + [InputOptions.quiet].under(.words),
    exitStatuses: [
      (.fine, "all records were delivered, or the plan was shown"),
      (.findings, "some were not delivered, or nothing can be sent for them"),
      (.failed, "the job could not be done, or was interrupted"),
    ],
    examples: [
      (
        command: "slipcast replay --raw archive.ndjson --to http://127.0.0.1:8080/ --execute",
        says: "Stored V1 notifications, to slipcast serve:"
      ),
      (
        command:
          "slipcast replay --sign identity/ archive.ndjson --to https://staging.example.com/apple --order shuffled "
          + "--duplicates 5% --retry-seconds 1,5,60 --summary replay.html --execute",
        says: "A year of traffic as V2, shuffled, to a service that trusts the test identity:"
      ),
    ])
}
