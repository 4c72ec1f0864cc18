import SlipcastMapping

/// The built-in rules, compiled once for all tests.
enum Shared {
  static let prepared: LegacyConverter.PreparedRules = {
    do { return LegacyConverter.PreparedRules(rules: try RuleSet.builtIn()) } catch { fatalError("\(error)") }
  }()

  static var converter: LegacyConverter { LegacyConverter(prepared: prepared) }
}
