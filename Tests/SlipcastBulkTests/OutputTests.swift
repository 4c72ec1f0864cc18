import SlipcastSystem
import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// Written files are complete or marked as incomplete, and resume where they were final.
@Suite struct OutputTests {
  static let lines = (0..<3000).map { "{\"line\":\($0),\"text\":\"\(String(repeating: "x", count: $0 % 90))\"}\n" }

  private func write(_ lines: some Sequence<String>, to output: any LineOutput, part: OutputPart = .whole) throws {
    for line in lines {
      try output.write(Array(line.utf8).span, part: part)
    }
  }

  /// What a file holds, compression taken off.
  private func text(_ path: String) throws -> String {
    let members = try SourceMembers(InputFile(path: path), patterns: [])
    guard let member = try members.next() else { return "" }
    var bytes: [UInt8] = []
    while try bytes.append(1 << 20, from: member.bytes) > 0 {}
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: ["a.ndjson", "a.ndjson.gz", "a.ndjson.zst"])
  func aFileHasItsNameOnlyWhenItIsWhole(_ name: String) async throws {
    try TemporaryFolder.with { folder in
      let output = try FileOutput(folder.path(name))
      try write(Self.lines, to: output)
      _ = try output.commit()
      #expect(!folder.exists(name) && folder.exists(name + ".part"))
      try output.finish()
      #expect(folder.exists(name) && !folder.exists(name + ".part"))
      #expect(try text(folder.path(name)) == Self.lines.joined())
    }
  }

  @Test(arguments: ["a.ndjson", "a.ndjson.gz", "a.ndjson.zst"], [0, 1, 1500, 3000])
  func aFileGoesOnWhereItWasFinal(_ name: String, _ count: Int) async throws {
    try TemporaryFolder.with { folder in
      try folder.makeFolder("whole")
      let whole = try FileOutput(folder.path("whole/\(name)"), isResumable: true)
      try write(Self.lines.prefix(count), to: whole)
      _ = try whole.commit()
      try write(Self.lines.dropFirst(count), to: whole)
      try whole.finish()

      var first: FileOutput? = try FileOutput(folder.path(name), isResumable: true)
      try write(Self.lines.prefix(count), to: try #require(first))
      let states = try #require(try first?.commit())
      // More is written, and lost with the process.
      try write(Self.lines.dropFirst(count).prefix(700), to: try #require(first))
      first = nil
      let second = try FileOutput(folder.path(name), isResumable: true, resuming: states[0])
      try write(Self.lines.dropFirst(count), to: second)
      try second.finish()
      #expect(try folder.read(name) == folder.read("whole/\(name)"))
    }
  }

  @Test(arguments: ["/dev/null", "/dev/fd/1"])
  func whatIsOpenAlreadyIsWrittenAsItIs(_ path: String) throws {
    let output = try FileOutput(path)
    try write([""], to: output)
    try output.finish()
    #expect(Platform.kind(path + ".part") == .nothing)
  }

  @Test(arguments: [3, -1])
  func aFileThatIsNotWhatItWasIsRefused(_ change: Int) async throws {
    try TemporaryFolder.with { folder in
      let output = try FileOutput(folder.path("a.ndjson"), isResumable: true)
      try write(Self.lines, to: output)
      let state = try #require(try output.commit().first)
      var bytes = try folder.read("a.ndjson.part")
      if change < 0 { bytes.removeLast() } else { bytes[change] ^= 1 }
      try folder.write("a.ndjson.part", bytes: bytes)
      let error = #expect(throws: FileError.self) {
        try FileOutput(folder.path("a.ndjson"), isResumable: true, resuming: state)
      }
      #expect(error?.description.contains("a.ndjson.part: cannot resume: ") == true)
      #expect(try folder.read("a.ndjson.part") == bytes)
    }
  }

  @Test(arguments: Compression.allCases)
  func aFolderHasOneFileForEachPart(_ compression: Compression) async throws {
    try TemporaryFolder.with { folder in
      let output = try SplitOutput(folder.path("out"), compression: compression, isResumable: true)
      // More parts than files may be open at a time, and each comes again and again.
      for (place, line) in Self.lines.enumerated() {
        try write([line], to: output, part: OutputPart(name: "part-\(place % 150)"))
        if place % 400 == 0 { _ = try output.commit() }
      }
      try output.finish()
      for part in 0..<150 {
        let expected = stride(from: part, to: 3000, by: 150).map { Self.lines[$0] }.joined()
        #expect(try text(folder.path("out/part-\(part).ndjson\(compression.ending)")) == expected)
      }
      let error = #expect(throws: FileError.self) {
        try SplitOutput(folder.path("out"), compression: compression, isResumable: false)
      }
      #expect(error?.reason.contains("name an empty folder") == true)
    }
  }

  @Test(arguments: [
    ("com.example.app", "com.example.app"), ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"), ("", "unknown"),
    (".", "%2E"), ("a b\n", "a%20b%0A"), ("é", "%C3%A9"),
    (String(repeating: "a", count: 200), String(repeating: "a", count: 200)),
    (String(repeating: "a", count: 300), String(repeating: "a", count: 183) + "-9835fa6bf4e20a9b"),
  ])
  func namesFromRecordsStayInTheirFolder(_ text: String, _ name: String) {
    #expect(OutputPart(safe: text).name == name)
  }

  /// The rest of the ids is in a file.
  @Test(arguments: [0, 64 << 10, 1 << 20])
  func idsAreKnownAgainAlsoBeyondTheStatedMemory(_ memory: Int) throws {
    let known = KnownIDs(memory: memory)
    for round in 0..<2 {
      for number in 0..<10_000 {
        let id = KnownIDs.ID(high: UInt64(number) << 40, low: UInt64(number % 7))
        #expect(try known.insert(id, content: 3) == (round == 0 ? .new : .known))
      }
    }
    #expect(try known.insert(KnownIDs.ID(high: 1 << 40, low: 1), content: 4) == .differs)
    #expect(try known.insert(KnownIDs.ID(high: 5, low: 5)) == .new)
  }
}
