import Testing

@testable import SlipcastCommand

/// Whatever a command creates is its owner's alone, though nothing is masked; what is not in these tables is an error.
@Suite struct FileModeTests {
  /// A command line, the options it shows, and all that it leaves behind.
  struct Row: Sendable, CustomTestStringConvertible {
    var options: [String]
    var lines: String
    var left: [String]
    var testDescription: String { lines }
  }

  private static let compare = "--legacy in/v1.ndjson --server in/v2.ndjson"

  static let rows = [
    Row(
      options: ["convert --to", "convert --provenance", "convert --rejects", "convert --summary"],
      lines: "slipcast convert in/v1.ndjson --to o.ndjson --provenance p.ndjson --rejects r.ndjson.gz"
        + " --summary s.json --summary s.csv --summary s.md --summary s.html --summary s.xml",
      left: ["o.ndjson", "p.ndjson", "r.ndjson.gz", "s.csv", "s.html", "s.json", "s.md", "s.xml"]),
    Row(
      options: ["convert --checkpoint"],
      lines: "slipcast convert in/v1.ndjson --to o.ndjson.zst --checkpoint c.json --dedupe",
      left: ["c.json", "c.json.ids", "o.ndjson.zst"]),
    Row(
      options: ["convert --to"], lines: "slipcast convert in/v1.json --to parts/ --split bundle --compress gz",
      left: ["parts", "parts/com.example.slipcast.ndjson.gz"]),
    Row(options: ["convert --to"], lines: "slipcast convert in/v1.ndjson --to s.sqlite --execute", left: ["s.sqlite"]),
    Row(
      options: ["convert --to"], lines: "touch s.sqlite; slipcast convert in/v1.ndjson --to s.sqlite --execute",
      left: ["s.sqlite"]),
    Row(
      options: ["convert --to"], lines: "slipcast convert in/v1.ndjson --to o.ndjson --on-error stop",
      left: ["o.ndjson.part"]),
    Row(
      options: ["convert --to", "convert --rejects", "convert --rejects-raw"],
      lines: "touch o.ndjson o.ndjson.part r.ndjson raw.ndjson; chmod 644 raw.ndjson; "
        + "slipcast convert in/v1.ndjson --to o.ndjson --rejects r.ndjson --rejects-raw raw.ndjson",
      left: ["o.ndjson", "r.ndjson", "raw.ndjson"]),
    Row(
      options: ["timeline --rejects", "timeline --rejects-raw", "timeline --to"],
      lines: "slipcast timeline in/v1.ndjson --rejects r.ndjson --rejects-raw raw.ndjson --to t.csv.gz",
      left: ["r.ndjson", "raw.ndjson", "t.csv.gz"]),
    Row(options: ["detect --to"], lines: "slipcast detect in/v1.ndjson --to d.json", left: ["d.json"]),
    Row(
      options: ["timeline --states"], lines: "slipcast timeline in/v1.json --states s.csv --to t.csv",
      left: ["s.csv", "t.csv"]),
    Row(
      options: ["ui --export"],
      lines:
        "slipcast convert --quiet in/v1.ndjson --to a.sqlite --execute; slipcast ui a.sqlite --export e "
        + "--id none; rm a.sqlite; rmdir e", left: []),
    Row(options: ["timeline --report"], lines: "slipcast timeline in/v1.json --report l.html", left: ["l.html"]),
    Row(
      options: ["diff --report"],
      lines: "touch r.json; slipcast diff in/v1.json in/v2.json --report r.txt --report r.json --report r.md"
        + " --report r.xml --report r.html", left: ["r.html", "r.json", "r.md", "r.txt", "r.xml"]),
    Row(
      options: ["parity --report", "parity --rejects", "parity --rejects-raw", "parity --access"],
      lines: "slipcast parity \(compare) --report r.txt --report r.json --report r.md --report r.xml --report r.html"
        + " --rejects j.ndjson --rejects-raw raw --access a.csv",
      left: ["a.csv", "j.ndjson", "r.html", "r.json", "r.md", "r.txt", "r.xml", "raw"]),
    Row(
      options: ["baseline record --baseline", "baseline record --rejects", "baseline record --rejects-raw"],
      lines: "slipcast baseline record --reason x --baseline b.json \(compare) --rejects r.ndjson --rejects-raw raw",
      left: ["b.json", "r.ndjson", "raw"]),
    Row(
      options: [
        "baseline check --rejects", "baseline check --rejects-raw", "baseline approve --baseline",
        "baseline approve --rejects", "baseline approve --rejects-raw",
      ],
      lines: "echo '{\"schema\":1,\"differences\":[]}' > b.json; "
        + "slipcast baseline check --baseline b.json \(compare) --rejects c.ndjson --rejects-raw raw.c; "
        + "slipcast baseline approve --reason x --path '**' --baseline b.json \(compare) --rejects r.ndjson --rejects-raw raw "
        + "--strict serverOnly",
      left: ["b.json", "c.ndjson", "r.ndjson", "raw", "raw.c"]),
    Row(
      options: ["verify --ocsp-cache"], lines: "slipcast verify in/v1.ndjson --online-checks --ocsp-cache k.ndjson",
      left: ["k.ndjson"]),
    Row(
      options: ["inspect --ocsp-cache"], lines: "slipcast inspect in/v1.ndjson --online-checks --ocsp-cache k.ndjson",
      left: ["k.ndjson"]),
    fetch("history"), fetch("statuses"), fetch("refunds"), fetch("notifications"),
    fetch("orders"),
    Row(
      options: ["export --to", "export --missing", "export --rejects"],
      lines: "slipcast export --for adapty in/v2.ndjson --to o.csv --missing m.ndjson --rejects r.ndjson",
      left: ["m.ndjson", "o.csv", "r.ndjson"]),
    Row(
      options: ["serve --journal", "serve --to", "serve --rejects", "serve --ocsp-cache"],
      // It receives a notification and something else, and has a service that does not answer.
      lines: #"program=$(declare -f slipcast | grep -o "'/[^']*/slipcast'" | tr -d "'"); "$program" serve "#
        + "--journal parts --listen 127.0.0.1:0 --to o.ndjson --rejects r.ndjson --online-checks --ocsp-cache k.ndjson "
        + "--settle --forward v2=http://127.0.0.1:9/ "
        + "2> in/log & server=$!; echo '{}' > in/other; "
        + "for wait in $(seq 600); do grep -q started in/log && break; sleep 0.1; done; "
        + "port=$(grep -o 'address=127.0.0.1:[0-9]*' in/log | cut -d: -f2); for body in in/v1.json in/other; do "
        + "text=$(cat $body); exec 3<>/dev/tcp/127.0.0.1/$port; printf 'POST / HTTP/1.1\\r\\nHost: x\\r\\n"
        + "Connection: close\\r\\nContent-Length: %d\\r\\n\\r\\n%s' $(printf %s \"$text\" | wc -c) \"$text\" >&3; "
        + "head -1 <&3; done; for wait in $(seq 100); do [ -s o.ndjson ] && break; sleep 0.1; done; sleep 0.5; "
        + "kill -TERM $server; wait $server; true",
      left: [
        "k.ndjson", "o.ndjson", "parts", "parts/0000000000000001.ndjson", "parts/history.sqlite", "parts/journal.json",
        "parts/target-….json", "parts/target-….json.log", "r.ndjson",
      ]),
    Row(
      options: ["verify-receipt --provenance"],
      lines: "slipcast verify-receipt in/v1.ndjson --v2 in/v2.ndjson --provenance p.ndjson", left: ["p.ndjson"]),
    Row(
      options: ["replay --missing", "replay --summary"],
      lines:
        "slipcast replay --raw in/v1.ndjson --to http://127.0.0.1:9/ --execute --retry-seconds 0 --missing m.ndjson"
        + " --summary s.json --summary s.html", left: ["m.ndjson", "s.html", "s.json"]),
    Row(
      options: ["sign --rejects", "sign --rejects-raw"],
      lines: "slipcast identity in/id; slipcast sign in/id in/v1.ndjson --rejects r.ndjson --rejects-raw raw; "
        + "stat -c %a in/id/leaf.key",
      left: ["r.ndjson", "raw"]),
  ]

  /// What is no id is not sent, so this needs no server.
  private static func fetch(_ endpoint: String) -> Row {
    let names = ["to", "missing", "rejects", "summary", "checkpoint", "ocsp-cache"]
    return Row(
      options: names.map { "fetch \(endpoint) --\($0)" },
      lines:
        "slipcast identity in/id; slipcast fetch \(endpoint) --ids in/v1.ndjson --bundle-id a --execute --key in/id/leaf.key"
        + " --key-id A --issuer B --to o.ndjson --missing m.ndjson --rejects r.ndjson --summary s.json"
        + " --checkpoint c.json --online-checks --ocsp-cache k.ndjson",
      left: ["c.json", "c.json.revisions", "k.ndjson", "m.ndjson", "o.ndjson", "r.ndjson", "s.json"])
  }

  @Test(arguments: rows)
  func whatACommandLeavesIsItsOwnersAlone(_ row: Row) throws {
    try Workplace.with { place in
      try place.copyExample()
      let run = try place.shell(row.lines)
      // The state of a target is named by its absolute path.
      let found = try place.listing().map { $0.replacing(/target-[0-9a-f]{16}(-[0-9a-f]{16})?/, with: "target-…") }
      #expect(found.sorted() == row.left.map { ($0 == "parts" ? "700 " : "600 ") + $0 }.sorted(), "\(run.errors)")
      #expect(!row.options.contains("sign --rejects") || run.output.hasSuffix("600\n"))
    }
  }

  @Test func everyOptionThatNamesAnOutputIsInTheTable() {
    #expect(Set(Self.rows.flatMap(\.options)) == FileOptions.all(.written))
  }

  @Test(arguments: Slipcast.commands.map { $0.description.name })
  func everyOptionThatNamesAFileSaysWhatBecomesOfIt(_ name: String) throws {
    let command = try #require(Slipcast.commands.map { $0.description }.first { $0.name == name })
    for option in command.options {
      #expect((option.file != nil) == FileOptions.values.contains(option.value ?? ""), "--\(option.name)")
    }
  }

  /// Certificates are public; the key is not, and the user's folder is like any other.
  @Test func ofAnIdentityOnlyTheKeyIsSecret() throws {
    try Workplace.with { place in
      _ = try place.shell("slipcast identity id")
      #expect(
        try place.listing() == ["755 id", "644 id/chain.pem", "600 id/leaf.key", "644 id/root.der", "644 id/root.pem"])
    }
  }
}
