internal import SlipcastBulk
internal import SlipcastMapping

/// Groups the events of many subscriptions, one subscription after another.
///
/// Events arrive sorted by `originalTransactionId`. An event without one belongs to no subscription and stays separate.
final class SubscriptionStream {
  private let grouper: EventGrouper
  private var isOpen = false
  private var current: String?
  private var past = GroupingCounts()

  init(rules: RuleSet) { grouper = EventGrouper(rules: rules) }

  /// Of all subscriptions so far.
  var counts: GroupingCounts {
    var sum = past
    sum += grouper.counts
    return sum
  }

  /// The counts of the current subscription.
  var ownCounts: GroupingCounts { grouper.counts }

  /// The number of waiting events.
  var heldCount: Int { grouper.heldCount }

  /// The event belongs to another subscription than the previous one, or to none.
  func isNew(_ event: StoredEvent) -> Bool {
    !isOpen || event.originalTransactionId == nil || event.originalTransactionId != current
  }

  /// Starts a subscription; the previous one must have been finished.
  func begin(_ id: String?) {
    past += grouper.counts
    grouper.counts = GroupingCounts()
    (current, isOpen) = (id, true)
  }

  func feed(_ event: StoredEvent, _ emit: (EventGroup) throws -> Void) rethrows { try grouper.feed(event, emit) }

  /// Returns what remains of the subscription.
  func finish(_ emit: (EventGroup) throws -> Void) rethrows {
    isOpen = false
    try grouper.finish(emit)
    guard grouper.counts.addsUp else { fatalError("a message was lost: the counts of a subscription do not add up") }
  }
}
