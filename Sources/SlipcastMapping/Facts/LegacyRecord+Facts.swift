@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

// What one row of a record says, and whether that can be read.

extension LegacyRecord {
  /// Whether V1 states that a transaction is shared with the family; `nil` where it states no ownership, or one that V1
  /// does not document.
  func isFamilyShared(_ row: Int) -> Bool? {
    guard let text = text(row, .in_app_ownership_type) else { return nil }
    return text == Words.familyShared.text ? true : text == Words.purchased.text ? false : nil
  }

  /// A word that says neither.
  func isOwnerUnclear(_ row: Int) -> Bool {
    rows.slot(row, .in_app_ownership_type) != 0 && isFamilyShared(row) == nil
  }

  /// Whether two rows have the same text under a key; `nil` where one of them has none.
  func isSame(_ key: LegacyKey, in left: Int, and right: Int) -> Bool? {
    guard let one = text(left, key), let two = text(right, key) else { return nil }
    return one == two
  }

  /// A renewal that was charged early, and that the purchase of another product ended before it began.
  func isReplacedBeforeItBegan(_ period: Period, _ periods: [Period], early: Int64) -> Bool {
    guard period.isUpgraded, let original = period.original, periods.count <= SubjectFinder.mostSearched,
      let product = text(period.row, .product_id)
    else { return false }
    return periods.contains { other in
      other.original == original && other.purchase <= period.purchase && other.expires > period.purchase
        && period.purchase - other.purchase <= early
        && text(other.row, .product_id).map { !($0 == product) } ?? false
        && periods.contains {
          $0.original == original && $0.expires == period.purchase && $0.purchase < other.purchase
        }
    }
  }

  /// Whether all values of a row are also in another one of the same id.
  func isRepeat(_ row: Int, of other: Int) -> Bool {
    for date in LegacyInstant.allCases {
      if let own = instant(row, date), instant(other, date).map({ $0.isOtherSecond(than: own) }) ?? true {
        return false
      }
    }
    return LegacyKey.allCases.allSatisfy { key in
      guard LegacyInstant.of(key) == nil, let own = text(row, key) else { return true }
      // A flag that is off says the same as none.
      if let flag = LegacyNumber.flag(own) { return self.flag(other, key) ?? false == flag }
      return text(other, key).map { $0 == own } ?? false
    }
  }

  /// The transactions of a list; a single object in its place is flat.
  var list: Range<Int> { self.isListFlat ? 0..<0 : self.transactions }

  /// The row is a flat object.
  private func isFlat(_ row: Int) -> Bool { row == self.flat || self.isListFlat && self.transactions.contains(row) }

  /// The app as a notification names it; old bodies do so only in the flat object.
  var statedApp: JSONText? { text(self.body, .bid) ?? self.flat.flatMap { text($0, .bid) } }

  /// The app as any form of record names it.
  var app: JSONText? { statedApp ?? self.receipt.flatMap { text($0, .bundle_id) } }

  /// The transaction was taken back, at a time that cannot be read: only then V1 sends these keys.
  func isCancellationUnclear(_ row: Int) -> Bool {
    isUnreadable(row, .cancellation) || isUnreadable(row, .cancellation_reason)
      || instant(row, .cancellation) == nil && rows.slot(row, .cancellation_reason) != 0
  }

  /// A transaction of that form can have the key: rows of `in_app` and flat objects have fewer keys than lists.
  func mayHold(_ row: Int, _ key: LegacyKey) -> Bool {
    switch key {
    case .is_upgraded, .offer_code_ref_name, .app_account_token: !self.inApp.contains(row) && !isFlat(row)
    case .subscription_group_identifier: !self.inApp.contains(row)
    case .promotional_offer_id: !isFlat(row)
    default: true
    }
  }
}
