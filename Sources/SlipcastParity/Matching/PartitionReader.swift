internal import SlipcastComparison
internal import SlipcastStores

/// What comes next when the events of two archives are matched.
// Safe to share: after it is passed on, only the receiver changes its events.
enum MatchStep: @unchecked Sendable {
  case part(EventPartition, subscription: Int64, isNew: Bool)
  /// All events of a subscription have come; `nil` where access is not judged by them.
  case endOfCustomer(AccessChange?)

  var bytes: Int {
    switch self {
    case .part(let partition, _, _): partition.bytes
    case .endOfCustomer: 256
    }
  }
}

/// Reads events from a sort buffer, in parts that share a name.
final class PartitionReader {
  private let side: RecordView

  init(_ shapes: ShapeTable) { side = RecordView(shapes) }

  /// Passes on what the first round of matching needs: the events of one subscription after another, and then their access.
  ///
  /// - Parameter customers: judge access; `nil` if not requested.
  func read(_ events: SortingSpill, _ customers: CustomerAccess?, _ take: (MatchStep) throws -> Void) throws {
    var isFirst = true
    try forEachPartition(events) { partition, subscription, isNew in
      if let customers {
        if isNew, !isFirst { try take(.endOfCustomer(customers.end())) }
        isFirst = false
        customers.note(partition)
      }
      try take(.part(partition, subscription: subscription, isNew: isNew))
    }
    if let customers, !isFirst { try take(.endOfCustomer(customers.end())) }
  }

  /// Hands out what shares a name, in parts where that is very much.
  func forEachPartition(
    _ spill: SortingSpill, _ use: (EventPartition, Int64, _ isNew: Bool) throws -> Void
  ) throws {
    var partition = EventPartition()
    var current: Int64?
    var isNew = true
    func flush() throws {
      guard let current, partition.count > 0 else { return }
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
    }
    try flush()
  }
}
