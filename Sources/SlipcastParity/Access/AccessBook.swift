internal import SlipcastComparison
internal import SlipcastStores
@_spi(Slipcast) internal import SlipcastWire

/// Finds the subscriptions and purchases whose access differs; rows are sorted on disk, so memory does not grow.
final class AccessBook {
  private let view: RecordView
  private let tolerance: Int64
  private let tally: ParityTally
  private let rows: SortingSpill
  private(set) var totals: AccessTotals
  private var last: (legacy: PairEvent?, server: PairEvent?)

  /// - Parameters:
  ///   - tally: counts customers that gain or lose access.
  ///   - time: when access is judged.
  ///   - tolerance: how much two clocks may differ; both in milliseconds.
  init(_ shapes: ShapeTable, _ tally: ParityTally, at time: Int64, tolerance: Int64) throws {
    self.tally = tally
    (view, self.tolerance, rows) = (RecordView(shapes), tolerance, try SortingSpill())
    totals = AccessTotals(asOf: time)
  }

  /// Notes the events of a subscription in their order, or a part of them.
  func note(_ partition: EventPartition, isNew: Bool) throws {
    if isNew { try endCustomer() }
    for event in partition.legacy { last.legacy = choose(last.legacy, event) }
    for event in partition.server { last.server = choose(last.server, event) }
  }

  /// Of two events in their order, the one that shows the last known state: the order is by time for notifications, and
  /// by the time of the answer, newest first, for what answers list.
  private func choose(_ one: PairEvent?, _ two: PairEvent) -> PairEvent {
    guard let one else { return two }
    let evidence = (evidence(one), evidence(two))
    if evidence.0 != evidence.1 { return evidence.0 < evidence.1 ? two : one }
    switch two.head.unit {
    case .notification: return two
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
    defer { last = (nil, nil) }
    let change = AccessChange(legacy: state(last.legacy), server: state(last.server))
    // What names no subscription belongs to no customer.
    guard let id = change.originalTransactionId else { return }
    let outcome = change.outcome(tolerance: tolerance)
    totals.add(outcome)
    if let kind = outcome.kind, tally.addCustomer(change, kind) { totals.accepted += 1 }
    guard outcome != .same else { return }
    let key = SortingSpill.Key(partition: 0, rank: Int64(id) ?? .max)
    try rows.add(key, AccessRow.json(change).span)
  }

  private func state(_ event: PairEvent?) -> AccessState {
    guard let event else { return AccessState() }
    let image = event.image
    view.read(image.span)
    return AccessState(view, at: totals.asOf, tolerance: tolerance)
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
          writer.member("id", ifPresent: state.originalTransactionId)
          writer.member("product", ifPresent: state.productId)
        }
      }
    }.bytes
  }

  static func read(_ row: JSONElement) -> AccessChange {
    AccessChange(legacy: state(row["legacy"]), server: state(row["server"]))
  }

  private static func state(_ element: JSONElement?) -> AccessState {
    var state = AccessState()
    state.access = element?["access"]?.string.flatMap(AccessState.Access.init(rawValue:)) ?? .unknown
    state.reason = element?["reason"]?.string.flatMap(AccessReason.init(rawValue:)) ?? .unknown
    (state.until, state.record) = (element?["until"]?.integer, element?["record"]?.integer)
    (state.originalTransactionId, state.productId) = (element?["id"]?.string, element?["product"]?.string)
    return state
  }
}
