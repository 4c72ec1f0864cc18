import SlipcastBulk

extension ConvertCommand {
  static let description = CommandDescription(
    name: "convert",
    summary: "legacy records become V2, NDJSON on standard output",
    usage: "convert [OPTION…] [INPUT…]",
    discussion: [
      "Reads version 1 server notifications, verifyReceipt answers and receipts (each record is recognised by itself) and "
        + "writes one decoded V2 object a line, in the order of the input. INPUT is a file, a directory (its *.json, "
        + "*.ndjson, *.jsonl, *.b64 and *.base64 files and archives, sorted by name), rows of a database "
        + "(sqlite:FILE?table=NAME&key=COLUMN&body=COLUMN&received-at=COLUMN, postgres://…?table=…, or query=SELECT in "
        + "place of table), a Slipcast store, or - for standard input, the default. gzip, zstd, xz, bzip2, tar and zip "
        + "are taken off. A file holds one JSON document, an array of records, JSON texts one after another (NDJSON or "
        + "pretty-printed), receipts in base64, or one receipt in binary. A receipt gives the history of its purchases.",
      "The member \"migration\" of each line says which rule decided, how well that is known, which other readings "
        + "there are, and which values are conclusions. A record that cannot be converted is rejected, never guessed; "
        + "the rest goes on. The shared secret (password) is dropped when a record is read and stands in no output.",
      "A table of counts closes the run on standard error. It counts as ambiguous the records with more than one possible "
        + "reading, as absorbed the companions of another message that V2 never sends: they give a line too, under the type "
        + "of the event they belong to. Exit status: 0 fine, 1 some records were rejected, 2 the "
        + "job could not be done, or was interrupted.",
    ],
    options: [
      Option(
        name: "emit", value: "WHAT", choices: ["auto", "notification", "history", "statuses"],
        help: "notification: the event. history: all transactions. statuses: every subscription's status. auto, the "
          + "default: a notification gives its notification, a receipt its history."),
      InputOptions.body,
      InputOptions.receivedAt,
      InputOptions.id,
      RuleOptions.appAppleId,
      RuleOptions.products,
      RuleOptions.mappings,
      Option(name: "plain", help: "Leaves \"migration\" out: only Apple's members."),
      SignCommand.sign,
    ]
      + TrustOptions.onTheWay(
        "the receipts that are read and those inside the records (the JSON beside a receipt is nobody's word; of it only the "
          + "bundle id is compared)", "is rejected") + [
        Option(
          name: "to", value: "TARGET",
          file: .written,
          help:
            "Where V2 goes: a file (compressed as .gz or .zst say), a folder (with --split), a database (FILE.sqlite, "
            + "sqlite:FILE, postgres://…), or - for standard output, the default. A file is called FILE.part until it is "
            + "whole; a file of that name is replaced."),
        Option(
          name: "split", value: "date|bundle|N",
          help:
            "Fills the folder of --to with one file for each day of signedDate (UTC), each bundle id, or every N records."
        ),
        Option(
          name: "compress", value: "HOW", choices: Compression.allCases.map(\.rawValue),
          help: "How the files of --split are compressed; none by default."),
        Option(
          name: "group",
          help:
            "Folds the messages of one action (an upgrade is told in two or three) into the one event that V2 sends, "
            + "named in migration.companions; lines are ordered by subscription and time. Notifications only; records "
            + "are sorted in a temporary database in TMPDIR. A store may be the only input."),
        Option(
          name: "execute",
          help:
            "Writes into the database of --to. Without it the run is a rehearsal: it converts and counts, says what it "
            + "would do, and writes nothing."),
        Option(
          name: "checkpoint", value: "FILE",
          file: .written,
          help:
            "Keeps there how far the run has come, so that it can go on after it was ended at any moment. Databases keep "
            + "that themselves, together with the data."),
        Option(
          name: "resume",
          help:
            "Goes on with the run of the checkpoint: verifies by SHA-256 that what is done is done, refuses other inputs, "
            + "rules or options, and ends with what an undisturbed run would have written."),
        Option(
          name: "checkpoint-every", value: "MIB",
          help:
            "How much is written between two checkpoints, 16 by default, 64 in a database; 0: after each piece of input."
        ),
        Option(
          name: "dedupe",
          help:
            "Drops notifications that came before (the same notificationUUID), and answers that give the same line. "
            + "Databases always do."),
        Option(
          name: "dedupe-memory", value: "MIB",
          help:
            "How much --dedupe may hold, 64 by default: 3,145,728 records. One more ends the run; nothing is dropped by guess."
        ),
        Option(
          name: "provenance", value: "FILE",
          file: .written,
          help:
            "Writes the full account of each record: every V2 value with its rule and V1 path, every V1 value without "
            + "a V2 place, every V2 field that stays absent, every finding."),
        InputOptions.rejects,
        Option(
          name: "on-error", value: "WHAT", choices: ["reject", "skip", "stop"],
          help:
            "reject, the default: count the record, keep it in --rejects, exit with 1. skip: count it only. stop: end "
            + "the run at the first one."),
        Option(
          name: "max-rejects", value: "N|P%",
          help: "Gives up with status 2 when more records are rejected; a share is judged from 1,000 records on."),
        InputOptions.maxRecord,
        InputOptions.include,
        Option(
          name: "jobs", value: "N",
          help:
            "How many workers; all processors by default. The output is the same for any, but for the signatures of --sign."
        ),
        Option(name: "dry-run", help: "Converts and counts, and writes no records."),
        Option(
          name: "progress", value: "HOW", choices: Progress.Style.allCases.map(\.rawValue),
          help: "auto, the default: a bar on a terminal. lines: a line every five seconds. none, bar."),
        Option(
          name: "summary", value: "FILE", isRepeatable: true,
          file: .written, help: "Writes the closing table there too, as the name says: .json, .csv, .md, .html or .xml."
        ),
        Option(name: "quiet", help: "No words on standard error but errors."),
        Option(name: "exit-zero", help: "Exits with 0 even when records were rejected (not after --on-error stop)."),
      ],
    examples: [
      (command: "slipcast convert archive/ > v2.ndjson", says: "A directory of stored notifications:"),
      (
        command: "slipcast convert exports/2021-*.json.gz --to archive.sqlite --execute",
        says: "Compressed exports into a database that is ready to be asked:"
      ),
      (
        command:
          "slipcast convert 'postgres://localhost/shop?table=v1_notifications&key=id&body=body&received-at=received_at' "
          + "--to v2.ndjson.zst --checkpoint run.json",
        says: "A table into a file, so that the run can go on with --resume whatever ends it:"
      ),
      (
        command: "psql -Atc 'select row_to_json(n) from notifications n' | slipcast convert --body /body "
          + "--received-at /received_at --id /id --rejects rejects.ndjson > v2.ndjson",
        says: "Rows of a database, each with its own id and time:"
      ),
      (
        command: "slipcast convert --emit statuses receipts.ndjson",
        says: "verifyReceipt answers as subscription statuses:"
      ),
      (
        command: "slipcast convert --sign identity/ archive/ > signed.ndjson",
        says: "Test data in Apple's wire shape, signed (slipcast identity makes the identity):"
      ),
      (
        command: "slipcast convert --provenance account.ndjson --dry-run archive.ndjson",
        says: "What would become of every field:"
      ),
    ])
}
