import SlipcastComparison
import SlipcastReports
import SlipcastTestSupport
import SlipcastWire

extension FuzzTarget {
  /// A pair of records, the second behind a byte FF, which no JSON text has.
  static let pair = FuzzTarget(
    name: "pair",
    summary: "a pair is compared or refused; reports are sound JSON and sound XML, and say nothing to a terminal",
    seeds: {
      Fixture.cases("pairs").enumerated().filter { $0.offset.isMultiple(of: 4) }.compactMap { _, pair in
        guard let first = try? pair.bytes("v1.json"), let second = try? pair.bytes("v2.json") else { return nil }
        return first + [0xFF] + second
      }
    },
    words: LegacyWords.all + ServerWords.names + ["\u{FF}"],
    limit: 32 << 10,
    make: {
      let comparer = try RecordComparer()
      return { bytes in
        guard let middle = bytes.firstIndex(of: 0xFF) else { return }
        let (legacy, server) = (Array(bytes[..<middle]), Array(bytes[(middle + 1)...]))
        guard let comparison = try? comparer.compare(legacy: legacy, server: server) else { return }
        try requireSound(comparison)
      }
    })

  private static func requireSound(_ comparison: Comparison) throws {
    for format in ReportFormat.allCases {
      let report = comparison.report(format)
      let isText = format == .text || format == .markdown
      guard report.unicodeScalars.allSatisfy({ $0 == "\n" || $0 == "\t" || isHarmless($0, inText: isText) }) else {
        throw Violation("a report of form \(format) holds control characters")
      }
      if format == .json, (try? ReadText(report)) == nil { throw Violation("a report is no JSON") }
    }
  }

  private static func isHarmless(_ scalar: Unicode.Scalar, inText: Bool) -> Bool {
    scalar.value >= 0x20 && (!inText || !(0x7F...0x9F).contains(scalar.value))
  }
}
