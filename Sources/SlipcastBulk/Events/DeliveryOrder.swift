package import SlipcastMapping
package import SlipcastSystem

/// Distinguishes repeated deliveries of one subscription's messages from separate events in the order of receipt.
///
/// `EventSequence` takes the messages in the order of the archive: a message that comes too late cannot part two that
/// were treated as one. Where the whole subscription is known, the order of the archive does not matter.
package struct DeliveryOrder {
  private let sequence: EventSequence
  /// A subscription with more messages keeps the order of the archive: their traces are held in memory.
  package static let mostMessages = 100_000

  package init(rules: RuleSet) { sequence = EventSequence(RepeatWindows(rules)) }

  /// The numbers of the events of messages without a time, in the order of their receipt.
  ///
  /// - Returns: nothing where the archive is in this order, or a received time is not known.
  package func ordinals(of messages: [EventTrace]) throws(FileError) -> [(trace: EventTrace, ordinal: Int)] {
    guard messages.count <= Self.mostMessages, messages.contains(where: { $0.kind != .dated }) else { return [] }
    let traces = messages.filter { $0.kind != .dated || $0.state != 0 }
    let times = traces.compactMap(\.receivedAt)
    guard times.count == traces.count, !zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 }) else { return [] }
    sequence.removeAll()
    var found: [(trace: EventTrace, ordinal: Int)] = []
    var known: [EventTrace: Int] = [:]
    for index in traces.indices.sorted(by: { (times[$0], $0) < (times[$1], $1) }) {
      let ordinal = try sequence.settle(traces[index]).ordinal
      guard traces[index].kind != .dated else { continue }
      // Equal messages of one received time that are two events: only their order in the archive distinguishes them.
      if let other = known.updateValue(ordinal, forKey: traces[index]), other != ordinal { return [] }
      found.append((traces[index], ordinal))
    }
    return found
  }
}
