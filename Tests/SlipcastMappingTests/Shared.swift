import SlipcastMapping
import SlipcastTestSupport

/// The built-in rules, compiled once for all tests.
enum Shared {
  static let prepared = LegacyConverter.PreparedRules(rules: BuiltIn.rules)

  static var converter: LegacyConverter { LegacyConverter(prepared: prepared) }
}
