import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport
import Testing

/// A tolerance lets two dates differ, alike for one pair and for archives.
@Suite struct ToleranceTests {
  private static let path = "data.transactionInfo.expiresDate"
  private static let pair = Fixture.named("pairs/date-expires-off-1-day")

  @Test(arguments: [
    (Int64(86_400_000), DifferenceClass.representation), (86_399_999, .conflict), (0, .conflict),
    (Int64.max, .representation),
  ])
  func datesWithinTheToleranceAreNotInConflict(_ milliseconds: Int64, _ expected: DifferenceClass) async throws {
    var rules = Archives.rules
    try rules.setTolerance(milliseconds, of: Self.path)
    let comparison = try RecordComparer(rules: rules).compare(
      legacy: try Self.pair.bytes("v1.json"), server: try Self.pair.bytes("v2.json"))
    let field = try #require(comparison.fields.first { $0.v2Path == Self.path })
    #expect(field.differenceClass == expected)
    if expected == .representation, milliseconds < .max {
      #expect(field.explanation.contains("1 day") && field.explanation.contains("tolerance is 1 day."))
    }
    var archives = Archives()
    try archives.add(pair: "date-expires-off-1-day")
    let result = try await archives.compare(rules: rules)
    #expect(result.fields.first { $0.path == Self.path }?.count(expected) == 1)
  }

  @Test(arguments: [
    "data.transactionInfo.expiresDate", "transaction.expiresDate", "transactions[*].expiresDate",
    "data[*].lastTransactions[*].transactionInfo.expiresDate",
  ])
  func aFieldIsNamedAsInAnyForm(_ path: String) throws {
    var rules = Archives.rules
    try rules.setTolerance(5, of: path)
    #expect(rules.field(id: "transaction.expiresDate")?.comparing.tolerance == 5)
  }

  @Test(arguments: [
    ("data.transactionInfo.expiresDat", "did you mean data.transactionInfo.expiresDate?"),
    ("data.transactionInfo.productId", "is not a date"), ("signedDate", "is never compared"),
    ("", "is not a V2 field"), ("unified_receipt.latest_receipt_info[*].expires_date_ms", "is not a V2 field"),
  ])
  func whatHasNoToleranceIsRejected(_ path: String, _ words: String) throws {
    var rules = Archives.rules
    #expect {
      try rules.setTolerance(5, of: path)
    } throws: { "\($0)".contains(words) }
  }
}
