@_spi(Slipcast) import SlipcastLegacy
import SlipcastMapping
@_spi(Slipcast) import SlipcastWire

@testable import SlipcastComparison

/// Compares pairs in both ways: as typed values with words, and as images without; used again for many pairs.
final class ImagePair {
  private let table = ShapeTable()
  private let comparer = EventComparer(Shared.rules)
  private let caster: Caster
  private let legacy = LegacyReader()
  private let one: EventSide
  private let two: EventSide

  /// Paths of the last pair whose V1 value cannot be read.
  private(set) var unreadable: [String] = []

  init() {
    (one, two) = (EventSide(table), EventSide(table))
    caster = Caster(mould: Caster.Mould(Shared.rules), options: CastOptions(), record: legacy.record)
  }

  /// The classes that `RecordComparer` gives, the most serious one of each path; places of lists are not told apart.
  func spelled(_ legacy: [UInt8], _ server: [UInt8]) throws -> [String: DifferenceClass] {
    let comparison = try Shared.comparer.compare(legacy: legacy, server: server)
    let rows = comparison.fields.map { ($0.path.withoutPlaces, $0.differenceClass) }
    return Dictionary(rows, uniquingKeysWith: min)
  }

  /// The classes that `EventComparer` gives.
  func counted(_ legacy: [UInt8], _ server: [UInt8]) throws -> [String: DifferenceClass] {
    let (first, second) = (JSONWriter(), JSONWriter())
    try write(legacy, to: first)
    try write(server, to: second)
    return withExtendedLifetime((first, second)) {
      one.read(first.buffer)
      two.read(second.buffer)
      comparer.compare(one, two)
      unreadable = comparer.findings.filter(\.isUnreadable).map { comparer.paths.path($0.path).path }
      let rows = comparer.findings.map { (comparer.paths.path($0.path).path, $0.differenceClass) }
      return Dictionary(rows, uniquingKeysWith: min)
    }
  }

  private func write(_ bytes: [UInt8], to writer: JSONWriter) throws {
    let text = JSONBuffer(bytes)
    let reader = JSONReader(names: ServerImager.keys)
    let imager = ServerImager(table, Shared.rules, limits: JSONLimits())
    let tape = try reader.read(text.base, count: text.count)
    if let unit = ServerImager.unit(tape, 0) {
      return try imager.write(tape, root: 0, unit, record: 1, receivedAt: nil, to: writer) { _ in }
    }
    let legacyReader = JSONReader(names: LegacyKey.names)
    try legacy.read(try legacyReader.read(text.base, count: text.count))
    caster.prepare(Caster.Delivery())
    caster.convertToNotification()
    LegacyImager(table).write(caster, record: 1, to: writer)
    withExtendedLifetime((legacyReader, text)) {}
  }
}
