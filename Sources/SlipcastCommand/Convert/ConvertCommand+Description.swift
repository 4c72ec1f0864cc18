import SlipcastBulk

extension ConvertCommand {
  static let description = CommandDescription(
    name: "convert", topic: .convert,
    summary: "converts legacy records to V2, one JSON object per line",
    usage: "convert [OPTION…] [INPUT…]",
    operands: .files,
    discussion: [
      "Reads version 1 server notifications, verifyReceipt answers and receipts (the kind of each record is detected) "
        + "and writes one decoded V2 object a line, in the order of the input. A receipt becomes the history of its "
        + "purchases. A record that cannot be converted is rejected, never guessed; the run continues with the next "
        + "record.",
      "INPUT is a file, a folder, an archive, rows of a database, a Slipcast store (a database that convert --to has "
        + "filled), or - for standard input, the default. gzip, zstd, xz, bzip2, tar and zip are unpacked. A file "
        + "holds one JSON document, an array of records, JSON texts one after another (NDJSON or pretty-printed), "
        + "receipts in base64, or one receipt in binary. Files of a folder are sorted by name. Rows are named by "
        + "sqlite:FILE?table=NAME&key=COLUMN&body=COLUMN&received-at=COLUMN or postgres://HOST/DATABASE?table=…, with "
        + "query=SELECT in place of table.",
      "The member \"migration\" of each line states which rule decided, its confidence, which other readings "
        + "there are, and which values are conclusions. The shared secret (password) is dropped when a record is read; "
        + "no output contains it.",
      "The run ends with a table of counts on standard error. It counts as ambiguous the records with more than one "
        + "possible reading, as absorbed the companions of another message that V2 never sends: each becomes a line "
        + "too, under the type of the event it belongs to.",
    ],
    options: options,
    exitStatuses: [
      (.fine, "all records were converted"),
      (.findings, "some records were rejected (--exit-zero and --on-error skip make it 0)"),
      (.failed, "the job could not be done, was interrupted, or had more rejects than --max-rejects"),
    ],
    examples: [
      (command: "slipcast convert archive/ > v2.ndjson", says: "A folder of stored notifications:"),
      (
        command: "slipcast convert exports/2021-*.json.gz --to archive.sqlite --execute",
        says: "Compressed exports into a database for queries:"
      ),
      (
        command:
          "slipcast convert 'postgres://localhost/shop?table=v1_notifications&key=id&body=body&received-at=received_at' "
          + "--to v2.ndjson.zst --checkpoint run.json",
        says: "A table into a file, in a run that --resume can continue after any interruption:"
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
