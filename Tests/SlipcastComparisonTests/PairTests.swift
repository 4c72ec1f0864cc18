import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire
import Testing

/// Every pair of `Fixtures/pairs` against what a person wrote down about it.
@Suite struct PairTests {
  @Test(arguments: Fixture.cases("pairs"))
  func aPairIsReadAsItsSourceSays(_ fixture: Fixture) throws {
    let expected = try PairExpectation(fixture)
    #expect(expected.hasSource && !expected.classes.isEmpty)
    let comparison = try Shared.compare(fixture)
    #expect(comparison.verdict.rawValue == expected.verdict)
    let conflicts = comparison.fields.filter { $0.differenceClass == .conflict }
    #expect(
      conflicts.count == expected.conflicts,
      "conflicts: \(conflicts.map { "\($0.path): \($0.explanation)" }.joined(separator: "\n"))")
    for (path, classes) in expected.classes {
      let rows = comparison.fields.filter { $0.v2Path == path || $0.v1Path == path }
      #expect(
        rows.contains { classes.contains($0.differenceClass) },
        "\(path) is \(rows.map { "\($0.differenceClass)" }), not \(classes)")
    }
  }

  @Test(arguments: Fixture.cases("pairs"))
  func everyRowHasAPlaceAClassAndAReason(_ fixture: Fixture) throws {
    let comparison = try Shared.compare(fixture)
    #expect(!comparison.fields.isEmpty)
    for field in comparison.fields {
      #expect(field.v1Path != nil || field.v2Path != nil)
      if field.differenceClass != .identical { #expect(!field.explanation.isEmpty, "\(field.path)") }
      let isTidy = !field.explanation.contains("  ") && !field.explanation.hasSuffix(" ")
      #expect(isTidy, "\(field.path): \(field.explanation)")
    }
    #expect(comparison.counts.values.reduce(0, +) == comparison.fields.count)
    let paths = comparison.fields.compactMap(\.v2Path)
    #expect(Set(paths).count == paths.count)
  }

  @Test(arguments: Fixture.cases("pairs"))
  func rowsFollowApplesOrder(_ fixture: Fixture) throws {
    let paths = try Shared.compare(fixture).fields.compactMap(\.v2Path)
    let order = JWSTransactionDecodedPayload.fields.map(\.name)
    let prefix = "data.transactionInfo."
    let places = paths.filter { $0.hasPrefix(prefix) }.compactMap {
      order.firstIndex(of: String($0.dropFirst(prefix.count)))
    }
    #expect(places == places.sorted())
  }

  @Test(arguments: Fixture.cases("pairs"))
  func noRowShowsTheSharedSecret(_ fixture: Fixture) throws {
    let comparison = try Shared.compare(fixture)
    #expect(!"\(comparison)".contains("SECRET-SLIPCAST"))
  }
}
