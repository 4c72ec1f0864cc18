import SlipcastNetwork

extension FetchCommand {
  static var description: CommandDescription {
    CommandDescription(
      "fetch \(endpoint.rawValue)", .compare, operands: .files,
      options: InputOptions.reading.filter { !["id", "received-at"].contains($0.name) } + ids + server
        + TrustOptions.trust + RevocationOptions.all + (endpoint == .notifications ? times : []) + writing + resuming
        + words)
  }

  private static var ids: [Option] {
    [
      Option(name: "id", value: "ID", isRepeatable: true, help: "Requests this transaction id."),
      Option(
        name: "ids", value: "FILE", isRepeatable: true, file: .read,
        help: "Requests the ids of this file: one on each line, or the lines of --missing."),
      Option(
        name: "bundle-id", value: "ID", help: "The app of the ids whose records do not state one: com.example.app."),
    ].under(.reading)
  }

  private static var server: [Option] {
    [
      Option(
        name: "key", value: "FILE", byDefault: "SLIPCAST_KEY", file: .read,
        help: "The In-App Purchase key of App Store Connect, AuthKey_….p8."),
      Option(name: "key-id", value: "ID", byDefault: "SLIPCAST_KEY_ID", help: "The id of the key."),
      Option(name: "issuer", value: "ID", byDefault: "SLIPCAST_ISSUER", help: "The id of the issuer, a UUID."),
      Option(
        name: "environment", value: "WHICH",
        choices: [
          Choice("auto", "that of the record; if unknown, production, then the sandbox"),
          Choice("production", "production alone"), Choice("sandbox", "the sandbox alone"),
        ], byDefault: "auto", help: "The environments that requests go to."),
      Option(
        name: "server", value: "URL", byDefault: "Apple's",
        help: "Replaces the production server, and the sandbox too unless --sandbox-server is given. https:// only, or "
          + "http:// on this machine."),
      Option(name: "sandbox-server", value: "URL", byDefault: "Apple's", help: "Replaces the sandbox server."),
      Option(
        name: "rate", value: "N", byDefault: "Apple's limits",
        help: "The most requests per second, of both environments."),
      Option(name: "connections", value: "N", byDefault: "8", help: "How many requests at the same time, 1 to 64."),
      Option(name: "timeout", value: "SECONDS", byDefault: "30", help: "The timeout of a response."),
    ].under(.server)
  }

  private static var times: [Option] {
    [
      Option(
        name: "from", value: "TIME", byDefault: "what Apple keeps",
        help:
          "The start of the notifications, as ISO 8601 (2026-05-01, 2026-05-01T10:00:00Z) or milliseconds. Apple keeps "
          + "180 days, in the sandbox 30; where both are asked, an earlier start is moved to these 30 days in the sandbox."
      ),
      Option(name: "until", value: "TIME", byDefault: "now", help: "Their end."),
    ].under(.reading)
  }

  private static var writing: [Option] {
    [
      Option(
        name: "to", value: "FILE", byDefault: "- (standard output)", file: .written,
        help: "The output; compressed if it ends in .gz or .zst. The file is called FILE.part until it is complete."),
      Option(name: "execute", help: "Sends requests. Without it, the command reports what it would do."),
      Option(
        name: "missing", value: "FILE", file: .written,
        help: "Writes there the ids that were not found or failed: id, environment, errorCode, message."),
      Option(
        name: "rejects", value: "FILE", file: .written,
        help: "Keeps responses that are not trusted, and records that cannot be read, one JSON object a line."),
      Option(name: "summary", value: "FILE", file: .written, help: "Writes the counts there, as JSON."),
    ].under(.writing)
  }

  private static var resuming: [Option] {
    [
      Option(
        name: "checkpoint", value: "FILE", file: .written,
        help:
          "Records in this file, and in files next to it, which responses arrived, so that --resume can continue the "
          + "run after any interruption."),
      Option(
        name: "resume",
        help: "Continues the run of the checkpoint. A finished run continues from each customer's last revision, and "
          + "appends what is new or changed."),
    ].under(.resuming)
  }

  private static var words: [Option] { [InputOptions.quiet].under(.words) }
}

/// `slipcast fetch history`: all transactions of each customer.
enum FetchHistoryCommand: FetchCommand { static let endpoint = ServerEndpoint.history }

/// `slipcast fetch statuses`: the subscriptions of each customer.
enum FetchStatusesCommand: FetchCommand { static let endpoint = ServerEndpoint.statuses }

/// `slipcast fetch refunds`: the refunded transactions of each customer.
enum FetchRefundsCommand: FetchCommand { static let endpoint = ServerEndpoint.refunds }

/// `slipcast fetch notifications`: the notifications that Apple sent.
enum FetchNotificationsCommand: FetchCommand { static let endpoint = ServerEndpoint.notifications }
