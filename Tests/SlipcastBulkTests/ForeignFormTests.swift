import Foundation
import SlipcastSystem
import Testing

@testable import SlipcastBulk

/// Forms that are not read are named, with a command.
struct ForeignFormTests {
  /// The first bytes as the formats define them.
  static let heads: [(ForeignForm, [UInt8], String)] = [
    (.parquet, Array("PAR1".utf8) + [0x15, 0x04], "duckdb"),
    (.avro, Array("Obj\u{1}".utf8) + [0x04, 0x16], "fastavro"),
    (.postgresArchive, Array("PGDMP".utf8) + [1, 15, 0], "pg_restore"),
    (.postgresScript, Array("--\n-- PostgreSQL database dump\n--\n".utf8), "psql"),
    (.mysqlScript, Array("-- MySQL dump 10.13  Distrib 8.0.36\n".utf8), "--tsv copy"),
    (.mariaScript, Array("/*M!999999\\- enable the sandbox mode */ \n".utf8), "--tsv copy"),
    // {"a": 1} in BSON: 12 bytes, an int32 named a.
    (.bson, [12, 0, 0, 0, 0x10, 0x61, 0, 1, 0, 0, 0, 0], "bsondump"),
    (
      .workbook,
      [0x50, 0x4B, 3, 4, 20, 0, 6, 0, 8, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 19, 0, 0, 0]
        + Array("[Content_Types].xml".utf8), "32,767"
    ),
  ]

  @Test(arguments: heads) func recognizesAForm(form: ForeignForm, head: [UInt8], word: String) {
    #expect(ForeignForm(head) == form)
    #expect(form.advice(for: "-").contains(word))
  }

  @Test func theCommandNamesTheSourceWhereAShellTakesItAsItIs() {
    #expect(
      ForeignForm.avro.advice(for: "logs/a-1.avro").contains("python3 -m fastavro logs/a-1.avro > logs/a-1.avro.ndjson")
    )
    #expect(ForeignForm.avro.advice(for: "my logs.avro").contains("fastavro FILE >"))
    #expect(ForeignForm.avro.advice(for: "all.tar!a.avro").contains("fastavro FILE >"))
  }

  @Test(arguments: [
    Array(#"{"notification_type":"CANCEL"}"#.utf8), Array("[{}]".utf8), Array("MIIT".utf8), Array("eyJ".utf8), [],
    // A receipt in DER: a sequence whose length has two bytes, then an object identifier.
    [0x30, 0x82, 0x01, 0x00, 0x06, 0x09, 0x2A, 0x86, 0x00],
    // A zip archive of exports.
    [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 0, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0]
      + Array("a.json".utf8),
  ])
  func leavesOtherSourcesAlone(head: [UInt8]) { #expect(ForeignForm(head) == nil) }

  // MARK: locations

  static let locations: [(location: String, name: String, words: [String])] = [
    (
      "mysql://app:pa%24s@word@db.example.com:3307/shop?table=v1_notifications", "mysql://db.example.com/shop",
      [
        "mysql --host=db.example.com --port=3307 --user=app --password --default-character-set=utf8mb4 --quick --batch shop "
          + "-e 'SELECT * FROM v1_notifications' > rows.tsv", "--tsv copy --body /COLUMN",
      ]
    ),
    ("mariadb://localhost", "mariadb://localhost/", ["--host=localhost --user=USER", "--batch DATABASE"]),
    (
      "mongodb+srv://app:word@cluster.example.net/shop?collection=v1", "mongodb+srv://cluster.example.net/shop",
      ["mongoexport --uri='mongodb+srv://app@cluster.example.net/shop' --collection=v1 --out=rows.ndjson"]
    ),
    (
      "s3://my-bucket/exports/2021-03.ndjson.gz", "s3://my-bucket/exports/2021-03.ndjson.gz",
      ["aws s3 cp s3://my-bucket/exports/2021-03.ndjson.gz 2021-03.ndjson.gz, then read 2021-03.ndjson.gz"]
    ),
    (
      "s3://my-bucket/exports/", "s3://my-bucket/exports/",
      ["mkdir -p exports && aws s3 cp --recursive s3://my-bucket/exports/ exports, then read the folder exports"]
    ),
    ("s3://b/a b", "s3://b/", ["aws s3 cp s3://b/KEY KEY"]),
    ("gs://b/x.csv", "gs://b/x.csv", ["gcloud storage cp gs://b/x.csv x.csv"]),
    (
      "https://example.com/x.ndjson?token=word", "https://example.com/x.ndjson",
      ["curl --fail --location --output x.ndjson 'https://example.com/x.ndjson'"]
    ),
    ("mysql://h$(id)/x;id", "mysql://…/", ["--host=HOST", "DATABASE"]),
  ]

  @Test(arguments: locations)
  func aLocationIsNamedWithItsCommandAndWithoutItsPassword(
    _ location: String, _ name: String, _ words: [String]
  ) throws {
    let error = try #require(throws: FileError.self) { try ForeignLocation.check(location) }
    #expect(error.path == name)
    for word in words { #expect(error.reason.contains(word), "\(error.reason)") }
    for secret in ["pa%24s", "word@", "token", "$(", ";id"] { #expect(!error.description.contains(secret)) }
  }

  @Test(arguments: ["archive.ndjson", "a/b.csv", "-", "ftp://x/y", "://", "sqlite:x"])
  func anyOtherNameIsAFile(_ name: String) throws { try ForeignLocation.check(name) }
}
