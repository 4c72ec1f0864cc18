@_spi(Slipcast) import SlipcastLegacy
import SlipcastMapping
@_spi(Slipcast) import SlipcastWire

@testable import SlipcastComparison

/// Compares whole records of any form as `parity` does: item by item, as images.
final class AnswerImages {
  private let table = ShapeTable()
  private let comparer = ViewComparer(Shared.rules)
  private let converter: Converter
  private let legacy = LegacyReader()
  private let one: RecordView
  private let two: RecordView

  init() {
    (one, two) = (RecordView(table), RecordView(table))
    converter = Converter(
      prepared: Converter.PreparedRules(rules: Shared.rules), options: ConversionOptions(), record: legacy.record)
  }

  /// The most serious class of each path over all items that both sides list.
  func classes(_ legacy: [UInt8], _ server: [UInt8], _ unit: ParityUnit) throws -> [String: DifferenceClass] {
    let (first, second) = (JSONWriter(), JSONWriter())
    let (own, others) = (try images(legacy, unit, first), try images(server, unit, second))
    comparer.paths.unit = unit
    var classes: [String: DifferenceClass] = [:]
    for mine in own {
      one.read(first.buffer.span.extracting(mine))
      let id = one.head.id?.low
      for other in others {
        one.read(first.buffer.span.extracting(mine))
        two.read(second.buffer.span.extracting(other))
        guard unit == .notification || two.head.id?.low == id else { continue }
        comparer.compare(one, two)
        for finding in comparer.findings {
          let path = comparer.paths.path(finding.path).path
          classes[path] = min(classes[path] ?? finding.differenceClass, finding.differenceClass)
        }
      }
    }
    withExtendedLifetime((first, second)) {}
    return classes
  }

  private func images(_ bytes: [UInt8], _ unit: ParityUnit, _ writer: JSONWriter) throws -> [Range<Int>] {
    var (ranges, start) = ([Range<Int>](), 0)
    func mark() {
      ranges.append(start..<writer.count)
      start = writer.count
    }
    let text = JSONBuffer(bytes)
    let reader = JSONReader(names: ServerImager.keys)
    let tape = try reader.read(text)
    if let unit = ServerImager.unit(tape, 0) {
      let imager = ServerImager(table, Shared.rules, limits: JSONLimits())
      try imager.write(tape, root: 0, unit, record: 1, receivedAt: nil, to: writer) { mark() }
      return ranges
    }
    let legacyReader = JSONReader(names: LegacyKey.names)
    try legacy.read(try legacyReader.read(text))
    converter.prepare(Converter.Delivery())
    let imager = LegacyImager(table)
    if unit == .notification {
      converter.convertToNotification()
      imager.write(converter, record: 1, to: writer)
      mark()
    } else {
      try imager.write(converter, unit, record: 1, to: writer) { mark() }
    }
    withExtendedLifetime((legacyReader, text)) {}
    return ranges
  }
}
