/// A form of data that is not read, recognized by its first bytes, with the way to make it readable.
enum ForeignForm: CaseIterable {
  case parquet, avro, postgresArchive, postgresScript, mysqlScript, mariaScript, bson, workbook

  /// Recognizes a source by its first bytes; `nil` for anything else.
  init?(_ head: [UInt8]) {
    let marks: [(ForeignForm, String)] = [
      (.parquet, "PAR1"), (.avro, "Obj\u{1}"), (.postgresArchive, "PGDMP"),
      (.postgresScript, "--\n-- PostgreSQL database dump"), (.postgresScript, "--\r\n-- PostgreSQL database dump"),
      (.mysqlScript, "-- MySQL dump"), (.mariaScript, "-- MariaDB dump"), (.mariaScript, "/*M!999999"),
      (.mariaScript, "/*!999999"),
    ]
    if let mark = marks.first(where: { head.starts(with: $0.1.utf8) }) {
      self = mark.0
    } else if Self.isDocument(head) {
      self = .bson
    } else if Self.isWorkbook(head) {
      self = .workbook
    } else {
      return nil
    }
  }

  /// A BSON document: its length in four bytes, then the type of its first element (https://bsonspec.org, version 1.1).
  ///
  /// No text begins like this, because the fourth byte of a length below 16 MiB is 0, and the first element of a receipt in DER has
  /// type 6, which BSON no longer uses.
  private static func isDocument(_ head: [UInt8]) -> Bool {
    guard head.count > 6, head[3] == 0, [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 18].contains(head[4]) else { return false }
    let length = Int(head[0]) | Int(head[1]) << 8 | Int(head[2]) << 16
    // The name of the element follows, with a zero byte at its end.
    guard length > 7, let end = head[5...].firstIndex(of: 0), end > 5 else { return false }
    return head[5..<end].allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }

  /// A zip archive whose first file is one of a workbook in Office Open XML (ECMA-376, part 2).
  private static func isWorkbook(_ head: [UInt8]) -> Bool {
    guard head.starts(with: [0x50, 0x4B, 0x03, 0x04]), head.count > 30 else { return false }
    let name = head[30...].prefix(Int(head[26]) | Int(head[27]) << 8)
    return ["[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "docProps/app.xml"].contains {
      name.elementsEqual($0.utf8)
    }
  }

  /// What it is, and the command that makes it readable.
  ///
  /// The command has the name of the source where a shell takes it as it is, else the word FILE.
  func advice(for name: String) -> String {
    name != "-" && Self.isPlain(name) ? advice.replacing("FILE", with: name) : advice
  }

  /// A shell takes the text as it is: letters, digits and `-./_`.
  static func isPlain(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte
        || byte == UInt8(ascii: "_")
    }
  }

  private var advice: String {
    switch self {
    case .parquet:
      "it is a Parquet file; write it as NDJSON first: duckdb -c \"COPY (FROM 'FILE') TO 'FILE.ndjson' (FORMAT json)\""
    case .avro: "it is an Avro file; write it as NDJSON first: python3 -m fastavro FILE > FILE.ndjson"
    case .bson:
      "it is BSON; write it as NDJSON first: bsondump --quiet FILE > FILE.ndjson, or, with pymongo: python3 -c 'import "
        + "bson, bson.json_util as j, sys; [print(j.dumps(d)) for d in bson.decode_file_iter(open(sys.argv[1], \"rb\"), "
        + "j.CodecOptions(document_class=dict))]' FILE > FILE.ndjson"
    case .postgresArchive:
      "it is an archive of pg_dump; restore it first: createdb restored && pg_restore --no-owner --dbname=restored FILE, "
        + "then read 'postgres:///restored?table=TABLE&body=COLUMN'"
    case .postgresScript:
      "it is a script of pg_dump; restore it first: createdb restored && psql --quiet --dbname=restored --file=FILE, "
        + "then read 'postgres:///restored?table=TABLE&body=COLUMN'"
    case .mysqlScript: Self.script("MySQL", "mysql")
    case .mariaScript: Self.script("MariaDB", "mariadb")
    case .workbook:
      "it is an Excel workbook; write the sheet as CSV first, with openpyxl: python3 -c 'import csv, openpyxl, sys; "
        + "csv.writer(sys.stdout).writerows(openpyxl.load_workbook(sys.argv[1], read_only=True).active.values)' FILE > "
        + "FILE.csv; a cell of a workbook holds at most 32,767 characters, so longer records are cut off in it"
    }
  }

  private static func script(_ system: String, _ program: String) -> String {
    "it is a dump of \(system); load it, and write the table as TSV: \(program) -e 'CREATE DATABASE restored' && "
      + "\(program) restored < FILE && \(program) --default-character-set=utf8mb4 --quick --batch restored -e "
      + "'SELECT * FROM TABLE' > rows.tsv, then read rows.tsv with --tsv copy --body /COLUMN"
  }
}
