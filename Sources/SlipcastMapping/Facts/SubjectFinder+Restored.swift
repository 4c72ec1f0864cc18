@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

// Purchases that StoreKit 1 restored: it lists them again under new ids, which V2 does not know.

extension SubjectFinder {
  /// The purchase of which a period may be a restored copy: it has the same line item and dates, and the lowest id.
  func purchase(restoredAs target: Int, _ periods: [Period]) -> Int {
    var first = target
    for place in periods.indices where place != first {
      if isCopy(periods[place], of: periods[target]), hasLowerId(periods[place], than: periods[first]) { first = place }
    }
    return first
  }

  private func isCopy(_ one: Period, of other: Period) -> Bool {
    (one.purchase, one.expires, one.cancellation) == (other.purchase, other.expires, other.cancellation)
      && one.isUpgraded == other.isUpgraded
      && record.isSame(.web_order_line_item_id, in: one.row, and: other.row) == true
  }

  private func hasLowerId(_ one: Period, than other: Period) -> Bool {
    guard let own = record.text(one.row, .transaction_id), let id = record.text(other.row, .transaction_id) else {
      return false
    }
    return own.count == id.count ? own.buffer.lexicographicallyPrecedes(id.buffer) : own.count < id.count
  }
}
