import Foundation
import SlipcastTestSupport
import Testing

@testable import SlipcastCommand

/// Marked secrets inside records, whole and broken in every way: nothing that a command writes or says holds one.
@Suite struct SecretRecordTests {
  static let secret = "SECRET-SLIPCAST-0123456789abcdef"
  /// Devices are personal data: they appear in records and reports, and never in error messages.
  static let device = "DEVICE-SLIPCAST-0123456789abcdef"

  /// Members that hold the secret, as archives spell them.
  static let members: [String] = {
    let keys = [
      "password", "Password", "PASSWORD", "passWord", "p\\u0061ssword", "p\\u0041SSWORD", "shared_secret",
      "sharedSecret",
      "SHARED_SECRET", "app_shared_secret", "s\\u0065cret", "old.password",
    ]
    let long = String(repeating: secret, count: 40)
    let odd = [
      "\"password\":\"\(secret)\",\"password\":\"\(secret)\"", "\"password\":[\"\(secret)\",[\"\(secret)\"]]",
      "\"password\":{\"a\":\"\(secret)\",\"b\":{\"c\":\"\(secret)\"}}", "\"password\" \t:\r\t\"\(secret)\"",
      "\"nested\":{\"deeper\":[{\"password\":\"\(secret)\"},{\"sharedSecret\":\"\(secret)\"}]}",
      "\"password\":\"\(long)\"", "\"text\":\"{\\\"password\\\":\\\"\(secret)\\\"}\"",
      "\"text\":\"{\\u0022sharedSecret\\u0022:\\u0022\(secret)\\u0022}\"", "\"form\":\"a=1&password=\(secret)&b=2\"",
    ]
    return keys.map { "\"\($0)\":\"\(secret)\"" } + odd
  }()

  /// Records with those members: good ones, and ones that cannot be read for every reason there is.
  private static func records(_ good: String) -> [String] {
    let body = good.replacing("\"password\":\"[^\"]*\",?", with: "").dropFirst()
    var records: [String] = []
    for (number, member) in members.enumerated() {
      let marked = "{\(member),\"unique_identifier\":\"\(device)\",\(body)"
      records.append(marked)
      records.append(String(marked.dropLast()) + ",}")
      records.append(marked + "}")
      records.append("{\(member),\"unique_identifier\":\"\(device)\",\"notification_type\":\"NO_SUCH_TYPE\"}")
      records.append("{\"notificationType\":1,\(member),\"data\":\"\(device)\"}")
      records.append("{\"row\":\(number),\"body\":\(quoted(marked)),}")
      records.append("[\(marked)")
    }
    let first = "{\(members[0]),\"unique_identifier\":\"\(device)\",\(body)"
    let bytes = Array(first.utf8)
    for end in stride(from: 1, to: bytes.count, by: max(1, bytes.count / 40)) {
      records.append(String(decoding: bytes[..<end], as: UTF8.self))
    }
    return records
  }

  /// A record that is too long to be held.
  private static let oversized =
    "{\"password\":\"\(secret)\",\"padding\":\"\(String(repeating: "x", count: 1_100_000))\",\"sharedSecret\":\"\(secret)\"}"

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// Command lines over `in/bad.ndjson` that write to every kind of output.
  static let lines: [String: [String]] = [
    "convert": [
      "convert in/bad.ndjson in/long.ndjson --max-record 1 --to o.ndjson --rejects r.ndjson --provenance p.ndjson --summary s.html",
      "convert in/bad.ndjson --to s.sqlite --execute",
      "convert in/bad.ndjson --to z.ndjson --checkpoint c.json --dedupe",
      "convert in/rows.ndjson --body /body --to b.ndjson --rejects b.rejects",
      "convert in/rows.ndjson --id /password/0 --rejects -",
      "convert in/bad.ndjson --group --rejects g.ndjson", "convert in/bad.ndjson --verify --rejects -",
      "convert in/bad.ndjson --sign in/id --rejects -", "convert o.ndjson --rejects -",
      "convert in/id/leaf.key in/id/chain.pem",
    ],
    "timeline": ["timeline in/bad.ndjson --rejects t.ndjson", "timeline --format text in/bad.ndjson"],
    "diff": ["text", "json", "markdown", "junit", "html"].map { "diff --verbose --format \($0) in/one.json in/v2.json" }
      + ["diff in/bad.ndjson in/v2.json", "diff in/v1.json in/bad.ndjson", "diff in/v2.json in/one.json"],
    "inspect": [
      "inspect in/bad.ndjson", "inspect --format json in/bad.ndjson", "inspect in/id",
      "inspect --root in/id/leaf.key x",
    ],
    "verify": [
      "verify in/bad.ndjson", "verify --format text in/bad.ndjson", "verify in/id/leaf.key",
      "verify --root in/id/leaf.key in/v2.json",
    ],
    "sign": ["sign in/id in/bad.ndjson --rejects i.ndjson", "sign in/broken in/v2.ndjson"],
    "serve": [
      "serve --listen 192.0.2.1:1 --journal in/id",
      "serve --listen 192.0.2.1:1 --journal w --shared-secret in/bad.ndjson",
      "serve --listen 192.0.2.1:1 --journal w --tls-cert in/bad.ndjson --tls-key in/id/leaf.key",
    ],
    "verify-receipt": [
      "verify-receipt --v2 in/bad.ndjson in/bad.ndjson --provenance y.ndjson",
      "verify-receipt --v2 in/v2.ndjson --shared-secret in/bad.ndjson in/rows.ndjson",
      "verify-receipt --fetch --key in/broken/leaf.key --key-id A --issuer B in/one.json",
    ],
    "ui": [
      "convert in/rows.ndjson --body /body --to s.sqlite --keep-bodies --execute", "ui s.sqlite --export pages --id 1",
      "ui in/bad.ndjson --listen 192.0.2.1:1", "ui s.sqlite --listen 192.0.2.1:1 --token in/id/leaf.key",
    ],
    "replay": [
      "replay in/bad.ndjson --to http://127.0.0.1:9/ --sign in/id --missing m.ndjson",
      "replay in/bad.ndjson --to http://127.0.0.1:9/ --raw --execute --retry-seconds 0 --missing n.ndjson --summary n.html",
    ],
    "detect": [
      "detect in/bad.ndjson in/rows.ndjson in/long.ndjson --to d.json",
      "detect --format json in/bad.ndjson in/rows.ndjson",
    ],
    "identity": ["identity in/id"], "explain": ["explain password", "explain --mappings in/rules password"],
    "mappings check": ["mappings check in/rules"], "help": ["help in/bad.ndjson"], "completions": ["completions in/id"],
    "manual": ["manual --format man"], "schema": ["schema reject"],
    "parity": [
      "parity --legacy in/bad.ndjson --server in/v2.ndjson --rejects q.ndjson --report q.html --report q.json "
        + "--report q.md --report q.xml --report q.txt --verbose --access q.csv",
      "parity --legacy in/v1.ndjson --server in/bad.ndjson --format json",
    ],
    "fetch history": [
      "fetch history in/bad.ndjson --bundle-id a --rejects r.ndjson", "fetch history --ids in/bad.ndjson --bundle-id a",
      "fetch history in/one.json --execute --key in/broken/leaf.key --key-id A --issuer B --server http://127.0.0.1:9",
      "fetch history in/one.json --execute --key in/id/leaf.key --key-id A --issuer B --server http://127.0.0.1:9",
    ],
    "fetch statuses": ["fetch statuses in/rows.ndjson --body /body --bundle-id a --rejects r.ndjson"],
    "fetch refunds": ["fetch refunds in/long.ndjson --max-record 1 --bundle-id a --rejects r.ndjson"],
    "fetch notifications": [
      "fetch notifications in/bad.ndjson --bundle-id a --rejects r.ndjson --execute --key in/id/chain.pem --key-id A --issuer B"
    ],
    "fetch orders": [
      "fetch orders --bundle-id a --ids in/bad.ndjson",
      "fetch orders --bundle-id a --ids in/id/leaf.key --missing m.ndjson --execute --key in/id/leaf.key --key-id A --issuer B "
        + "--server http://127.0.0.1:9",
    ],
    "export": [
      "export --for adapty in/bad.ndjson --to o.csv --missing m.ndjson --rejects r.ndjson",
      "export --for revenuecat in/rows.ndjson --body /body --to o.ndjson --missing m.ndjson",
      "export --for adapty in/v2.ndjson --users in/bad.ndjson --to o.csv",
      "export --for adapty in/v2.ndjson --users in/id/leaf.key --to o.csv",
    ],
    "baseline record": [
      "baseline record --reason x --baseline k.json --legacy in/bad.ndjson --server in/v2.ndjson",
      "baseline record --reason x --baseline k.json --legacy in/v1.ndjson --server in/v2.ndjson",
    ],
    "baseline check": [
      "baseline check --baseline k.json --legacy in/bad.ndjson --server in/v2.ndjson",
      "baseline check --baseline in/bad.ndjson --legacy in/v1.ndjson --server in/v2.ndjson",
    ],
    "baseline approve": [
      "baseline approve --reason x --path '**' --baseline k.json --legacy in/bad.ndjson --server in/v2.ndjson"
    ],
  ]

  private func prepare(_ place: Workplace) throws {
    try CommandSweep.prepare(place)
    let good = Fixture.named("notifications/did-renew")
    let record = try good.text("v1.json").split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }.joined()
    let bad = Self.records(record)
    try place.write("in/bad.ndjson", bad.joined(separator: "\n"))
    try place.write("in/long.ndjson", Self.oversized)
    try place.write("in/one.json", try #require(bad.first))
    let rows = Self.members.map { "{\($0),\"body\":\(Self.quoted(record.dropLast() + ",,}"))}" }
    try place.write("in/rows.ndjson", rows.joined(separator: "\n"))
    _ = try place.shell(
      """
      mkdir in/rules in/broken; cp in/bad.ndjson in/rules/bad.json; cp in/id/chain.pem in/broken
      tr A-M N-Z < in/id/leaf.key > in/broken/leaf.key
      """)
  }

  @Test func everyCommandIsTried() {
    #expect(Set(Self.lines.keys) == Set(Slipcast.commands.map { $0.description.name }))
  }

  @Test func nothingThatIsWrittenOrSaidHoldsASecret() throws {
    try Workplace.with { place in
      try prepare(place)
      let keys = try ["in/id", "in/broken"].map { folder in
        try String(contentsOf: place.url.appendingPathComponent(folder + "/leaf.key"), encoding: .utf8)
      }
      let marks =
        ["SECRET-SL"] + keys.flatMap { $0.split(separator: "\n").filter { !$0.hasPrefix("--") }.map(String.init) }
      #expect(marks.count > 4)
      for line in Slipcast.commands.flatMap({ Self.lines[$0.description.name] ?? [] }) {
        let run = try place.shell("slipcast \(line)")
        for mark in marks {
          #expect(!run.errors.contains(mark) && !run.output.contains(mark), "\(line)")
        }
        #expect(!run.errors.contains("DEVICE-SL"), "\(line): \(run.errors.prefix(2000))")
      }
      // Text that is kept is JSON, in which the secret could only stand as it is.
      for file in try place.contents() {
        for mark in marks { #expect(file.bytes.firstRange(of: Data(mark.utf8)) == nil, "\(file.name)") }
      }
      let names = Set(try place.contents().map(\.name))
      #expect(names.isSuperset(of: ["o.ndjson", "r.ndjson", "p.ndjson", "s.sqlite", "q.html", "k.json", "i.ndjson"]))
    }
  }
}
