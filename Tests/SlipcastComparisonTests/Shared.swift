import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport

enum Shared {
  static let rules: RuleSet = {
    do { return try RuleSet.builtIn() } catch { fatalError("\(error)") }
  }()

  static var comparer: RecordComparer {
    do { return try RecordComparer(rules: rules) } catch { fatalError("\(error)") }
  }

  static func compare(_ fixture: Fixture) throws -> Comparison {
    try comparer.compare(
      legacy: try fixture.bytes("v1.json"), server: try fixture.bytes("v2.json"), names: ("v1.json", "v2.json"))
  }
}
