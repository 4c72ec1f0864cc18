import SlipcastComparison
import SlipcastMapping
import SlipcastReports
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire

extension FuzzTarget {
  /// A pair of records, the second after a byte FF, which no JSON text has; the first byte chooses the form of the report.
  static let pair = FuzzTarget(
    name: "pair",
    summary: "a pair is compared or rejected; reports are valid JSON and XML, without control characters",
    seeds: {
      let pairs = Fixture.cases("pairs").enumerated().filter { $0.offset.isMultiple(of: 4) }
      return pairs.enumerated().compactMap { number, pair in
        guard let first = try? pair.element.bytes("v1.json"), let second = try? pair.element.bytes("v2.json") else {
          return nil
        }
        return [UInt8(number % 8)] + first + [0xFF] + second
      }
    },
    words: LegacyWords.all + ServerWords.names + ["\u{FF}"],
    limit: 16 << 10,
    make: {
      let (comparer, texts) = (try RecordComparer(), TextReader())
      return { bytes in
        let pair = bytes.rest
        guard let choice = bytes.first, let middle = pair.firstIndex(of: 0xFF) else { return }
        let (legacy, server) = (Array(pair[..<middle]), Array(pair[(middle + 1)...]))
        guard let comparison = try? comparer.compare(legacy: legacy, server: server) else { return }
        let format = ReportFormat.allCases[Int(choice) % ReportFormat.allCases.count]
        try requireSound(comparison.report(format, style: ReportStyle(isVerbose: choice & 16 != 0)), format, texts)
      }
    })

  private static func requireSound(_ text: String, _ format: ReportFormat, _ texts: TextReader) throws {
    var report = text
    let isForPeople = format == .text || format == .markdown
    try report.withUTF8 { bytes in
      guard isHarmless(bytes, inText: isForPeople) else {
        throw Violation("a report of form \(format) holds control characters")
      }
      if format == .json, texts.value(bytes) == nil { throw Violation("a report is not JSON") }
    }
  }

  /// No control characters but tabs and line feeds; in text for people neither DEL nor those from U+0080.
  private static func isHarmless(_ bytes: UnsafeBufferPointer<UInt8>, inText: Bool) -> Bool {
    var last: UInt8 = 0
    for byte in bytes {
      if byte < 0x20, byte != 0x0A, byte != 0x09 { return false }
      if inText, byte == 0x7F || last == 0xC2 && byte < 0xA0 { return false }
      last = byte
    }
    return true
  }
}
