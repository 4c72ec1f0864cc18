import SlipcastBulk

extension ServeCommand {
  static let description = CommandDescription(
    "serve", .convert,
    options: [
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
        help:
          "Accepts notifications only from these addresses; Apple's are 17.0.0.0/8. Everybody may read /healthz and "
          + "/metrics."),
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
          help:
            "Removes from the journal what is older and was delivered to --to, in parts of 64 MiB. After a restart, a "
            + "repetition of a removed event is a new one; Apple repeats for up to 7 days."),
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
        Option(
          name: "log", value: "FORM", choices: ["text", "json"], byDefault: "text", help: "The form of log lines.")
      ].under(.words))
}
