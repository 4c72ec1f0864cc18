import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

/// What holds of any input: counts add up, nothing crashes, workers change nothing.
///
/// `Runs.convert` checks the counts.
@Suite struct GarbageTests {
  static let seeds = (0..<60).map(UInt64.init)

  @Test(arguments: seeds)
  func aRuinedStreamIsReadToItsEnd(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var text = Array(stream(&random).utf8)
    for _ in 0..<random.number(0...20) where !text.isEmpty {
      let place = random.number(0...text.count - 1)
      switch random.number(0...4) {
      case 0: text[place] = UInt8(random.number(0...255))
      case 1: text.removeSubrange(place..<min(place + random.number(1...300), text.count))
      case 2: text.insert(contentsOf: random.one(of: Self.pieces).utf8, at: place)
      case 3: text.insert(0x0A, at: place)
      default: text.removeSubrange(place...)
      }
    }
    let run = try await Runs.convert(text, maySpoilKeys: true)
    #expect(run.end == .finished)
    for reject in run.rejects {
      #expect((0...text.count).contains(reject.fault))
      #expect(reject.line == 1 + text[..<reject.fault].count { $0 == 0x0A })
    }
    #expect(run.rejects.map(\.record) == run.rejects.map(\.record).sorted())
    let aside = try await Runs.convert(text, maySpoilKeys: true) { $0.jobs = 3 }
    #expect(aside.sink.output == run.sink.output)
    #expect(aside.counts == run.counts)
    #expect(aside.places == run.places)
  }

  @Test(arguments: seeds)
  func noiseIsReadToItsEnd(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let text = (0..<random.number(0...400)).map { _ in random.one(of: Self.pieces) }.joined()
    let run = try await Runs.convert(text) { options in
      options.recordBytes = random.one(of: [10, 100, 1 << 20])
      options.depth = random.one(of: [2, 128])
    }
    #expect(run.end == .finished)
    #expect(run.numbers == [])
  }

  static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\n", "\n", "\r\n", " ", "1", "-", "true", "null", "\u{0}", "\u{FEFF}",
    "é",
    #""a""#, #""password":"x""#, "{\"a\":", "\n{", "\n[", "},\n{", "}{\"a\":", "\\u0000", "\\ud800", "\t",
  ]

  private func stream(_ random: inout SeededGenerator) -> String {
    let count = random.number(0...6)
    let records = (0..<count).map { number in random.number(0...1) == 0 ? Sample.line(number) : Sample.pretty(number) }
    switch random.number(0...4) {
    case 0: return "[" + records.joined(separator: ",\n") + "]"
    case 4: return records.joined(separator: random.one(of: ["", " "]))
    case 1: return records.joined(separator: "\r\n")
    default: return records.joined(separator: "\n") + "\n"
    }
  }

  // MARK: truncated records among whole ones

  /// Some records of a stream cut off anywhere: each costs itself and nothing else.
  @Test(arguments: seeds, ["\n", "\r\n", "array", "margin"])
  func truncatedRecordsCostThemselvesOnly(_ seed: UInt64, _ form: String) async throws {
    var random = SeededGenerator(seed: seed)
    var (numbers, rejects, records) = ([Int](), [Int](), [String]())
    for number in 1...random.number(2...25) {
      let record = Sample.line(number)
      if random.number(0...2) == 0 {
        records.append(String(record.prefix(random.number(1...record.count - 1))))
        rejects.append(number)
      } else {
        records.append(record)
        numbers.append(number)
      }
    }
    // The last item of an array must be whole, else the array's own bracket is lost with it.
    if form.count > 2 {
      records.append(Sample.line(99))
      numbers.append(99)
    }
    let text =
      switch form {
      case "array": "[\n" + records.joined(separator: ",\n") + "\n]\n"
      case "margin": "[\n  " + records.joined(separator: ",\n  ") + "\n]\n"
      default: records.joined(separator: form)
      }
    let run = try await Runs.convert(text)
    #expect(run.numbers == numbers, "\(text)")
    #expect(run.rejects.map(\.record) == rejects, "\(text)")
  }

  // MARK: prefixes

  /// Every part of a record from its beginning on: one reject, or nothing at all for nothing at all.
  @Test(arguments: [Sample.line(1), Sample.pretty(1), "\u{FEFF}{\"a\":[1]}"], ["", "\n", "\r\n"])
  func everyPrefixOfARecordIsOneReject(_ record: String, _ end: String) async throws {
    let bytes = Array(record.utf8)
    for count in stride(from: 0, to: bytes.count, by: end.isEmpty ? 2 : 5) {
      let run = try await Runs.convert(Array(bytes[..<count]) + Array(end.utf8))
      let isNothing = count == 0 || Array(bytes[..<count]) == [0xEF, 0xBB, 0xBF]
      #expect(run.rejects.count == (isNothing ? 0 : 1), "\(count) bytes")
      #expect(run.counts.converted == 0)
    }
  }

  @Test func everyPrefixOfAnArrayKeepsItsWholeItems() async throws {
    let items = (1...3).map { Sample.line($0) }
    let bytes = Array("[\(items.joined(separator: ","))]".utf8)
    for count in stride(from: 1, to: bytes.count, by: 7) {
      let run = try await Runs.convert(Array(bytes[..<count]))
      let whole = (1...3).filter { number in items[..<number].joined(separator: ",").utf8.count + 1 <= count }
      #expect(run.numbers == whole, "\(count) bytes")
      #expect(run.rejects.count >= 1)
    }
  }

  // MARK: values

  static let values = [
    "null", "true", "0", "-1", "1e400", "-1e400", "12345678901234567890", "1.5", #""""#, #""x""#, #""0""#, #""-1""#,
    #""9223372036854775807""#, #""-9223372036854775808""#, #""253402300799999""#, #""-62135596800000""#, #""1""#,
    #""0001-01-01 00:00:00 Etc/GMT""#, #""9999-12-31 23:59:59 Etc/GMT""#, #""9999-12-31 23:59:59 America/Los_Angeles""#,
    #""2022-02-30 09:15:38 Etc/GMT""#, "[]", "{}", "[{}]", "[[[]]]", #"{"a":"b"}"#, #""\ud83d\ude00\u0000""#,
    #""2147483648""#, #""-2147483649""#, "9223372036854775807", "-9223372036854775808", #""99999999999999999""#,
  ]

  /// Every value of the richest fixtures replaced by every odd value, one at a time.
  @Test(arguments: ["every-key", "status-4-grace", "upgrade-is-not-a-refund", "recent-start-hidden-but-lapse-shown"])
  func noValueOfAnyFieldStopsTheRun(_ name: String) async throws {
    let body = try Fixture.named("notifications/\(name)").text("v1.json").split(separator: "\n").joined()
    try await replaceEverything(body, name)
  }

  @Test(arguments: ["every-key", "statuses-stale-grace", "ios6-expired-21006"])
  func noValueOfAnyFieldOfAnAnswerStopsTheRun(_ name: String) async throws {
    let body = try Fixture.named("receipts/\(name)").text("v1.json").split(separator: "\n").joined()
    try await replaceEverything(body, name)
  }

  private func replaceEverything(_ body: String, _ name: String) async throws {
    var lines: [String] = []
    var random = SeededGenerator(seed: 1)
    let read = try ReadText(body)
    for index in 1..<read.tape.count {
      let range = read.tape.range(index)
      for value in Self.values where random.number(0...3) == 0 {
        lines.append(read.text(in: 0..<range.lowerBound) + value + read.text(in: range.upperBound..<body.utf8.count))
      }
    }
    for emission in [Emission.auto, .history, .statuses] {
      let run = try await Runs.convert(lines.joined(separator: "\n")) { options in
        options.emission = emission
        options.keepsProvenance = false
        options.jobs = 2
      }
      #expect(run.counts.read == lines.count)
      #expect(run.rejects.allSatisfy { $0.stage == .legacy || $0.stage == .cast })
      for line in run.lines { _ = try ReadText(line) }
    }
  }
}
