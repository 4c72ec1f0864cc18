package import SlipcastBulk

/// Events that follow each other in a store, of whole subscriptions as far as they are not very long.
package struct EventPiece: Sendable {
  package var events: [StoredEvent] = []
  /// The last subscription ends with it.
  package var isWhole = true

  package init() {}
}

/// Divides the events of a store, sorted by subscription, into pieces for several workers.
package struct EventPieces {
  private static let (bytes, events) = (256 << 10, 256)
  /// A subscription beyond this is divided, so that memory does not grow with it.
  private static let most = 8

  private let take: (EventPiece, _ isNext: Bool) throws -> Void
  private var piece = EventPiece()
  private var size = 0
  private var isNext = false

  /// - Parameter take: receives each piece, and whether it continues the last subscription of the one before.
  package init(_ take: @escaping (EventPiece, _ isNext: Bool) throws -> Void) { self.take = take }

  package mutating func add(_ event: StoredEvent) throws {
    if let last = piece.events.last {
      let isBoundary = event.subscription == nil || event.subscription != last.subscription
      let limit = isBoundary ? 1 : Self.most
      if size >= limit * Self.bytes || piece.events.count >= limit * Self.events { try pass(isWhole: isBoundary) }
    }
    piece.events.append(event)
    size += event.body.count
  }

  package mutating func finish() throws { if !piece.events.isEmpty { try pass(isWhole: true) } }

  private mutating func pass(isWhole: Bool) throws {
    piece.isWhole = isWhole
    try take(piece, isNext)
    (piece, size, isNext) = (EventPiece(), 0, !isWhole)
  }
}
