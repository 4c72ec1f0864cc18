internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastStores
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Finds the subscriptions and purchases whose access differs; rows are sorted on disk, so memory does not grow.
final class AccessBook {
  private let view: RecordView
  private let tolerance: Int64
  private let tally: ParityTally
  private let rows: SortingSpill
  /// Records that were written after this time do not count; `nil`: all count as far as their dates allow.
  private let limit: Int64?
  /// A revocation after that time is the end of access; else it is a later event.
  private let looksAhead: Bool
  private(set) var totals: AccessTotals
  private var last: (legacy: PairEvent?, server: PairEvent?)
  /// The last extension of a period, which V1 never reports.
  private var lastExtension: PairEvent?
  /// V2 has reversed a refund of the customer at hand.
  private var isRefundReversed = false

  /// - Parameters:
  ///   - tally: counts customers that gain or lose access.
  ///   - time: when access is judged.
  ///   - limit: records that were written later do not count.
  ///   - looksAhead: a revocation after the time is the end of access.
  ///   - tolerance: how much two clocks may differ; both in milliseconds.
  init(
    _ shapes: ShapeTable, _ tally: ParityTally, at time: Int64, limit: Int64?, looksAhead: Bool, tolerance: Int64
  ) throws {
    (self.tally, self.limit, self.looksAhead) = (tally, limit, looksAhead)
    (view, self.tolerance, rows) = (RecordView(shapes), tolerance, try SortingSpill())
    totals = AccessTotals(asOf: time)
  }

  /// Notes the events of a subscription in their order, or a part of them.
  func note(_ partition: EventPartition, isNew: Bool) throws {
    if isNew { try endCustomer() }
    for event in partition.legacy where counts(event) { last.legacy = choose(last.legacy, event) }
    for event in partition.server where counts(event) {
      last.server = choose(last.server, event)
      switch event.keys.event.notificationType {
      case NotificationType.refundReversed.rawValue: isRefundReversed = true
      case NotificationType.renewalExtended.rawValue: lastExtension = event
      default: break
      }
    }
  }

  private func counts(_ event: PairEvent) -> Bool {
    guard let limit, let time = event.time else { return true }
    return time <= limit
  }

  /// Of two events in their order, the one that shows the last known state: the order is by time for notifications, and
  /// by the time of the answer, newest first, for what answers list.
  private func choose(_ one: PairEvent?, _ two: PairEvent) -> PairEvent {
    guard let one else { return two }
    let evidence = (evidence(one), evidence(two))
    if evidence.0 != evidence.1 { return evidence.0 < evidence.1 ? two : one }
    switch two.head.unit {
    // A record about an older period, such as its refund, does not show the newest one.
    case .notification: return two.keys.purchaseDate ?? .max < one.keys.purchaseDate ?? .min ? one : two
    case .subscription: return one
    case .transaction: return two.keys.purchaseDate ?? .min > one.keys.purchaseDate ?? .min ? two : one
    }
  }

  /// What an event shows of the time at which access is judged.
  private enum Evidence: Int, Comparable {
    /// Its period begins later.
    case none
    /// It was written later, and its period was over or replaced by then.
    case past
    /// It was written before, or its dates include the time.
    case present

    static func < (left: Evidence, right: Evidence) -> Bool { left.rawValue < right.rawValue }
  }

  private func evidence(_ event: PairEvent) -> Evidence {
    let keys = event.keys
    if isLater(keys.purchaseDate) { return .none }
    guard isLater(event.time) else { return .present }
    if keys.isUpgraded { return .past }
    guard let expiry = keys.expiresDate else { return keys.purchaseDate == nil ? .past : .present }
    return expiry > totals.asOf ? .present : .past
  }

  private func isLater(_ date: Int64?) -> Bool {
    date.map { $0.subtractingReportingOverflow(tolerance).partialValue > totals.asOf } ?? false
  }

  /// All events of the subscription at hand have come, and its pairs are counted.
  func endCustomer() throws {
    defer { tally.endCustomer() }
    guard last.legacy != nil || last.server != nil else { return }
    defer { (last, lastExtension, isRefundReversed) = ((nil, nil), nil, false) }
    guard !isOfLaterTime else { return }
    var change = AccessChange(legacy: state(last.legacy), server: state(last.server))
    change.isRefundReversed = isRefundReversed
    if let lastExtension, last.legacy?.time ?? .min <= lastExtension.time ?? .min {
      change.isExtended = change.server.until != nil && change.server.until == state(lastExtension).until
    }
    // What names no subscription belongs to no customer.
    guard let id = change.originalTransactionId else { return }
    let outcome = change.outcome(tolerance: tolerance)
    totals.add(outcome)
    if let kind = outcome.kind {
      // The difference is noted even where the cause is accepted already.
      let isKnown = tally.addCustomer(change, kind)
      if isKnown || tally.acceptsRefund(change) { totals.accepted += 1 }
    } else if outcome.isEndChange, tally.acceptsEnd(change) {
      totals.endsAccepted += 1
    }
    guard outcome != .same else { return }
    let key = SortingSpill.Key(partition: 0, rank: Int64(id) ?? .max)
    try rows.add(key, AccessRow.json(change).span)
  }

  private func state(_ event: PairEvent?) -> AccessState {
    guard let event else { return AccessState() }
    let image = event.image
    view.read(image.span)
    var state = AccessState(view, at: totals.asOf, tolerance: tolerance, looksAhead: looksAhead)
    state.id = event.id
    return state
  }

  /// The customer has no record up to the time: the first purchase came later, in both archives.
  private var isOfLaterTime: Bool {
    guard limit != nil else { return false }
    return [last.legacy, last.server].compactMap(\.self).allSatisfy {
      isLater($0.time) && isLater($0.keys.purchaseDate)
    }
  }

  func finish(_ use: (AccessChange) throws -> Void) throws {
    try endCustomer()
    let reader = JSONReader(names: [])
    try rows.forEach { _, text in
      try reader.parse(JSONBuffer(text)) { try use(AccessRow.read($0)) }
    }
  }
}

private enum AccessRow {
  static func json(_ change: AccessChange) -> [UInt8] {
    JSONWriter.object(capacity: 256) { writer in
      for (name, state) in [("legacy", change.legacy), ("server", change.server)] {
        writer.object(name) {
          writer.member("access", state.access.rawValue)
          writer.member("reason", state.reason.rawValue)
          writer.member("until", ifPresent: state.until)
          writer.member("record", ifPresent: state.record)
          writer.member("row", ifPresent: state.id)
          writer.member("event", state.event)
          writer.member("id", ifPresent: state.originalTransactionId)
          writer.member("product", ifPresent: state.productId)
        }
      }
      if change.isRefundReversed { writer.member("reversed", true) }
      if change.isExtended { writer.member("extended", true) }
    }.bytes
  }

  static func read(_ row: JSONElement) -> AccessChange {
    var change = AccessChange(legacy: state(row["legacy"]), server: state(row["server"]))
    (change.isRefundReversed, change.isExtended) = (row["reversed"] != nil, row["extended"] != nil)
    return change
  }

  private static func state(_ element: JSONElement?) -> AccessState {
    var state = AccessState()
    state.access = element?["access"]?.string.flatMap(Access.init(rawValue:)) ?? .unknown
    state.reason = element?["reason"]?.string.flatMap(AccessReason.init(rawValue:)) ?? .unknown
    (state.until, state.record) = (element?["until"]?.integer, element?["record"]?.integer)
    (state.originalTransactionId, state.productId) = (element?["id"]?.string, element?["product"]?.string)
    state.id = element?["row"]?.string
    state.event = element?["event"]?.string ?? state.event
    return state
  }
}
