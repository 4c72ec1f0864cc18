import SlipcastMapping

/// The built-in rules, compiled once for all tests.
enum Shared {
  static let mould: LegacyCaster.Mould = {
    do { return LegacyCaster.Mould(rules: try RuleSet.builtIn()) } catch { fatalError("\(error)") }
  }()

  static var caster: LegacyCaster { LegacyCaster(mould: mould) }
}
