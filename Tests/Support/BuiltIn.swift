package import SlipcastMapping

/// The built-in rules, read once for all tests.
package enum BuiltIn {
  package static let rules: RuleSet = {
    do { return try RuleSet.builtIn() } catch { fatalError("\(error)") }
  }()
}
