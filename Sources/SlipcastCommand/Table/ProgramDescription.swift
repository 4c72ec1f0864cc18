/// The description of the whole program in its help, its manual and its reference.
enum ProgramDescription {
  static let name = "slipcast"
  static let summary = "converts legacy App Store data to V2"
  static let usage = "COMMAND [OPTION…] [INPUT…]"

  static let discussion = [
    "Slipcast takes an app company's legacy App Store data (version 1 server notifications, verifyReceipt answers, app "
      + "receipts, iOS 6 receipts), verifies signatures, converts it to version 2 with an account of every field, and "
      + "compares the result with Apple's server data, to show what changed in meaning. It does not guess: it rejects "
      + "and reports a record that it cannot convert, and continues with the next one.",
    "Data goes to standard output, messages go to standard error. An option's value follows it, after a space or an "
      + "equals sign (--jobs 4, --jobs=4). Options may precede or follow inputs, and -- ends them. serve, replay, "
      + "fetch and --online-checks use the network; other commands connect only to a database that their arguments "
      + "name.",
  ]

  static let optionsNote = "Every command accepts --help and --color; --version is used alone."
  static let options = [Option.help, Option.version] + [Option.color]

  /// The three most common tasks.
  static let essentials: [(command: String, says: String)] = [
    ("slipcast convert archive/ > v2.ndjson", "converts V1 notifications and receipts to V2"),
    ("slipcast diff v1.json v2.json", "compares each field of an event, and explains differences"),
    ("slipcast explain price_consent_status", "explains a field and its conversion"),
  ]

  /// Families of commands, which have one line in the list of commands, with the names of their members.
  static let families = [
    "fetch": "downloads Apple's V2 data of customers",
    "baseline": "manages the known differences between two archives",
  ]

  static let next: [(command: String, says: String)] = [
    ("slipcast convert --help", "shows a command's options and examples"),
    ("slipcast manual | less", "shows the whole manual"),
  ]

  static let exitStatuses: [(status: ExitCode, means: String)] = [
    (.fine, "done, without findings"),
    (.findings, "done, with differences, rejected records or invalid signatures"),
    (.failed, "not done, or the output is incomplete"),
  ]

  /// The same in one line, for the first page.
  static let briefStatuses = "0 done; 1 done, with differences, rejects or invalid signatures; 2 not done"

  /// What is read from the environment.
  static let environment: [(name: String, means: String)] = [
    ("NO_COLOR", "Any value except an empty one disables colors, unless --color always is set."),
    (
      "TMPDIR",
      "The folder of temporary databases and copies of standard input, which others cannot read; /tmp by default."
    ),
    (
      "http_proxy, https_proxy, no_proxy",
      "How fetch, replay, serve --forward and --online-checks reach other services, as libcurl reads them."
    ),
    ("SSL_CERT_FILE, SSL_CERT_DIR", "The root certificates for TLS, instead of the system's: a file, a folder."),
    (
      "SLIPCAST_KEY, SLIPCAST_KEY_ID, SLIPCAST_ISSUER",
      "What fetch uses where --key (a file), --key-id and --issuer are not given."
    ),
    (
      "PGHOST, PGPORT, PGDATABASE, PGUSER, PGPASSWORD, PGPASSFILE, PGSERVICE, PGSERVICEFILE, PGSSLMODE",
      "What a postgres:// location leaves open, as libpq reads it: see its manual for these and the others. A password "
        + "is better kept here or in the password file than in a location on the command line."
    ),
  ]

  /// Files that commands create in addition to those that the command line names.
  static let files: [(name: String, means: String)] = [
    (
      "FILE.part",
      "An output until it is complete. An interrupted run leaves it behind; an existing FILE is unchanged."
    ),
    ("FILE.ids", "Next to the file of convert --checkpoint: the ids that --dedupe has seen."),
    (
      "FILE.events",
      "Next to the file of convert --checkpoint: what a resumed run must know of messages that state no time."
    ),
    (
      "FILE.pages, FILE.revisions",
      "Next to the file of fetch --checkpoint: responses that are not in the output yet, and the last revision of each "
        + "customer."
    ),
    ("~/.pgpass", "Passwords of PostgreSQL servers, as libpq reads them."),
  ]

  static let seeAlso = ["jq(1)", "psql(1)", "sqlite3(1)", "zstd(1)"]
}

extension Option {
  static let version = Option(name: "version", help: "Shows the version of slipcast.")
}
