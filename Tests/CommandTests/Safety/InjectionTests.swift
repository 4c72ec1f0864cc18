import Foundation
import SlipcastTestSupport
import Testing

/// Values and names that mean something to whatever shows them: a browser, a spreadsheet, a wiki, a database, a terminal.
@Suite struct InjectionTests {
  static let evil =
    "=cmd|' /C calc'!A0\"'><script>pwned()</script></title></style><!--]]>`|[x](javascript:pwned())@all #1"
    + "'; DROP TABLE notifications; --\\" + Tricks.text

  /// The example with the evil text as every value that is free text, and as its file's name.
  private func prepare(_ place: Workplace) throws {
    try place.copyExample()
    let quoted = String(decoding: try JSONSerialization.data(withJSONObject: [Self.evil]), as: UTF8.self).dropFirst()
      .dropLast()
    for name in ["v1.json", "v2.json"] {
      let fixture = try Fixture.named("pairs/price-consent-1-v2-1").text(name)
      let text = fixture.replacing(
        #/("(?:product_id|productId|auto_renew_product_id|bundle_id|bundleId|bid|bvrs|subscriptionGroupIdentifier|subscription_group_identifier)"\s*:\s*)"[^"]*"/#
      ) {
        "\($0.output.1)\(quoted)"
      }
      try place.write("in/\(name)", text)
      let evilName = "in/" + Self.evil.replacing("/", with: "\u{2215}").prefix(80) + name
      try place.write(evilName, text.split(separator: "\n").joined())
    }
  }

  private func files(_ place: Workplace) throws -> (v1: String, v2: String) {
    let names = try FileManager.default.contentsOfDirectory(atPath: place.url.path + "/in").filter {
      $0.hasPrefix("=cmd")
    }
    return (
      "in/" + (try #require(names.first { $0.hasSuffix("v1.json") })),
      "in/" + (try #require(names.first { $0.hasSuffix("v2.json") }))
    )
  }

  private static let reports = ["r.html", "r.md", "r.xml", "r.txt", "r.json"]

  private func check(_ place: Workplace, _ names: [String]) throws {
    for name in names {
      let text = try String(contentsOf: place.url.appendingPathComponent(name), encoding: .utf8)
      // Markdown itself needs the word joiner.
      let shown = name.hasSuffix(".md") ? text.replacing("\u{2060}", with: "") : text.replacing("\r\n", with: "\n")
      if !name.hasSuffix(".json") { #expect(Tricks.first(in: shown) == nil, "\(name)") }
      if name.hasSuffix(".html") {
        #expect(!text.contains("<script>pwned"), "\(name)")
        #expect(text.prefix { $0 != "{" }.ranges(of: "</title>").count == 1, "\(name)")
        #expect(text.ranges(of: "<script").count <= 1 && text.ranges(of: "</style>").count == 1)
        #expect(!text.contains("]]>") && !text.contains("<!--") && !text.contains("href=\"javascript"), "\(name)")
      }
      if name.hasSuffix(".md") {
        // Nothing in code does anything.
        let prose = text.replacing(#/(`+).*?\1/#, with: "code")
        #expect(prose.contains("code") && !prose.contains("<script") && !prose.contains("[x]("), "\(name)")
        #expect(!prose.contains("@all") && !prose.contains("<!--"), "\(name)")
      }
      if name.hasSuffix(".xml") {
        #expect(!text.contains("<script") && !text.contains("]]>") && !text.contains("<!--"))
      }
      if name.hasSuffix(".csv") {
        let rows = text.split(separator: "\r\n")
        let row = #/[A-Za-z][A-Za-z.\/]*,([a-z0-9.]+|[0-9T:-]+Z)/#
        #expect(rows.allSatisfy { $0.wholeMatch(of: row) != nil }, "\(text)")
      }
    }
  }

  @Test func reportsOfAPairHoldDataAndNothingElse() throws {
    try Workplace.with { place in
      try prepare(place)
      let (v1, v2) = try files(place)
      let run = try place.run(["diff", "--verbose", v1, v2] + Self.reports.flatMap { ["--report", $0] })
      #expect(run.status < 2 && Tricks.first(in: run.output + run.errors) == nil, "\(run.errors)")
      #expect(run.output.contains("=cmd|"))
      try check(place, Self.reports)
      let json = try place.shell(
        "python3 -c 'import json; print(json.load(open(\"r.json\"))[\"legacy\"][\"name\"])' | head -c 9")
      #expect(json.output == "in/=cmd|'")
    }
  }

  @Test func reportsOfArchivesHoldDataAndNothingElse() throws {
    try Workplace.with { place in
      try prepare(place)
      let (v1, v2) = try files(place)
      let words = ["parity", "--verbose", "--legacy", v1, "--server", v2] + Self.reports.flatMap { ["--report", $0] }
      let run = try place.run(words)
      #expect(run.status < 2 && Tricks.first(in: run.output + run.errors) == nil, "\(run.errors)")
      try check(place, Self.reports)
    }
  }

  @Test func summariesHoldNamesAndNumbers() throws {
    try Workplace.with { place in
      try prepare(place)
      let names = ["s.csv", "s.html", "s.md", "s.xml", "s.json"]
      let run = try place.run(
        ["convert", try files(place).v1, "--to", "o.ndjson"] + names.flatMap { ["--summary", $0] })
      #expect(run.status == 0 && Tricks.first(in: run.errors) == nil, "\(run.errors)")
      try check(place, names)
    }
  }

  /// Values are bound, never spelled into statements, and names of tables are quoted.
  @Test func aDatabaseHoldsTheTextAsItCame() throws {
    try Workplace.with { place in
      try prepare(place)
      let run = try place.shell(
        """
        slipcast convert --quiet in/v1.json --to a.sqlite --execute; echo $?
        slipcast convert --quiet in/v1.json > direct; slipcast convert --quiet a.sqlite | cmp - direct && echo same
        python3 - <<'END'
        import json, sqlite3, urllib.parse, subprocess
        db = sqlite3.connect("a.sqlite")
        print(db.execute("SELECT count(*) FROM notifications").fetchone()[0])
        name = 'v"1; DROP TABLE x; --'
        other = sqlite3.connect("b.sqlite")
        other.execute("CREATE TABLE x (y)")
        other.execute('CREATE TABLE "%s" ("b""; DROP TABLE x" TEXT)' % name.replace('"', '""'))
        other.execute('INSERT INTO "%s" VALUES (?)' % name.replace('"', '""'), [open("in/v1.json").read()])
        other.commit()
        print("sqlite:b.sqlite?table=" + urllib.parse.quote(name) + "&body=" + urllib.parse.quote('b"; DROP TABLE x'), file=open("in/place", "w"), end="")
        END
        slipcast convert --quiet "$(cat in/place)" | cmp - direct && echo same
        python3 -c 'import sqlite3; print(sqlite3.connect("b.sqlite").execute("SELECT count(*) FROM x").fetchone()[0])'
        """)
      #expect(run.output == "0\nsame\n1\nsame\n0\n", "\(run.output) \(run.errors)")
    }
  }

  /// Parts of a divided output are named by records; a name never leaves its folder, and two are never one.
  @Test func namesOfPartsStayInTheirFolder() throws {
    try Workplace.with { place in
      try place.copyExample()
      let record = try Fixture.named("notifications/did-renew").text("v1.json").split(separator: "\n").joined()
      let long = String(repeating: "ä", count: 300)
      let names = [
        "../../x", "/etc/x", "..", ".", "", "a\\u0000b", "CON", "a\\nb", "\\u001b[31m", "-rf", long + "1", long + "2",
        "a/b", "a%2Fb", "x.ndjson", "\\u202e",
      ]
      let lines = names.map { name in record.replacing("com.example.slipcast", with: name) }
      try place.write("in/names.ndjson", lines.joined(separator: "\n"))
      let run = try place.run(["convert", "in/names.ndjson", "--to", "parts", "--split", "bundle"])
      let found = try place.listing()
      #expect(run.status == 0 && found.count == names.count + 1, "\(run.errors) \(found)")
      #expect(
        found.dropFirst().allSatisfy {
          $0.wholeMatch(of: #/600 parts\/[A-Za-z0-9_%\-][A-Za-z0-9_%.\-]{0,206}\.ndjson/#) != nil
        }, "\(found)")
    }
  }
}
