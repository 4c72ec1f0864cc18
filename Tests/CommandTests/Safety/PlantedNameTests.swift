import Testing

/// Somebody else has put something under a name that is written to: it is not followed, not waited for and not written to.
@Suite struct PlantedNameTests {
  /// Commands, each with the name that it writes to first.
  static let writers: [(line: String, name: String)] = [
    ("convert in/v1.ndjson --to o.ndjson", "o.ndjson.part"),
    ("convert in/v1.ndjson --to o.ndjson.gz", "o.ndjson.gz.part"),
    ("convert in/v1.ndjson --to o.ndjson --rejects r.ndjson", "r.ndjson.part"),
    ("convert in/v1.ndjson --to o.ndjson --provenance p.ndjson", "p.ndjson.part"),
    ("convert in/v1.ndjson --to o.ndjson --summary s.html", "s.html.part"),
    ("convert in/v1.ndjson --to o.ndjson --checkpoint c.json", "c.json.new"),
    ("convert in/v1.ndjson --to o.ndjson --checkpoint c.json --dedupe", "c.json.ids.part"),
    ("convert in/v1.ndjson --to s.sqlite --execute", "s.sqlite"),
    ("timeline in/v1.ndjson --rejects r.ndjson", "r.ndjson.part"),
    ("diff in/v1.json in/v2.json --report r.html", "r.html.part"),
    ("parity --legacy in/v1.ndjson --server in/v2.ndjson --report r.json", "r.json.part"),
    ("parity --legacy in/v1.ndjson --server in/v2.ndjson --rejects r.ndjson", "r.ndjson.part"),
    ("baseline record --reason x --legacy in/v1.ndjson --server in/v2.ndjson --baseline b.json", "b.json.part"),
    ("sign in/id in/v2.ndjson --rejects r.ndjson", "r.ndjson.part"),
  ]

  private func plant(_ how: String, _ writer: (line: String, name: String)) throws -> Program {
    var run: Program?
    try Workplace.with { place in
      try place.copyExample()
      run = try place.shell(
        """
        echo kept > in/victim; \(writer.line.hasPrefix("sign") ? "slipcast identity --quiet in/id" : "")
        \(how.replacing("NAME", with: writer.name))
        slipcast \(writer.line) > /dev/null; echo "status $?"; cat in/victim
        """)
    }
    return try #require(run)
  }

  /// One writer for each way in which files come into being.
  static let ways = writers.filter { ["o.ndjson.part", "c.json.new", "s.sqlite", "r.html.part"].contains($0.name) }

  @Test(arguments: writers)
  func aLinkIsNotFollowed(_ writer: (line: String, name: String)) throws {
    let run = try plant("ln -s in/victim NAME", writer)
    #expect(run.output == "status 2\nkept\n")
    #expect(run.errors.contains("symbolic link") || run.errors.contains("is not a SQLite database"), "\(run.errors)")
  }

  @Test(arguments: ways)
  func aLinkThatLeadsNowhereMakesNoFileThere(_ writer: (line: String, name: String)) throws {
    let run = try plant("ln -s in/new NAME; trap 'ls in/new 2>/dev/null' EXIT", writer)
    #expect(run.output == "status 2\nkept\n" && run.errors.contains("it is a symbolic link"), "\(run.errors)")
  }

  @Test(arguments: ways)
  func aPipeIsNotWaitedFor(_ writer: (line: String, name: String)) throws {
    let run = try plant("mkfifo NAME", writer)
    #expect(run.output == "status 2\nkept\n", "\(run.errors)")
  }

  @Test(arguments: ways)
  func aFileWithASecondNameIsNotWrittenTo(_ writer: (line: String, name: String)) throws {
    let run = try plant("ln in/victim NAME", writer)
    #expect(run.output == "status 2\nkept\n", "\(run.errors)")
    #expect(run.errors.contains("is not a file of this user") || run.errors.contains("is not a SQLite database"))
  }

  /// The user's own name may be a link: the file takes its place, and what it led to stays as it was.
  @Test(arguments: [
    ("convert in/v1.json --to o.ndjson", "o.ndjson"), ("diff in/v1.json in/v2.json --report o.html", "o.html"),
    ("convert in/v1.ndjson --to - --rejects o.ndjson", "o.ndjson"),
  ])
  func aLinkUnderTheFinalNameIsReplaced(_ writer: (line: String, name: String)) throws {
    for target in ["in/victim", "in/new"] {
      let run = try plant("ln -s \(target) NAME; trap 'ls in/new 2>/dev/null; stat -c %F NAME' EXIT", writer)
      #expect(run.output.contains("kept\nregular file\n"), "\(run.output) \(run.errors)")
    }
  }

  /// Pipes, devices and open files are written to as they are.
  @Test func whatIsNoFileIsWrittenToAsItIs() throws {
    try Workplace.with { place in
      try place.copyExample()
      let run = try place.shell(
        """
        slipcast convert --quiet in/v1.json > plain
        slipcast convert --quiet in/v1.json --to /dev/stdout | cmp - plain && echo same
        slipcast convert --quiet in/v1.json --to /dev/null && echo nothing
        mkfifo p; cat p > got & slipcast convert --quiet in/v1.json --to p; wait; cmp got plain && echo piped; ls
        """)
      #expect(run.output == "same\nnothing\npiped\ngot\nin\np\nplain\n", "\(run.errors)")
    }
  }
}
