import SlipcastBulk
import SlipcastTestSupport
import Testing

@testable import SlipcastCommand

/// The file of `--sources`: each source with its own options, and what is wrong with a file.
@Suite struct SourcesFileTests {
  private func run(_ file: String, _ words: String = "convert --quiet", _ more: String = "") throws -> Program {
    try TemporaryFolder.with { folder in
      try Self.prepare(folder)
      try folder.write("in/sources.json", file)
      return try Program.shell("cd '\(folder.path())'; slipcast \(words) --sources in/sources.json \(more)")
    }
  }

  private static func prepare(_ folder: TemporaryFolder) throws {
    let text = try Fixture.named("notifications/did-renew").text("v1.json")
    let record = text.split(separator: "\n").joined()
    try folder.write("in/a.ndjson", "{\"body\":\(record),\"at\":1679333403000}\n")
    try folder.write("in/b.csv", "payload,at\n\"\(record.replacing("\"", with: "\"\""))\",1679333404000\n")
    try folder.write("in/c.log", "got \(record)\n")
  }

  private static func file(_ sources: String...) -> String {
    "{\"schema\": 1, \"sources\": [\(sources.joined(separator: ", "))]}"
  }

  private static let three = file(
    #"{"input": "a.ndjson", "options": {"body": "body", "received-at": "at"}}"#,
    #"{"input": "b.csv", "options": {"body": "/payload", "received-at": "at"}}"#,
    #"{"input": "c.log", "options": {"from-logs": true}}"#)

  @Test func eachSourceIsReadWithItsOwnOptions() throws {
    let run = try run(Self.three)
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3)
    for (line, time) in zip(lines, ["1679333403000", "1679333404000"]) {
      #expect(line.contains("\"signedDate\":\(time)"))
    }
  }

  @Test(arguments: ["timeline --quiet", "inspect --format json", "verify --format json --quiet --exit-zero"])
  func everyCommandTakesThem(_ words: String) throws {
    let run = try run(Self.three, words)
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.output.isEmpty)
  }

  @Test func rejectsKeepWhatTheOptionsOfTheirSourceRead() throws {
    let run = try TemporaryFolder.with { folder in
      try Self.prepare(folder)
      try folder.write("in/a.ndjson", #"{"body":{"notification_type":5},"at":1,"k":7}"# + "\n")
      try folder.write("in/b.ndjson", #"{"raw":{"notification_type":6},"at":2,"k":8}"# + "\n")
      try folder.write(
        "s.json",
        Self.file(
          #"{"input": "in/a.ndjson", "options": {"body": "body", "id": "k"}}"#,
          #"{"input": "in/b.ndjson", "options": {"body": "raw", "received-at": "at"}}"#))
      return try Program.shell("cd '\(folder.path())'; slipcast convert --quiet --sources s.json --rejects -")
    }
    #expect(run.output.contains(#""id":"7""#) && !run.output.contains(#""id":"8""#))
    #expect(run.output.contains(#"\"body\":{\"notification_type\""#), "\(run.output)")
    #expect(run.output.contains(#"\"raw\":{\"notification_type\""#), "\(run.output)")
  }

  @Test func aRunResumesWhetherTheSourceIsNamedInAFileOrByItself() throws {
    let run = try TemporaryFolder.with { folder in
      try Self.prepare(folder)
      try folder.write(
        "in/s.json", Self.file(#"{"input": "a.ndjson", "options": {"body": "body", "received-at": "at"}}"#))
      return try Program.shell(
        """
        cd '\(folder.path())'; slipcast convert in/a.ndjson --body body --received-at at --to o.ndjson --checkpoint c.json
        slipcast convert --sources in/s.json --to o.ndjson --checkpoint c.json --resume
        """)
    }
    #expect(run.status == 0 && run.errors.contains("this run was finished before"), "\(run.errors)")
  }

  @Test func aRunWithOtherOptionsOfASourceDoesNotResume() throws {
    let run = try TemporaryFolder.with { folder in
      try Self.prepare(folder)
      for (name, option) in [("s", "\"received-at\": \"at\""), ("t", "\"id\": \"at\"")] {
        try folder.write(
          "in/\(name).json", Self.file("{\"input\": \"a.ndjson\", \"options\": {\"body\": \"body\", \(option)}}"))
      }
      return try Program.shell(
        """
        cd '\(folder.path())'; slipcast convert --quiet --sources in/s.json --to o.ndjson --checkpoint c.json
        slipcast convert --sources in/t.json --to o.ndjson --checkpoint c.json --resume
        """)
    }
    #expect(run.status == 2 && run.errors.contains("other options are given"), "\(run.errors)")
  }

  @Test func aFolderIsNoFileOfSources() throws {
    let run = try Program.shell("cd / && slipcast convert --sources /usr")
    #expect(run.status == 2 && run.errors.contains("slipcast detect /usr/* --to sources.json"), "\(run.errors)")
  }

  // MARK: wrong files

  static let wrong: [(file: String, says: String)] = [
    ("", "is not a file of sources, which slipcast detect --to writes (byte 0"),
    ("[]", "expected {\"schema\": 1, \"sources\":"),
    (#"{"schema": 2, "sources": []}"#, "expected {\"schema\": 1"),
    (file(), "in/sources.json: sources: expected at least one source"),
    (file("5"), "sources[0]: expected an object with \"input\", found number"),
    (file("{}"), "sources[0]: \"input\" is missing"),
    (file(#"{"input": 1}"#), "sources[0].input: expected the name of a file, folder or database, found number"),
    (
      file(#"{"input": "a.ndjson", "option": {}}"#),
      "sources[0].option: expected one of input, options, choose; did you mean options?"
    ),
    (file(#"{"input": "a.ndjson", "options": {"bdy": "x"}}"#), "sources[0].options.bdy: expected one of body"),
    (file(#"{"input": "a.ndjson", "options": {"jobs": "1"}}"#), "sources[0].options.jobs: expected one of"),
    (file(#"{"input": "a.ndjson", "options": {"body": 1}}"#), "sources[0].options.body: expected a text, found number"),
    (file(#"{"input": "a.ndjson", "options": {"body": "x", "body": "y"}}"#), "\"body\" is given twice"),
    (
      file(#"{"input": "a.ndjson", "options": {"from-logs": "yes"}}"#), "options.from-logs: expected true, found string"
    ),
    (file(#"{"input": "a.tsv", "options": {"tsv": "x"}}"#), "sources[0]: --tsv is one of plain, copy"),
    (file(#"{"input": "a.ndjson", "options": {"body": "$.x"}}"#), "sources[0]: --body is the name of a column"),
    (file(#"{"input": "a.ndjson", "options": {"body": "password"}}"#), "--body names the shared secret"),
    (file(#"{"input": "a.ndjson", "options": {"csv": true}}"#), "sources[0]: --csv has no effect on in/a.ndjson"),
    (
      file(#"{"input": "a.ndjson"}"#, #"{"input": "b.csv", "options": {"body": "payloud"}}"#),
      "sources[1]: --body /payloud: none of the first rows has it; they have payload, at"
    ),
    (file(#"{"input": "-"}"#, #"{"input": "-"}"#), "two sources are standard input"),
    (file(#"{"input": "a.ndjson", "choose": {"body": ["x", "y"]}}"#), "this source is undecided (body: x or y)"),
    (file(#"{"input": "missing.ndjson"}"#), "in/missing.ndjson"),
  ]

  @Test(arguments: wrong.indices)
  func aWrongFileIsRefusedWithItsPlace(_ place: Int) throws {
    let (file, says) = Self.wrong[place]
    let run = try run(file)
    #expect(run.status == 2 && run.output.isEmpty, "\(file)")
    #expect(run.errors.contains(says), "\(file): \(run.errors)")
  }

  @Test(arguments: [
    "--body x", "--received-at x", "--id x", "--csv", "--tsv copy", "--from-logs", "--include '*.x'", "in/a.ndjson",
  ])
  func whatWouldReadTheSourcesInAnotherWayIsRefused(_ word: String) throws {
    let run = try run(Self.three, "convert", word)
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.contains("--sources") && run.errors.contains("in/sources.json"), "\(run.errors)")
  }

  @Test func aFileOfSourcesThatIsMissingIsRefused() throws {
    let run = try Program.shell("slipcast convert --sources /nonexistent/sources.json")
    #expect(run.status == 2 && run.errors.contains("/nonexistent/sources.json"))
  }

  @Test(arguments: [
    ("a.ndjson", "in/", "in/a.ndjson"), ("/x/a", "in/", "/x/a"), ("-", "in/", "-"), ("a", "", "a"),
    ("sqlite:a.db?table=t", "in/", "sqlite:in/a.db?table=t"), ("sqlite:/a.db?table=t", "in/", "sqlite:/a.db?table=t"),
    ("sqlite:a.db", "a?b%/", "sqlite:a%3Fb%25/a.db"), ("postgres://h/d?table=t", "in/", "postgres://h/d?table=t"),
  ])
  func namesAreRelativeToTheFile(_ input: String, _ folder: String, _ expected: String) throws {
    #expect(SourcePath.resolved(input, in: folder) == expected)
    #expect(try SourcePath.relative(expected, to: folder) == input)
  }
}
