internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastWire

/// The messages of some whole subscriptions, as a spill holds them.
struct HistoryPiece: Sendable {
  struct Subscription: Sendable {
    let number: Int64
    /// One more than settling takes shows that there are too many.
    var messages: [[UInt8]] = []
    /// What distinguishes the further ones.
    var furtherTraces: [EventTrace] = []

    /// Of a very large subscription, memory must not hold all messages.
    fileprivate mutating func add(_ message: [UInt8], keepsNames: Bool) {
      guard messages.count > Settler.mostMessages else { return messages.append(message) }
      guard furtherTraces.count <= DeliveryOrder.mostMessages,
        let trace = HistoryMessage(message, after: keepsNames ? MessageName.end(in: message) : 0)?.trace
      else { return }
      furtherTraces.append(trace)
    }
  }

  var subscriptions: [Subscription] = []
  var size = 0
}

/// Divides the messages of a spill, sorted by subscription, into pieces for several workers.
struct HistoryPieces {
  private static let bytes = 128 << 10

  private let keepsNames: Bool
  private var piece = HistoryPiece()

  /// - Parameter keepsNames: a name stands before each message.
  init(keepsNames: Bool) { self.keepsNames = keepsNames }

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
    piece.size += message.count
    piece.subscriptions[piece.subscriptions.count - 1].add([UInt8](message), keepsNames: keepsNames)
    return full
  }
}
