internal import SlipcastMapping
internal import SlipcastReceipts
@_spi(Slipcast) internal import SlipcastWire

extension V2Part {
  /// Whether all conditions hold; `nil` where a member is missing that would decide it.
  ///
  /// Without the first member the object does not have what is asked about.
  func holds(_ conditions: [InverseRule.Condition]) -> Bool? {
    for (place, condition) in conditions.enumerated() {
      guard let word = values[condition.member]?.word else {
        if place == 0 { return false }
        guard isConverted else { return nil }
        guard condition.values.contains(InverseRule.Condition.converted) else { return false }
        continue
      }
      guard condition.values.contains(word) != condition.isNegated else { return false }
    }
    return true
  }

  /// The ids that lead to further records: each record of a transaction also names the original one.
  var leads: Set<String> {
    let leads = Set(["originalTransactionId", "appTransactionId"].compactMap { text($0) })
    return leads.isEmpty ? ids : leads
  }

  /// The ids by which the customer is found.
  var ids: Set<String> {
    Set(["originalTransactionId", "transactionId", "appTransactionId"].compactMap { text($0) })
  }
}

/// An app in an environment: the ids of transactions are unique there.
struct CustomerScope: Hashable, Sendable {
  var environment: String
  /// `nil` where a record does not name it.
  var bundleId: String?

  func contains(_ part: V2Part) -> Bool {
    guard (part.environment ?? environment) == environment else { return false }
    guard let bundleId, let other = part.bundleId else { return true }
    return bundleId.isSameSpelling(as: other)
  }
}
