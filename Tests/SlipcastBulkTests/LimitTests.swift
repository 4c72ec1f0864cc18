import SlipcastBulk
import Testing

/// A record longer than the limit is one reject; what stands around it is converted.
@Suite struct LimitTests {
  static let limit = 4096

  private func convert(_ text: String, jobs: Int = 1) async throws -> Run {
    try await Runs.convert(text) { options in
      options.recordBytes = Self.limit
      options.jobs = jobs
    }
  }

  static let sizes = [limit, 100 << 10, 300 << 10, 600 << 10, 1 << 20]

  @Test(arguments: sizes)
  func aLineThatIsTooLongIsOneReject(_ size: Int) async throws {
    let before = Sample.lines(1...3)
    let run = try await convert(before + Sample.line(4, filler: size) + "\n" + Sample.lines(5...7))
    #expect(run.numbers == [1, 2, 3, 5, 6, 7])
    #expect(run.rejects.map(\.code) == ["recordTooLarge"])
    #expect(run.rejects.map(\.record) == [4])
    #expect(run.rejects.map(\.line) == [4])
  }

  @Test(arguments: sizes)
  func theRejectPointsIntoItsLine(_ size: Int) async throws {
    let before = Sample.lines(1...3)
    let line = Sample.line(4, filler: size)
    let run = try await convert(before + line + "\n" + Sample.lines(5...7))
    let range = before.utf8.count...before.utf8.count + line.utf8.count
    #expect(run.rejects.allSatisfy { range.contains($0.fault) }, "\(run.places) in \(range)")
  }

  @Test(arguments: sizes)
  func atTheBeginningAndAtTheEndToo(_ size: Int) async throws {
    let long = Sample.line(9, filler: size)
    let first = try await convert(long + "\n" + Sample.lines(1...3))
    #expect(first.numbers == [1, 2, 3])
    #expect(first.rejects.map(\.record) == [1])
    for end in ["", "\n", "\r\n"] {
      let last = try await convert(Sample.lines(1...3) + long + end)
      #expect(last.numbers == [1, 2, 3])
      #expect(last.rejects.map(\.record) == [4])
    }
  }

  @Test(arguments: sizes)
  func severalOnesOneAfterAnotherAreOneRejectEach(_ size: Int) async throws {
    let long = Sample.line(9, filler: size) + "\n"
    let run = try await convert(Sample.lines(1...2) + long + long + Sample.line(3) + "\n" + long + Sample.line(4))
    #expect(run.numbers == [1, 2, 3, 4])
    #expect(run.rejects.map(\.record) == [3, 4, 6])
  }

  @Test func aRecordOfExactlyTheLimitIsConverted() async throws {
    let line = Sample.line(1, filler: Self.limit - Sample.line(1, filler: 1).utf8.count + 1)
    #expect(line.utf8.count == Self.limit)
    #expect(try await convert(line + "\n" + Sample.line(2)).numbers == [1, 2])
    let longer = line.replacing(#""filler":""#, with: #""filler":"x"#)
    #expect(try await convert(longer + "\n" + Sample.line(2)).numbers == [2])
  }

  @Test(arguments: sizes)
  func anItemThatIsTooLongIsOneReject(_ size: Int) async throws {
    let items = [Sample.line(1), Sample.line(2), Sample.line(9, filler: size), Sample.line(3), Sample.line(4)]
    for separator in [",", ",\n", " ,\n  "] {
      let run = try await convert("[" + items.joined(separator: separator) + "]")
      #expect(run.numbers == [1, 2, 3, 4])
      #expect(run.rejects.map(\.code) == ["recordTooLarge"])
      #expect(run.rejects.map(\.record) == [3])
    }
  }

  @Test(arguments: sizes)
  func anItemThatIsTooLongAtTheEndIsOneReject(_ size: Int) async throws {
    let items = [Sample.line(1), Sample.line(2), Sample.line(9, filler: size)]
    let run = try await convert("[" + items.joined(separator: ",") + "]\n" + Sample.line(3))
    #expect(run.numbers == [1, 2, 3])
    #expect(run.rejects.map(\.record) == [3])
  }

  @Test(arguments: [1, 4])
  func shortLinesWithoutEndAreRejectedOneByOneAndTakeNoRecordWithThem(_ jobs: Int) async throws {
    // More lines than a record may have, in less text than it may have.
    let junk = String(repeating: "1\n", count: 150_000)
    let run = try await Runs.convert(Sample.line(1) + "\n" + junk + Sample.lines(2...3)) { options in
      options.recordBytes = 1 << 20
      options.keepsRejects = false
      options.jobs = jobs
    }
    #expect(run.numbers == [1, 2, 3])
    #expect(run.counts.rejected == 150_000)
    #expect(run.rejects.last?.line == 150_001)
  }

  @Test(arguments: [1, 4])
  func ordinaryRecordsBetweenHugeOnesAreReadAsEver(_ jobs: Int) async throws {
    let huge = { (number: Int) in
      let escapes = String(repeating: #"\u0041"#, count: 20_000)
      let items = String(repeating: "1,", count: 100_000)
      return Sample.line(number).dropLast() + #","more":["\#(escapes)",\#(items)2]}"# + "\n"
    }
    let text = Sample.lines(1...2) + huge(3) + Sample.lines(4...900) + huge(901) + huge(902) + Sample.line(903)
    let run = try await Runs.convert(text) { $0.jobs = jobs }
    #expect(run.numbers == Array(1...903))
  }

  @Test func thousandsOfShortRecordsAreNotTouchedByASmallLimit() async throws {
    let run = try await convert(Sample.lines(1...1200))
    #expect(run.numbers == Array(1...1200))
  }

  @Test func aPrettyPrintedRecordThatIsTooLongIsOneReject() async throws {
    let filler = String(repeating: "\n  \"more\": 1,", count: 1000)
    let long = Sample.pretty(9).replacing("{\n  \"notification_type\"", with: "{\(filler)\n  \"notification_type\"")
    let run = try await convert("\(Sample.pretty(1))\n\(long)\n\(Sample.pretty(2))\n\(Sample.line(3))\n")
    #expect(run.numbers == [1, 2, 3])
    #expect(run.rejects.map(\.code) == ["recordTooLarge"])
  }

  @Test func nestingBeyondTheLimitIsOneReject() async throws {
    let deep = String(repeating: #"{"a":"#, count: 200) + "1" + String(repeating: "}", count: 200)
    let run = try await Runs.convert("\(Sample.line(1))\n\(deep)\n\(Sample.line(2))\n")
    #expect(run.numbers == [1, 2])
    #expect(run.rejects.map(\.code) == ["tooDeep"])
  }
}
