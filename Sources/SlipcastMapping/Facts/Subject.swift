@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// What an event is about: its transaction, the subscription around it, the renewal that belongs to it.
///
/// V1 does not name the transaction. The order of evidence: the body's `web_order_line_item_id` (CANCEL), its
/// `original_transaction_id`, the flat object of old bodies, the newest cancellation (reversals), the renewal entry of
/// the body's `auto_renew_product_id`; then the newest period that is not upgraded.
struct Subject {
  /// The event's transaction as a place in `periods`.
  var target: Int?
  /// The period before it, of the same original transaction or else of the same group.
  var previous: Int?
  /// The newest period of the subscription that is not upgraded.
  var newest: Int?
  /// The row of the renewal entry.
  var renewal: Int?
  /// The original transaction as the body or the flat object names it.
  var original: JSONText?
  /// More than one subscription is in the body and nothing says which one is meant.
  var isUncertain = false
  /// A transaction is named but not listed.
  var isUnlisted = false
}

extension Subject {
  /// Chooses by the evidence above.
  static func find(_ record: LegacyRecord, _ type: LegacyEventType, _ periods: inout [Period]) -> Subject {
    var subject = Subject()
    let body = record.body
    subject.original = record.text(body, .original_transaction_id)
    if subject.original == nil, let flat = record.flat {
      subject.original = record.text(flat, .original_transaction_id)
    }
    if type == .CANCEL, let line = record.text(body, .web_order_line_item_id) {
      subject.target = periods.indices.first {
        record.text(periods[$0].row, .web_order_line_item_id).map { $0 == line } ?? false
      }
    }
    if subject.target == nil { subject.chooseTarget(record, type, &periods) }
    if let target = subject.target, subject.original == nil {
      subject.original = record.text(periods[target].row, .original_transaction_id)
    }
    subject.mark(record, &periods)
    subject.newest = newest(periods) { $0.isSameOriginal && !$0.isUpgraded }
    subject.findRenewal(record, periods)
    if let target = subject.target { subject.findPrevious(record, periods, target) }
    return subject
  }

  private mutating func chooseTarget(_ record: LegacyRecord, _ type: LegacyEventType, _ periods: inout [Period]) {
    var isNamed = false
    if let original {
      isNamed = Self.narrow(record, &periods, .original_transaction_id, original)
      if !isNamed, isUnlistedWithout(type, record) {
        isUnlisted = true
        return
      }
    }
    if type.isReversal { target = Self.newestCancellation(periods) }
    guard target == nil else { return }
    if !isNamed { isNamed = narrowByRenewal(record, &periods) }
    target = Self.newest(periods) { $0.isCandidate && !$0.isUpgraded } ?? Self.newest(periods) { $0.isCandidate }
    isUncertain = !isNamed && isMixed(record, periods)
  }

  /// Drops every period with another value under a key; when none has it, all stay.
  private static func narrow(
    _ record: LegacyRecord, _ periods: inout [Period], _ key: LegacyKey, _ value: JSONText
  ) -> Bool {
    let fits = { (period: Period) in record.text(period.row, key).map { $0 == value } ?? false }
    guard periods.contains(where: fits) else { return false }
    for index in periods.indices where periods[index].isCandidate { periods[index].isCandidate = fits(periods[index]) }
    return true
  }

  /// The newest refund or revocation; an upgraded period only when no other is cancelled.
  private static func newestCancellation(_ periods: [Period]) -> Int? {
    var found: Int?
    for index in periods.indices where periods[index].isCandidate && periods[index].isCancelled {
      guard let old = found.map({ periods[$0] }) else {
        found = index
        continue
      }
      let new = periods[index]
      let isBetter = new.isUpgraded == old.isUpgraded ? new.cancellation > old.cancellation : old.isUpgraded
      if isBetter { found = index }
    }
    return found
  }

  /// A refund or consumption request names its purchase at the top level; no other row may stand in for it.
  private func isUnlistedWithout(_ type: LegacyEventType, _ record: LegacyRecord) -> Bool {
    (type.isReversal || type == .CONSUMPTION_REQUEST) && record.text(record.body, .original_transaction_id) != nil
  }

  private func narrowByRenewal(_ record: LegacyRecord, _ periods: inout [Period]) -> Bool {
    guard let product = record.text(record.body, .auto_renew_product_id),
      let entry = record.renewals.first(where: {
        record.text($0, .auto_renew_product_id).map { $0 == product } ?? false
      })
    else { return false }
    if let original = record.text(entry, .original_transaction_id) {
      return Self.narrow(record, &periods, .original_transaction_id, original)
    }
    return Self.narrow(record, &periods, .product_id, record.text(entry, .product_id) ?? product)
  }

  private func isMixed(_ record: LegacyRecord, _ periods: [Period]) -> Bool {
    guard let first = periods.first, let original = record.text(first.row, .original_transaction_id) else {
      return false
    }
    return periods.contains { !(record.text($0.row, .original_transaction_id).map { $0 == original } ?? true) }
  }

  private func mark(_ record: LegacyRecord, _ periods: inout [Period]) {
    guard let original else {
      for index in periods.indices { periods[index].isSameOriginal = index == target }
      return
    }
    for index in periods.indices {
      periods[index].isSameOriginal =
        record.text(periods[index].row, .original_transaction_id).map { $0 == original } ?? (index == target)
    }
  }

  private static func newest(_ periods: [Period], _ fits: (Period) -> Bool) -> Int? {
    var found: Int?
    for index in periods.indices where fits(periods[index]) {
      if let old = found, !periods[index].isNewer(than: periods[old]) { continue }
      found = index
    }
    return found
  }

  // MARK: renewal

  private mutating func findRenewal(_ record: LegacyRecord, _ periods: [Period]) {
    let product = target.flatMap { record.text(periods[$0].row, .product_id) }
    let next = record.text(record.body, .auto_renew_product_id)
    var rank = 0
    for entry in record.renewals {
      var points = 0
      if let original, let own = record.text(entry, .original_transaction_id) {
        guard own == original else { continue }
        points = 8
      }
      if let product, let own = record.text(entry, .product_id), own == product { points += 2 }
      if let next, let own = record.text(entry, .auto_renew_product_id), own == next { points += 1 }
      if record.renewals.count == 1, points == 0, record.text(entry, .original_transaction_id) == nil { points = 1 }
      if points > rank { (rank, renewal) = (points, entry) }
    }
  }

  // MARK: previous period

  private mutating func findPrevious(_ record: LegacyRecord, _ periods: [Period], _ target: Int) {
    let group = record.text(periods[target].row, .subscription_group_identifier)
    var isSame = false
    for index in periods.indices where index != target && periods[target].isNewer(than: periods[index]) {
      let period = periods[index]
      let sameGroup = group.flatMap { group in
        record.text(period.row, .subscription_group_identifier).map { $0 == group }
      }
      guard period.isSameOriginal || sameGroup == true, period.expires != Period.none else { continue }
      if let old = previous {
        if isSame && !period.isSameOriginal { continue }
        if isSame == period.isSameOriginal, !period.isNewer(than: periods[old]) { continue }
      }
      (previous, isSame) = (index, period.isSameOriginal)
    }
  }
}
