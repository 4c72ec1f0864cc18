import SlipcastBulk

extension ConvertCommand {
  static let description = CommandDescription(
    "convert", .convert, operands: .files,
    options: InputOptions.reading + casting + trust + writing + resuming + rejects + words)

  private static let casting =
    ([
      Option(
        name: "emit", value: "WHAT",
        choices: [
          Choice("auto", "a notification becomes a notification, a receipt a history"),
          Choice("notification", "the event"), Choice("history", "all transactions"),
          Choice("statuses", "the status of every subscription"),
        ], byDefault: "auto", help: "What a record becomes.")
    ] + InputOptions.casting + [
      Option(name: "plain", help: "Leaves \"migration\" out: only Apple's members."),
      SignCommand.sign,
      SettleOptions.settle, SettleOptions.complete,
      Option(
        name: "group",
        help:
          "Merges the messages of one action (V1 reports an upgrade in two or three) into the one event that V2 sends, "
          + "named in migration.companions. Lines are ordered by subscription and time. Notifications only; records "
          + "are sorted in a temporary database in TMPDIR; with --received-at the input is read twice. A store may be the "
          + "only input."),
      Option(
        name: "dedupe",
        help:
          "Drops duplicates: notifications with the same notificationUUID, and answers that become the same line. "
          + "Databases always do."),
      Option(
        name: "dedupe-memory", value: "MIB", byDefault: "64",
        help:
          "The memory of --dedupe, in MiB: 64 are 3,145,728 records. One more ends the run; nothing is dropped by "
          + "guess."),
    ]).under(.casting)

  private static let trust = TrustOptions.onTheWay(
    "the receipts that are read and those inside the records (the JSON next to a receipt is not signed; only its "
      + "bundle id is compared)", "is rejected")

  private static let target = [
    Option(
      name: "to", value: "TARGET", byDefault: "- (standard output)", file: .written,
      help:
        "The output: a file (compressed if it ends in .gz or .zst; FILE.csv has one row for each event), a folder "
        + "(with --split), a database (FILE.sqlite, sqlite:FILE, postgres://…), or - for standard output. A file is "
        + "called FILE.part until it is complete; an existing file is replaced."),
    Option(
      name: "execute",
      help:
        "Writes into the database of --to. Without it the run is a dry run: it converts, counts, reports what it "
        + "would do, and writes nothing."),
  ]

  private static let outputs = [
    Option(
      name: "provenance", value: "FILE", file: .written,
      help:
        "Writes the full account of each record: every V2 value with its rule and V1 path, every V1 value without "
        + "a V2 place, every V2 field that stays absent, every finding. - is standard output."),
    Option(
      name: "summary", value: "FILE", isRepeatable: true, file: .written,
      help: "Writes the closing table there too, in the form of its extension: .json, .csv, .md, .html or .xml (JUnit)."
    ),
    Option(name: "dry-run", help: "Converts and counts, and writes no records."),
  ]

  private static let writing = (target + FolderTarget.options + outputs).under(.writing)

  private static let resuming = [
    Option(
      name: "checkpoint", value: "FILE", file: .written,
      help:
        "Writes checkpoints to FILE, so that --resume can continue the run after any interruption. Databases keep "
        + "their checkpoint with the data."),
    Option(
      name: "resume",
      help:
        "Resumes the run of the checkpoint. It verifies what is already done by SHA-256, rejects other inputs, rules "
        + "or options, and writes what an uninterrupted run would have written."),
    Option(
      name: "checkpoint-every", value: "MIB", byDefault: "16, in a database 64",
      help: "How much is written between two checkpoints, in MiB; 0 is after each piece of input."),
  ].under(.resuming)

  private static let rejects = [
    InputOptions.rejects,
    Option(
      name: "on-error", value: "WHAT",
      choices: [
        Choice("reject", "counts it, keeps it in --rejects, and the run ends with status 1"),
        Choice("skip", "counts it; --rejects names it without its text"),
        Choice("stop", "ends the run at the first one; --resume goes on behind it"),
      ], byDefault: "reject", help: "What happens to a record that cannot be converted."),
    Option(
      name: "max-rejects", value: "N|P%",
      help: "Stops with status 2 when more records are rejected; a percentage is checked from 1,000 records on, and at "
        + "the end."),
  ].under(.rejects)

  private static let words = [
    Option(
      name: "jobs", value: "N", byDefault: InputOptions.allProcessors,
      help: "The number of workers, 1 to 64. The output is the same for any number, except the signatures of --sign."),
    Option(
      name: "progress", value: "HOW", choices: Progress.Style.choices, byDefault: "auto", help: "How progress is shown."
    ),
    InputOptions.quiet,
    Option(name: "exit-zero", help: "Ends with 0 even when records were rejected (not after --on-error stop)."),
  ].under(.words)
}
