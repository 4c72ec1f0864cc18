@_spi(Slipcast) import SlipcastLegacy
import SlipcastMapping
@_spi(Slipcast) import SlipcastWire

@testable import SlipcastComparison

/// A pair compared in both ways: as typed values with words, and as images without.
struct ImagePair {
  private static let table = ShapeTable()

  /// The classes that `RecordComparer` gives, the most serious one of each path; places of lists are not told apart.
  static func spelled(_ legacy: [UInt8], _ server: [UInt8]) throws -> [String: DifferenceClass] {
    let comparison = try Shared.comparer.compare(legacy: legacy, server: server)
    let rows = comparison.fields.map { ($0.path.withoutPlaces, $0.differenceClass) }
    return Dictionary(rows, uniquingKeysWith: min)
  }

  /// The classes that `EventComparer` gives.
  static func counted(_ legacy: [UInt8], _ server: [UInt8]) throws -> [String: DifferenceClass] {
    let comparer = EventComparer(Shared.rules)
    let (one, two) = (EventSide(table), EventSide(table))
    let (first, second) = (JSONWriter(), JSONWriter())
    try write(legacy, to: first)
    try write(server, to: second)
    return withExtendedLifetime((first, second)) {
      one.read(first.buffer)
      two.read(second.buffer)
      comparer.compare(one, two)
      let rows = comparer.findings.map { (comparer.paths.path($0.path).path, $0.differenceClass) }
      return Dictionary(rows, uniquingKeysWith: min)
    }
  }

  private static func write(_ bytes: [UInt8], to writer: JSONWriter) throws {
    let text = JSONBuffer(bytes)
    let reader = JSONReader(names: ServerImager.keys)
    let imager = ServerImager(table, Shared.rules, limits: JSONLimits())
    let tape = try reader.read(text.base, count: text.count)
    if ServerImager.isNotification(tape, 0) {
      return try imager.write(tape, root: 0, record: 1, receivedAt: nil, to: writer)
    }
    let legacy = LegacyReader()
    let caster = Caster(mould: Caster.Mould(Shared.rules), options: CastOptions(), record: legacy.record)
    let legacyReader = JSONReader(names: LegacyKey.names)
    try legacy.read(try legacyReader.read(text.base, count: text.count))
    caster.prepare(Caster.Delivery())
    caster.castNotification()
    LegacyImager(table).write(caster, record: 1, to: writer)
    withExtendedLifetime((legacyReader, text)) {}
  }
}
