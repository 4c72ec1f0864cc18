import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport

enum Shared {
  static let rules = BuiltIn.rules

  /// Compiled once: compiling the rules takes much longer than applying them.
  private static let prepared = LegacyConverter.PreparedRules(rules: rules)

  static var converter: LegacyConverter { LegacyConverter(prepared: prepared) }

  /// One for all tests: a comparer can be shared.
  static let comparer = RecordComparer(prepared: prepared)

  static func compare(_ fixture: Fixture) throws -> Comparison {
    try comparer.compare(
      legacy: try fixture.bytes("v1.json"), server: try fixture.bytes("v2.json"), names: ("v1.json", "v2.json"))
  }
}
