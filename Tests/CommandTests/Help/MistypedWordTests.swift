import Foundation
import SlipcastTestSupport
import Testing

/// Mistyped names, endings and addresses: exit status 2, and the words to type instead.
@Suite struct MistypedWordTests {
  /// A row of JSON, a table, and a store with one message.
  private static func prepare(_ folder: String) throws {
    let body = try String(
      contentsOfFile: "\(Folder.package("Fixtures"))/notifications/did-renew/v1.json", encoding: .utf8)
    let line = body.replacing("\n", with: " ")
    try "{\"received_at\":\"2022-01-01T00:00:00Z\",\"body\":\(line)}\n".write(
      toFile: "\(folder)/rows.ndjson", atomically: true, encoding: .utf8)
    try "id,payload,at\n1,x,2020-01-01T00:00:00Z\n".write(toFile: "\(folder)/t.csv", atomically: true, encoding: .utf8)
    let made = try Program.run(
      ["convert", "--quiet", "rows.ndjson", "--body", "body", "--to", "store.sqlite", "--execute"], in: folder)
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test(arguments: [
    ("convert rows.ndjson --body bdy", "they have received_at, body; did you mean body?"),
    ("convert rows.ndjson --body body --received-at recieved_at", "did you mean received_at?"),
    ("convert rows.ndjson --body body --id /idd", "they have received_at, body"),
    ("convert t.csv --body paylod", "they have id, payload, at; did you mean payload?"),
    ("parity --legacy rows.ndjson --body bdy --server rows.ndjson", "--body /bdy: none of the first rows has it"),
    ("parity --legacy rows.ndjson --body body --server rows.ndjson --server-body bdy", "--server-body /bdy: none"),
    ("convert sqlite:store.sqlite?table=notificatons&body=body", "no such table: notificatons; its tables are"),
    ("convert sqlite:store.sqlite?table=notifications&body=boddy", "no such column: rows.boddy; its columns are"),
    ("convert sqlite:store.sqlite?tabel=x", "unknown parameter tabel; did you mean table?"),
    ("convert rows.ndjson --to x.sqlit", ".sqlit is not written; write .ndjson"),
    ("convert rows.ndjson --to x.ndjsn", "did you mean .ndjson?"),
    ("timeline store.sqlite --to x.cvs", "did you mean .csv?"),
    ("export --for adapty rows.ndjson --to x.cvs", ".cvs is not written; write .csv"),
    ("export --for revenuecat rows.ndjson --to x.csv", ".csv is not written; write .ndjson"),
    ("fetch history rows.ndjson --to x.jsn", "did you mean .json?"),
    ("fetch history rows.ndjson --to x.csv", ".csv is not written; write .ndjson, .jsonl, .json"),
    ("serve --listen 8080", "did you mean --listen 127.0.0.1:8080?"),
    ("serve --listen :8080", "did you mean --listen 127.0.0.1:8080?"),
    ("serve --listen localhost", "did you mean --listen localhost:8080?"),
    ("serve --listen 127.0.0.1:80800", "such as 127.0.0.1:8080 or [::1]:8080"),
    ("timeline store.sqlite 730001200667000", "to show one subscription: --original-transaction-id 730001200667000"),
    ("parity --ignore", "--baseline FILE accepts known differences"),
    ("diff --baseline x a b", "--ignore FILE accepts known differences"),
  ])
  func aMistypedWordEndsWithTwoAndTheNamesThatExist(_ line: String, _ words: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try Self.prepare(folder.path)
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let run = try Program.run(line.split(separator: " ").map(String.init), in: folder.path)
    #expect(run.status == 2)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.output.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
  }
}
