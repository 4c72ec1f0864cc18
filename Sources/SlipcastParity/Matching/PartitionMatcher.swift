internal import SlipcastComparison
internal import SlipcastMapping

/// Pairs the events of one partition, counts what is settled, and hands on what is not.
final class PartitionMatcher {
  private let tally: ParityTally
  private let finder: PairFinder
  private let grouping: MessageGrouping
  private let kinds: EventKinds
  private let firstInstant: Int64
  private let one: EventSide
  private let two: EventSide
  /// Ids of the subscription at hand, to know what comes again.
  @exclusivity(unchecked) private var known = (legacy: SeenIds(), server: SeenIds())

  init(_ tally: ParityTally, _ rules: RuleSet, _ shapes: ShapeTable) {
    self.tally = tally
    kinds = EventKinds(rules)
    finder = PairFinder(tally, rules, kinds)
    grouping = MessageGrouping(rules)
    firstInstant = rules.serverStart?.milliseconds ?? .min
    (one, two) = (EventSide(shapes), EventSide(shapes))
  }

  /// Begins another subscription.
  func begin() {
    known.legacy.clear()
    known.server.clear()
  }

  /// Deals with the events of one subscription, or a part of them.
  ///
  /// - Parameter rest: takes events that may have a counterpart under another name.
  func match(
    _ partition: EventPartition, subscription: Int64, rest: (PairEvent, _ isLegacy: Bool) throws -> Void
  ) rethrows {
    let legacy = fresh(partition.legacy, &known.legacy, &tally.pairs.duplicates.legacy)
    var server = fresh(partition.server, &known.server, &tally.pairs.duplicates.server)
    let roles = grouping.roles(partition.legacy, of: legacy)
    let leads = settle(partition, roles.leads, &server, subscription, isCertain: false)
    // V2 may tell an event of its own besides that of the action, such as the end of auto-renewal before a refund.
    let companions = settle(partition, roles.companions, &server, subscription, isCertain: true)
    tally.pairs.absorbed += companions.count
    for place in leads { try rest(partition.legacy[place], true) }
    for place in server {
      let event = partition.server[place]
      if isFinal(event) { close(event, isLegacy: false) } else { try rest(event, false) }
    }
  }

  /// Pairs what is left of other partitions and shares another name.
  func matchRest(
    _ partition: EventPartition, subscription: Int64, rest: (PairEvent, _ isLegacy: Bool) throws -> Void
  ) rethrows {
    var server = Array(partition.server.indices)
    let leads = settle(partition, Array(partition.legacy.indices), &server, subscription, isCertain: false)
    for place in leads { try rest(partition.legacy[place], true) }
    for place in server { try rest(partition.server[place], false) }
  }

  /// Counts an event that nothing is left to be paired with.
  func close(_ event: PairEvent, isLegacy: Bool) {
    if !isLegacy, !event.hasPayload { tally.withoutPayload += 1 }
    if isLegacy {
      let time = event.time ?? event.keys.expiresDate
      let isEarly = event.head.unit == .notification && time.map { $0 < firstInstant } ?? false
      tally.add(isEarly ? .notComparable : .legacyWithoutServer, event.head, time: event.keys.coveredTime)
    } else if let rule = kinds.serverOnly(event.keys) {
      tally.add(.serverOnlyEvents, event.head, time: event.keys.coveredTime, rule: rule)
    } else if event.head.unit == .notification, kinds.isUnknown(event.keys.event) {
      tally.add(.unknownEvents, event.head, time: event.keys.coveredTime)
    } else {
      tally.add(.serverWithoutLegacy, event.head, time: event.keys.coveredTime)
    }
  }

  /// No message of V1's can be the event.
  private func isFinal(_ event: PairEvent) -> Bool {
    event.head.origin == .server && event.head.unit == .notification && kinds.serverOnly(event.keys) != nil
      && !kinds.mayBeTold(event.keys.event)
  }

  // MARK: steps

  /// The places of events whose ids are new.
  private func fresh(_ events: [PairEvent], _ known: inout SeenIds, _ duplicates: inout Int) -> [Int] {
    events.indices.filter { place in
      if isNew(events[place], &known) { return true }
      duplicates += 1
      return false
    }
  }

  /// Of several transactions that stand for one period each is new; an earlier copy of one of them is not.
  private func isNew(_ event: PairEvent, _ known: inout SeenIds) -> Bool {
    guard let id = event.head.id else { return true }
    guard event.head.unit == .transaction, let transaction = event.keys.transactionId else {
      return known.insert(id.high, id.low)
    }
    let isNew = known.insert(id.high | Self.exact, transaction ^ id.low &* 31)
    if event.keys.isSeatAddition { return isNew }
    return known.insert(id.high, id.low) && isNew
  }

  /// Marks ids that name line item and transaction.
  private static let exact: UInt64 = 1 << 32

  /// Pairs messages with notifications that are free, compares the pairs, and gives the messages that have none.
  private func settle(
    _ partition: EventPartition, _ legacy: [Int], _ server: inout [Int], _ subscription: Int64, isCertain: Bool
  ) -> [Int] {
    let pairs = finder.pairs(partition, legacy: legacy, server: server, isCertain: isCertain)
    guard !pairs.isEmpty else { return legacy }
    for pair in pairs { compare(partition.legacy[pair.legacy], partition.server[pair.server], subscription) }
    let (first, second) = (Set(pairs.map(\.legacy)), Set(pairs.map(\.server)))
    server.removeAll(where: second.contains)
    return legacy.filter { !first.contains($0) }
  }

  private func compare(_ legacy: PairEvent, _ server: PairEvent, _ subscription: Int64) {
    legacy.image.withUnsafeBufferPointer { first in
      server.image.withUnsafeBufferPointer { second in
        one.read(first)
        two.read(second)
        tally.add(one, two, subscription: subscription)
      }
    }
  }
}
