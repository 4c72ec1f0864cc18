internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastStores
@_spi(Slipcast) internal import SlipcastWire

/// Pairs the events of two archives: subscription by subscription, then what is left by line item, then by product and
/// dates.
final class ArchiveMatcher {
  private let matcher: PartitionMatcher
  private let reader: PartitionReader
  /// Finds whose access differs; `nil` if not requested.
  private let access: AccessBook?
  /// Another thread reads events, and judges access.
  private let isAside: Bool
  private let watch: (Int) throws -> Void
  private var done = 0
  private let body = JSONWriter(capacity: 4096)

  /// - Parameters:
  ///   - isAside: another thread reads events, and judges access, while this one pairs them.
  ///   - watch: called now and then with the number of events done.
  init(
    _ tally: ParityTally, _ rules: RuleSet, _ shapes: ShapeTable, _ links: CustomerLinks, access: AccessBook?,
    isAside: Bool, watch: @escaping (Int) throws -> Void
  ) {
    (self.access, self.isAside, self.watch) = (access, isAside, watch)
    matcher = PartitionMatcher(tally, rules, shapes, links)
    reader = PartitionReader(shapes)
  }

  func match(_ events: SortingSpill) throws {
    let byLineItem = SortingSpill(in: SortedSpill(isAside: isAside))
    try ReadAhead.forEach(isAside: isAside, size: \.bytes) { [reader, customers = access?.customers] take in
      try reader.read(events, customers) { try take($0) }
    } use: { (step: MatchStep) in
      switch step {
      case .part(let partition, let subscription, let isNew):
        if isNew { matcher.begin() }
        try matcher.match(partition, subscription: subscription) { event, isLegacy in
          try add(event, isLegacy, to: byLineItem, name: event.lineItem)
        }
        // Of very many events those of other parts may report the refunds.
        if isNew, !partition.isFull { matcher.noteShownRefunds(partition) }
        try note(partition)
      case .endOfCustomer(let change): try access?.endCustomer(change)
      }
    }
    let byPurchase = SortingSpill(in: SortedSpill(isAside: isAside))
    try reader.forEachPartition(byLineItem) { partition, subscription, _ in
      try matcher.matchRest(partition, subscription: subscription) { event, isLegacy in
        try add(event, isLegacy, to: byPurchase, name: event.purchase)
      }
      try note(partition)
    }
    try reader.forEachPartition(byPurchase) { partition, subscription, _ in
      matcher.matchRest(partition, subscription: subscription) { event, isLegacy in
        matcher.close(event, isLegacy: isLegacy)
      }
      try note(partition)
    }
  }

  /// Counts the events that are done.
  private func note(_ partition: EventPartition) throws {
    let before = done
    done += partition.count
    if before / 4096 != done / 4096 { try watch(done) }
  }

  /// Keeps an event for a later round; one without a name for that round stands alone there.
  private func add(_ event: PairEvent, _ isLegacy: Bool, to spill: SortingSpill, name: UInt64?) throws {
    let partition = name.map { Int64(bitPattern: $0) } ?? event.loneName
    body.clear()
    event.store(isLegacy: isLegacy, to: body)
    try spill.add(SortingSpill.Key(partition: partition, rank: event.time ?? 0), body.buffer.span)
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
