internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastStores
@_spi(Slipcast) internal import SlipcastWire

/// Pairs the events of two archives: subscription by subscription, then what is left by line item, then by product and
/// dates.
final class ArchiveMatcher {
  private let matcher: PartitionMatcher
  private let side: RecordView
  /// Finds whose access differs; `nil` if not requested.
  private let access: AccessBook?
  private let watch: (Int) throws -> Void
  private var done = 0
  private let body = JSONWriter(capacity: 4096)

  /// - Parameter watch: called now and then with the number of events done.
  init(
    _ tally: ParityTally, _ rules: RuleSet, _ shapes: ShapeTable, access: AccessBook?,
    watch: @escaping (Int) throws -> Void
  ) {
    (self.access, self.watch) = (access, watch)
    matcher = PartitionMatcher(tally, rules, shapes)
    side = RecordView(shapes)
  }

  func match(_ events: SortingSpill) throws {
    let byLineItem = try SortingSpill()
    try forEachPartition(events) { partition, subscription, isNew in
      if isNew { matcher.begin() }
      try access?.note(partition, isNew: isNew)
      try matcher.match(partition, subscription: subscription) { event, isLegacy in
        try add(event, isLegacy, to: byLineItem, name: event.lineItem)
      }
    }
    try access?.endCustomer()
    let byPurchase = try SortingSpill()
    try forEachPartition(byLineItem) { partition, subscription, _ in
      try matcher.matchRest(partition, subscription: subscription) { event, isLegacy in
        try add(event, isLegacy, to: byPurchase, name: event.purchase)
      }
    }
    try forEachPartition(byPurchase) { partition, subscription, _ in
      matcher.matchRest(partition, subscription: subscription) { event, isLegacy in
        matcher.close(event, isLegacy: isLegacy)
      }
    }
  }

  /// Keeps an event for a later round; one without a name for that round stands alone there.
  private func add(_ event: PairEvent, _ isLegacy: Bool, to spill: SortingSpill, name: UInt64?) throws {
    let partition = name.map { Int64(bitPattern: $0) } ?? event.loneName
    body.clear()
    event.store(isLegacy: isLegacy, to: body)
    try spill.add(SortingSpill.Key(partition: partition, rank: event.time ?? 0), body.buffer.span)
  }

  /// Hands out what shares a name, in parts where that is very much.
  private func forEachPartition(
    _ spill: SortingSpill, _ use: (EventPartition, Int64, _ isNew: Bool) throws -> Void
  ) throws {
    var partition = EventPartition()
    var current: Int64?
    var isNew = true
    func flush() throws {
      guard let current else { return }
      guard !(partition.legacy.isEmpty && partition.server.isEmpty) else { return partition.clear() }
      try use(partition, current, isNew)
      partition.clear()
      isNew = false
    }
    try spill.forEach { key, body in
      if key.partition != current {
        try flush()
        (current, isNew) = (key.partition, true)
      } else if partition.isFull {
        try flush()
      }
      if Sighting.isStored(body) {
        partition.add(Sighting(stored: body))
      } else {
        partition.add(PairEvent(stored: body, side), isLegacy: PairEvent.isLegacy(body))
      }
      done += 1
      if done % 4096 == 0 { try watch(done) }
    }
    try flush()
  }
}

extension PairEvent {
  /// The name by which events of one line item find each other under different subscriptions.
  fileprivate var lineItem: UInt64? { keys.webOrderLineItemId }

  /// The name by which they do without one.
  fileprivate var purchase: UInt64? {
    guard let product = keys.productId, let date = keys.purchaseDate else { return nil }
    return (product ^ UInt64(bitPattern: date)) &* 0x9E37_79B9_7F4A_7C15
  }

  /// A number that no other event has.
  fileprivate var loneName: Int64 { Int64.min &+ head.record &* 2 &+ (head.origin == .legacy ? 0 : 1) }
}
