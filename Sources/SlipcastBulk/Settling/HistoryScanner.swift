package import SlipcastMapping
@_spi(Slipcast) package import SlipcastWire

/// Collects what the records of a block show of their subscriptions.
package final class HistoryScanner: RecordScanner {
  /// Each message with the number of its subscription; record numbers count from the block's start.
  package private(set) var messages: [(subscription: Int64, message: HistoryMessage)] = []
  /// The original transaction ids of the messages' subscriptions, in their order, where they are kept.
  package private(set) var names: [String] = []
  private let keepsNames: Bool
  /// V1's types of the messages that are ambiguous as single records.
  package private(set) var ambiguous: [String] = []

  package init(keepsNames: Bool = false) { self.keepsNames = keepsNames }

  package func begin() -> Int? {
    messages.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
    ambiguous.removeAll(keepingCapacity: true)
    return nil
  }

  package func isServer(_ tape: JSONTape, _ root: Int) -> Bool { false }

  // V2 records need no settling.
  package func take(server tape: JSONTape, _ root: Int, record: Int, receivedAt: Int64?) {}

  package func take(legacy converter: Converter, record: Int) {
    let witness = Settlement.Witness(source: 0, record: record)
    messages +=
      keepsNames
      ? converter.historyMessages(witness) { names.append($0) } : converter.historyMessages(witness)
    if converter.isAmbiguous, let type = converter.notification_type { ambiguous.append(type) }
  }
}
