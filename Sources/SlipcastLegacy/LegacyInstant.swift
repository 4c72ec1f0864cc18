/// The dates that legacy objects carry in three spellings each.
@_spi(Slipcast) public enum LegacyInstant: Int, CaseIterable, Sendable {
  case purchase, originalPurchase, expires, cancellation, grace, statusChange, request, creation, preorder, expiration

  /// The number of cases.
  public static let count = allCases.count

  /// Milliseconds of 13 digits: from 2001, before the App Store existed, to 2286.
  package static let plausible: Range<Int64> = 1_000_000_000_000..<10_000_000_000_000

  private static let spellings = allCases.map { date in LegacyKey.allCases.filter { of($0) == date } }

  package var keys: [LegacyKey] { Self.spellings[rawValue] }

  /// The date that a key spells.
  public static func of(_ key: LegacyKey) -> LegacyInstant? {
    switch key {
    case .purchase_date, .purchase_date_ms, .purchase_date_pst: .purchase
    case .original_purchase_date, .original_purchase_date_ms, .original_purchase_date_pst: .originalPurchase
    case .expires_date, .expires_date_ms, .expires_date_pst, .expires_date_formatted, .expires_date_formatted_pst:
      .expires
    case .cancellation_date, .cancellation_date_ms, .cancellation_date_pst: .cancellation
    case .grace_period_expires_date, .grace_period_expires_date_ms, .grace_period_expires_date_pst: .grace
    case .auto_renew_status_change_date, .auto_renew_status_change_date_ms, .auto_renew_status_change_date_pst:
      .statusChange
    case .request_date, .request_date_ms, .request_date_pst: .request
    case .receipt_creation_date, .receipt_creation_date_ms, .receipt_creation_date_pst: .creation
    case .preorder_date, .preorder_date_ms, .preorder_date_pst: .preorder
    case .expiration_date, .expiration_date_ms, .expiration_date_pst: .expiration
    default: nil
    }
  }
}
