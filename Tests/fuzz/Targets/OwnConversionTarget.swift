import SlipcastComparison
import SlipcastMapping
@_spi(Slipcast) import SlipcastWire

extension FuzzTarget {
  /// A record compared with its own conversion.
  static let ownConversion = FuzzTarget(
    name: "own-conversion",
    summary: "a record and its own conversion are equal in every field, and so are the conversion and itself",
    seeds: { try Seeds.files(["notifications", "receipts"], named: ["v1.json"], most: 120) },
    words: LegacyWords.all,
    limit: 8 << 10,
    make: {
      let rules = try RuleSet.builtIn()
      let bench = ConversionBench(LegacyConverter.PreparedRules(rules: rules))
      let (comparer, texts) = (try RecordComparer(rules: rules), TextReader())
      return { bytes in
        guard let line = try? bench.line(of: bytes, into: .auto), isPairable(texts.value(line)) else { return }
        try requireParity(Array(bytes), Array(line), comparer)
        try requireParity(Array(line), Array(line), comparer)
      }
    })

  /// Purchases without an id have no counterpart.
  private static func isPairable(_ line: JSONElement?) -> Bool {
    line?["transactions"]?.children.contains { $0["transactionId"] == nil } == false
      || line?["notificationType"] != nil
  }

  private static func requireParity(_ record: [UInt8], _ line: [UInt8], _ comparer: RecordComparer) throws {
    // Text that is not a complete record, such as a companion with nothing to compare, may be rejected.
    guard let comparison = try? comparer.compare(legacy: record, server: line) else { return }
    // A value that V1's reader cannot read counts against parity, whatever V2 has.
    for row in comparison.fields where comparison.fails(row) && !row.isUnreadable {
      throw Violation("a record differs from its own conversion in \(row.path): \(row.explanation)")
    }
  }
}
