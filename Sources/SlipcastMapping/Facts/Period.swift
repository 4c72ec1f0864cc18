@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// One transaction of the body, with what choosing and judging need at hand.
struct Period {
  let row: Int
  /// Milliseconds since 1970 UTC, or `LegacyRows.noInstant`.
  let purchase: Int64
  let expires: Int64
  var cancellation: Int64
  /// The row of another list that states the cancellation, where its own does not.
  private(set) var cancelledBy: Int?
  /// As its row says, or as other messages of the archive settle.
  var isUpgraded: Bool
  /// Its position among the purchases: the purchase date, or the refund's date for a renewal that was charged early and
  /// taken back before it began.
  let order: Int64
  /// The row's `original_transaction_id`.
  let original: JSONText?
  /// The row's `transaction_id`.
  let id: JSONText?
  /// The period before it in the lists has the same one: rows of one subscription mostly follow each other, and each
  /// comparison of texts is made once.
  let repeatsOriginal: Bool
  /// It has the original transaction of the event.
  var isSameOriginal = false
  /// It is still in question for being the event's transaction.
  var isCandidate = true

  static let none = LegacyRows.noInstant

  init(_ record: borrowing LegacyRecord, _ row: Int, after previous: Period?) {
    self.row = row
    original = record.text(row, .original_transaction_id)
    id = record.text(row, .transaction_id)
    repeatsOriginal =
      if let original, let other = previous?.original { original == other } else { false }
    purchase = record.rows.instant(row, .purchase)
    expires = record.rows.instant(row, .expires)
    cancellation = record.rows.instant(row, .cancellation)
    isUpgraded = record.rows.slot(row, .is_upgraded) != 0 && record.flag(row, .is_upgraded) == true
    let isTakenBackBefore = cancellation != Self.none && cancellation < purchase && !isUpgraded
    order = isTakenBackBefore ? cancellation : purchase
  }

  /// Takes a cancellation that another row of the transaction states.
  mutating func learnCancellation(_ record: borrowing LegacyRecord, of other: Int) {
    guard !isCancelled, !isUpgraded, let date = record.instant(other, .cancellation) else { return }
    (cancellation, cancelledBy) = (date, other)
  }

  var isCancelled: Bool { cancellation != Self.none }
  /// Refunded or revoked: an upgrade also leaves a cancellation date, but takes nothing back.
  var isRevoked: Bool { isCancelled && !isUpgraded }
  /// When it stops running: at its expiry, or before that when it is taken back; a refund leaves the expiry as it was.
  var end: Int64 { isRevoked ? min(expires, cancellation) : expires }

  /// A renewal that was charged early, and taken back before its purchase date.
  var isTakenBackBeforeItBegan: Bool { order < purchase }

  /// It ended, or was taken back, before its purchase date, which may be that of a restore: renewals are charged only a
  /// while before they begin.
  func isOutOfOrder(early: Int64) -> Bool {
    guard purchase != Self.none else { return false }
    return expires != Self.none && expires < purchase || isCancelled && purchase - cancellation > early
  }

  /// The newest first, and equal ones by their ids: what is chosen must not depend on the order of the record, which Apple
  /// does not promise.
  func isBefore(_ other: Period) -> Bool {
    if (order, expires) != (other.order, other.expires) { return (order, expires) > (other.order, other.expires) }
    guard let id else { return false }
    guard let rival = other.id else { return true }
    return id.count == rival.count ? id.buffer.lexicographicallyPrecedes(rival.buffer) : id.count < rival.count
  }

  /// Orders by purchase, then by expiry: restored periods may share one purchase date, which one spelling of it may have
  /// without its milliseconds.
  func isNewer(than other: Period) -> Bool {
    order.isOtherSecond(than: other.order) ? order > other.order : expires > other.expires
  }
}
