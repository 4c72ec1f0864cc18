import SlipcastBulk
import SlipcastLegacy
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

/// Every value of a record replaced by every kind of oddity: no crash, nothing lost, and only sound JSON comes out.
@Suite struct HostileRecordTests {
  static let oddities = [
    "null", "true", "false", "0", "-1", "9223372036854775808", "1e400", "1.5", "\"\"", "\"x\"", "\"OK\"",
    "\"-9999999999999\"",
    "\"99999999999999999999\"", "\"0000000000000\"", "\"2020-02-30 25:61:61 Etc/GMT\"",
    "\"9999-12-31 23:59:59 Etc/GMT\"",
    "\"\\u0000\\ud83d\\ude00\"", "[]", "{}", "[[]]", "{\"a\":{}}",
  ]

  @Test(arguments: [
    ("notifications/did-renew", "auto"), ("notifications/did-renew", "statuses"),
    ("notifications/did-change-renewal-status-06-billing-retry-over", "auto"),
    ("notifications/flat-latest-receipt-info", "history"), ("receipts/ios6-active", "auto"),
  ])
  func survivesEveryOddValueInEveryPlace(_ name: String, _ emission: String) async throws {
    let records = try Self.variants(try Fixture.named(name).bytes("v1.json"))
    try await Temporary.file(records.joined(separator: "\n")) { file in
      let (sink, _, counts) = try await Harness.convert(["--emit", emission, "--jobs", "2"], [file])
      #expect(counts.read == records.count)
      #expect(counts.converted == sink.lines.count)
      #expect(counts.rejected == sink.rejects.count)
      for line in sink.lines + sink.provenanceLines { _ = try ReadText(line) }
    }
  }

  /// The record with each value in turn replaced, one variant a line.
  private static func variants(_ record: [UInt8]) throws -> [String] {
    let compact = try PrettyJSON.compact(record)
    var text = Array(compact.utf8)
    let count = text.count
    text.append(contentsOf: repeatElement(0, count: JSONReader.padding))
    let reader = JSONReader(names: LegacyKey.names)
    return try text.withUnsafeBufferPointer { buffer throws in
      let tape = try reader.read(try #require(buffer.baseAddress), count: count)
      return (1..<tape.count).flatMap { index in
        let range = tape.range(index)
        let before = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
        let after = String(decoding: buffer[range.upperBound..<count], as: UTF8.self)
        return oddities.map { before + $0 + after }
      }
    }
  }
}
