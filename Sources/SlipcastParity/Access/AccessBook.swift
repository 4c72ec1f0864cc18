internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastStores
@_spi(Slipcast) internal import SlipcastWire

/// The subscriptions and purchases whose access differs; rows are sorted on disk, so memory does not grow.
final class AccessBook {
  /// Finds the access of one customer after another.
  let customers: CustomerAccess
  private let tolerance: Int64
  private let tally: ParityTally
  private let rows: SortingSpill
  private(set) var totals: AccessTotals

  /// - Parameters:
  ///   - tally: counts customers that gain or lose access.
  ///   - time: when access is judged.
  ///   - tolerance: how much two clocks may differ; both in milliseconds.
  init(_ customers: CustomerAccess, _ tally: ParityTally, at time: Int64, tolerance: Int64) throws {
    (self.customers, self.tally, self.tolerance, rows) = (customers, tally, tolerance, SortingSpill())
    totals = AccessTotals(asOf: time)
  }

  /// Counts a customer whose pairs are counted; `nil` for one without events that count.
  func endCustomer(_ change: AccessChange?) throws {
    defer { tally.endCustomer() }
    // What names no subscription belongs to no customer.
    guard let change, let id = change.originalTransactionId else { return }
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
          state.write(to: writer)
          writer.member("event", state.event)
          writer.member("originalTransactionId", ifPresent: state.originalTransactionId)
          writer.member("productId", ifPresent: state.productId)
        }
      }
      if change.isRefundReversed { writer.member("reversed", true) }
      if change.isExtended { writer.member("extended", true) }
      writer.member("asOf", ifPresent: change.asOf)
    }.bytes
  }

  static func read(_ row: JSONElement) -> AccessChange {
    var change = AccessChange(legacy: state(row["legacy"]), server: state(row["server"]))
    (change.isRefundReversed, change.isExtended) = (row["reversed"] != nil, row["extended"] != nil)
    change.asOf = row["asOf"]?.integer
    return change
  }

  private static func state(_ element: JSONElement?) -> AccessState {
    var state = AccessState(element)
    state.originalTransactionId = element?["originalTransactionId"]?.string
    state.productId = element?["productId"]?.string
    state.event = element?["event"]?.string ?? state.event
    return state
  }
}
