import SlipcastBulk

extension ServeCommand {
  static let description = CommandDescription(
    name: "serve", topic: .convert,
    summary: "receives notifications of both versions, and keeps and converts them",
    usage: "serve --journal FOLDER [OPTION…]",
    operands: .none,
    discussion: [
      "Receives App Store Server Notifications at an address that you enter in App Store Connect, or behind a proxy. A V2 "
        + "body must be signed by Apple. A V1 body has no signature: compare its password with --shared-secret, and accept "
        + "only Apple's addresses with --allow 17.0.0.0/8 where no proxy is in front.",
      "The response is 200 when the notification is on disk, in the journal. Apple sends a notification again when the "
        + "response is an error, so each event is stored once, however often it arrives. Other responses: 400 for a "
        + "body that is not a notification, 403 for one that is not trusted, 404, 405, 413 and 415 for requests of "
        + "another form, and 503 when the disk cannot be written; nothing is stored then.",
      "--to receives each event once, in the order of arrival: V1 converted as convert does it, V2 decoded. Files grow "
        + "and can be read meanwhile, databases too. While the target is not available, notifications are still stored, and are "
        + "delivered later.",
      "GET /healthz reports the server's health, as JSON; GET /metrics has counters for Prometheus. The journal "
        + "contains the bodies as they arrived, so it contains the shared secret of V1; its files are readable by "
        + "their owner only. slipcast convert and slipcast parity read a journal. SIGTERM ends the server when running "
        + "requests are answered.",
    ],
    options: options,
    exitStatuses: [
      (.fine, "the server was asked to end"),
      (.failed, "it could not start: the address is in use, the journal is damaged, or another server uses it"),
    ],
    examples: [
      (
        command: "slipcast serve --journal journal --to archive.sqlite --shared-secret secret.txt",
        says: "An endpoint behind a proxy, with a database for queries:"
      ),
      (
        command:
          "slipcast serve --listen 0.0.0.0:443 --tls-cert chain.pem --tls-key key.pem --allow 17.0.0.0/8 --journal journal "
          + "--to v2.ndjson",
        says: "An endpoint without a proxy:"
      ),
    ])

  private static let options =
    [
      Option(
        name: "journal", value: "FOLDER", isRequired: true, file: .written, isFolder: true,
        help: "Stores every notification received. Creates the folder if it does not exist."),
      Option(
        name: "listen", value: "ADDRESS:PORT", byDefault: "127.0.0.1:8080",
        help: "Where to listen: 0.0.0.0:8443, [::1]:8080. Port 0 is any free one."),
      Option(
        name: "tls-cert", value: "FILE", file: .read, help: "The certificate chain for HTTPS, as PEM. Needs --tls-key."),
      Option(name: "tls-key", value: "FILE", file: .read, help: "The private key for HTTPS, as PEM."),
      Option(name: "path", value: "PATH", byDefault: "any path", help: "Receives notifications only there: /apple."),
      Option(
        name: "allow", value: "CIDR", byDefault: "any address", isRepeatable: true,
        help: "Accepts only clients of these addresses; Apple's are 17.0.0.0/8."),
      Option(
        name: "shared-secret", value: "FILE", file: .read,
        help: "Requires V1's password to be in this file, which has one secret on each line."),
    ].under(.reading)
    + TrustOptions.trust + RevocationOptions.all
    + InputOptions.casting.under(.casting)
    + [
      Option(
        name: "to", value: "TARGET", file: .written,
        help:
          "Where V2 goes: a file (lines are appended; .csv: rows), a folder (with --split), or a database (FILE.sqlite, "
          + "sqlite:FILE, postgres://…).")
    ].under(.writing) + FolderTarget.options.under(.writing)
    + [
      Option(
        name: "forward", value: "FORM=URL", isRepeatable: true,
        help:
          "Sends each notification to another service: raw=URL sends the bytes as they arrived (the shared secret of V1 "
          + "included), v2=URL sends Apple's V2 payload, and V1 converted."),
      SignCommand.sign,
      Option(
        name: "forward-timeout", value: "SECONDS", byDefault: "10", help: "The timeout of the service's response."),
      Option(
        name: "retry-seconds", value: "LIST", byDefault: "3600,43200,86400,172800,259200",
        help:
          "When a notification is sent again that a service did not answer with 2xx: seconds after the attempt before, "
          + "as Apple does it for V2. After the last one it is kept as undelivered."),
      Option(name: "redeliver", help: "Sends undelivered notifications again on start."),
      Option(
        name: "rejects", value: "FILE", file: .written,
        help: "Keeps V1 notifications that cannot be converted, the secret removed. They stay in the journal too."),
      Option(
        name: "signed-date", value: "WHICH",
        choices: [
          Choice("convert", "as convert does it without a received time"),
          Choice("arrival", "the time when the V1 notification arrived"),
        ], byDefault: "convert", help: "What signedDate of a converted V1 notification is."),
      Option(
        name: "settle",
        help:
          "Settles ambiguous and inferred readings of V1 with the earlier messages of the same subscription in the journal "
          + "(migration.settled). slipcast convert FOLDER --settle settles with later messages too."),
      Option(name: "from-now", help: "A new target receives only new notifications, not the whole journal."),
      Option(
        name: "journal-keep", value: "DAYS", byDefault: "all",
        help: "Removes from the journal what is older and was delivered to --to, in parts of 64 MiB."),
    ].under(.writing)
    + [
      Option(
        name: "compare", value: "INPUT", isRepeatable: true, file: .read,
        help:
          "Compares V1 in the journal with V2 in INPUT, as parity does. INPUT is a file, a folder or a database; name the "
          + "journal if it receives both versions. /metrics has the counts."),
      Option(
        name: "compare-seconds", value: "SECONDS", byDefault: "60",
        help: "Seconds between two comparisons, at least nine times the duration of the last one."),
    ].under(.words)
    + [
      Option(name: "max-body", value: "MIB", byDefault: "4", help: "The longest body, in MiB, 1 to 64."),
      Option(name: "header-timeout", value: "SECONDS", byDefault: "10", help: "The timeout of a request's head."),
      Option(name: "body-timeout", value: "SECONDS", byDefault: "30", help: "The timeout of a request's body."),
      Option(name: "connections", value: "N", byDefault: "1024", help: "How many connections at the same time."),
    ].under(.limits)
    + [
      Option(name: "log", value: "FORM", choices: ["text", "json"], byDefault: "text", help: "The form of log lines.")
    ].under(.words)
}
