internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastWire

/// The messages of some whole subscriptions, as a spill holds them.
struct HistoryPiece: Sendable {
  struct Subscription: Sendable {
    let number: Int64
    var messages: [[UInt8]] = []
  }

  var subscriptions: [Subscription] = []
  var size = 0
}

/// Divides the messages of a spill, sorted by subscription, into pieces for several workers.
struct HistoryPieces {
  private static let bytes = 128 << 10
  /// One message more than the limits shows that the subscription has too many.
  private static let most = max(Settler.mostMessages, DeliveryOrder.mostMessages) + 1

  private var piece = HistoryPiece()

  /// What follows the pieces that were full; `nil`: nothing.
  var last: HistoryPiece? { piece.subscriptions.isEmpty ? nil : piece }

  /// Adds a message.
  ///
  /// - Returns: the piece before it, if that is full.
  mutating func add(_ subscription: Int64, _ message: Span<UInt8>) -> HistoryPiece? {
    var full: HistoryPiece?
    if piece.subscriptions.last?.number != subscription {
      if piece.size >= Self.bytes {
        full = piece
        piece = HistoryPiece()
      }
      piece.subscriptions.append(HistoryPiece.Subscription(number: subscription))
    }
    let place = piece.subscriptions.count - 1
    if piece.subscriptions[place].messages.count < Self.most {
      piece.subscriptions[place].messages.append([UInt8](message))
      piece.size += message.count
    }
    return full
  }
}
