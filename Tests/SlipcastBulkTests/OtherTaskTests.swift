import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// Whatever is done with records is done in their order, by any number of workers.
@Suite struct OtherTaskTests {
  private static let records = (1...3000).map { number in
    number % 100 == 7 ? "[\(number)]" : "{\"n\":\"\(String(repeating: "x", count: number % 700))\"}"
  }

  /// Where the records stand that are no lists.
  private func places(_ name: String) -> [String] {
    var (offset, places) = (0, [String]())
    for (index, record) in Self.records.enumerated() {
      if record.hasPrefix("{") { places.append("\(name)@\(offset):\(index + 1) object of 2") }
      offset += record.utf8.count + 1
    }
    return places
  }

  @Test(arguments: [1, 2, 3, 4])
  func everyRecordIsListedWithItsPlaceInOrder(_ jobs: Int) async throws {
    try await TemporaryFolder.with { folder in
      let text = Self.records.joined(separator: "\n")
      try folder.write("a.json", text)
      try folder.write("b.json", text)
      let names = [folder.path("a.json"), folder.path("b.json")]
      #expect(text.utf8.count > 3 * Block.size)
      let listing = try await Listing.of(files: names, jobs: jobs)
      #expect(listing.lines == names.flatMap(places))
      #expect(listing.rejects.map(\.record) == [0, 1].flatMap { _ in stride(from: 7, to: 3000, by: 100) })
      #expect(listing.rejects.map(\.line) == listing.rejects.map(\.record))
      #expect(Set(listing.rejects.map(\.source)) == Set(names))
      var expected = RunCounts()
      (expected.read, expected.converted, expected.rejected) = (6000, 5940, 60)
      (expected.bytes, expected.reasons) = (2 * text.utf8.count, [listing.rejects[0].code: 60])
      #expect(listing.counts == expected)
      #expect(listing.counts.bySource.values.map(\.read) == [3000, 3000])
      #expect(listing.end == .finished)
    }
  }

  @Test(arguments: [1, 4])
  func aCancelledTaskInterruptsItsRun(_ jobs: Int) async throws {
    try await Temporary.file(Self.records.joined(separator: "\n")) { file in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await Listing.of(files: [file], jobs: jobs)
      }
      let listing = try await task.value
      #expect(listing.end == .interrupted)
      #expect(listing.counts.read > 0 && listing.counts.read < Self.records.count)
    }
  }

  @Test(arguments: [1, 2, 3, 4])
  func theFirstRejectStopsARunThatIsToStop(_ jobs: Int) async throws {
    try await Temporary.file(Self.records.joined(separator: "\n")) { file in
      let listing = try await Listing.of(files: [file], jobs: jobs, stops: true)
      #expect(listing.end == .stopped)
      #expect(listing.lines.count == 6)
      #expect(listing.rejects.map { String(decoding: $0.text, as: UTF8.self) } == ["[7]"])
    }
  }
}
