internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastStores
internal import SlipcastTimeline
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Finds the subscriptions and purchases whose access differs; rows are sorted on disk, so memory does not grow.
final class AccessBook {
  private let view: RecordView
  private let tolerance: Int64
  private let tally: ParityTally
  private let rows: SortingSpill
  private(set) var totals: AccessTotals
  private var lives: (legacy: SideLife, server: SideLife)
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
    _ shapes: ShapeTable, _ tally: ParityTally, _ rules: RuleSet, at time: Int64, limit: Int64?, looksAhead: Bool,
    tolerance: Int64
  ) throws {
    (self.tally, self.tolerance, view, rows) = (tally, tolerance, RecordView(shapes), try SortingSpill())
    totals = AccessTotals(asOf: time)
    let life = SideLife(
      at: time, limit: limit, looksAhead: looksAhead, tolerance: tolerance, catalogue: GapCatalogue(rules))
    lives = (life, life)
  }

  /// Notes the events of a subscription in their order, or a part of them.
  func note(_ partition: EventPartition, isNew: Bool) throws {
    if isNew { try endCustomer() }
    lives.legacy.note(partition.legacy, partition.sightings, view)
    lives.server.note(partition.server, [], view)
    for event in partition.server where lives.server.counts(event) {
      switch event.keys.event.notificationType {
      case NotificationType.refundReversed.rawValue: isRefundReversed = true
      case NotificationType.renewalExtended.rawValue: lastExtension = event
      default: break
      }
    }
  }

  /// All events of the subscription at hand have come, and its pairs are counted.
  func endCustomer() throws {
    defer { tally.endCustomer() }
    guard lives.legacy.last != nil || lives.server.last != nil else { return }
    defer {
      lives.legacy.clear()
      lives.server.clear()
      (lastExtension, isRefundReversed) = (nil, false)
    }
    // The first purchase came after the time, in both archives.
    guard lives.legacy.limit == nil || lives.legacy.isBegun || lives.server.isBegun else { return }
    var change = AccessChange(legacy: lives.legacy.state(view), server: lives.server.state(view))
    change.isRefundReversed = isRefundReversed
    if let lastExtension, lives.legacy.last?.time ?? .min <= lastExtension.time ?? .min {
      change.isExtended = change.server.until != nil && change.server.until == lastExtension.keys.expiresDate
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
