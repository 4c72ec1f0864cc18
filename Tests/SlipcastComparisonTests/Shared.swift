import Foundation
import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport

enum Shared {
  static let rules = BuiltIn.rules

  /// Compiled once: compiling the rules takes much longer than applying them.
  private static let prepared = LegacyConverter.PreparedRules(rules: rules)

  static var converter: LegacyConverter { LegacyConverter(prepared: prepared) }

  /// The comparer of the current thread, because a comparer serves one thread at a time.
  static var comparer: RecordComparer {
    let key = "SlipcastComparisonTests.comparer"
    if let known = Thread.current.threadDictionary[key] as? RecordComparer { return known }
    do {
      let comparer = try RecordComparer(rules: rules)
      Thread.current.threadDictionary[key] = comparer
      return comparer
    } catch {
      fatalError("\(error)")
    }
  }

  static func compare(_ fixture: Fixture) throws -> Comparison {
    try comparer.compare(
      legacy: try fixture.bytes("v1.json"), server: try fixture.bytes("v2.json"), names: ("v1.json", "v2.json"))
  }
}
