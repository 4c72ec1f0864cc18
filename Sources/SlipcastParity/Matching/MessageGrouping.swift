internal import SlipcastBulk
internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastTimeline
internal import SlipcastV2
internal import SlipcastWire

/// Finds which messages of one subscription belong to one action.
final class MessageGrouping {
  struct Roles {
    /// Messages that report an event, by their indexes.
    var leads: [Int] = []
    /// Messages that another one absorbed.
    var companions: [Int] = []
  }

  private let grouper: EventGrouper
  private let longestWindow: Int64
  private let decisions: [Decision]

  /// A row of the decision table.
  private struct Decision {
    var candidates: [(candidate: MigrationCandidate, mask: EventMask)]
    var absorbedInto: String?
    /// It is what other messages settle.
    var isSettled: Bool

    /// The readings that a record does not rule out.
    func candidates(without excluded: EventMask) -> [MigrationCandidate] {
      candidates.filter { excluded.isEmpty || $0.mask.isDisjoint(with: excluded) }.map(\.candidate)
    }
  }

  init(_ rules: RuleSet) {
    grouper = EventGrouper(rules: rules)
    longestWindow = rules.longestGroupingWindow
    decisions = rules.comparedTypes.enumerated().map { place, rule in
      let candidates = rule.candidates.map { candidate -> (MigrationCandidate, EventMask) in
        var made = MigrationCandidate()
        made.notificationType = Open(rawValue: candidate.event.notificationType)
        made.subtype = candidate.event.subtype.map(Open.init(rawValue:))
        let number = rules.events.firstIndex(of: candidate.event)
        return (made, EventMask(rawValue: number.map { 1 << UInt64($0) } ?? 0))
      }
      return Decision(
        candidates: candidates, absorbedInto: rule.isAbsorbed ? rule.to.description : nil,
        isSettled: place >= rules.types.count)
    }
  }

  /// Messages come in the order of their times.
  func roles(_ messages: [PairEvent], of places: [Int]) -> Roles {
    var roles = Roles()
    // Most messages are alone in their window: only those that are not have to be looked at.
    var cluster: [Int] = []
    for place in places {
      guard messages[place].isGrouped, let time = messages[place].time else {
        roles.leads.append(place)
        continue
      }
      if let last = cluster.last, let before = messages[last].time, time &- before > longestWindow {
        settle(cluster, messages, &roles)
        cluster.removeAll(keepingCapacity: true)
      }
      cluster.append(place)
    }
    settle(cluster, messages, &roles)
    return roles
  }

  private func settle(_ cluster: [Int], _ messages: [PairEvent], _ roles: inout Roles) {
    guard cluster.count > 1 else {
      roles.leads += cluster
      return
    }
    var groups: [EventGroup] = []
    for place in cluster { grouper.feed(event(messages[place], place), facts(messages[place])) { groups.append($0) } }
    grouper.finish { groups.append($0) }
    for group in groups {
      roles.leads.append(Int(group.lead.place))
      roles.companions += group.companions.map { Int($0.event.place) }
    }
  }

  private func event(_ message: PairEvent, _ place: Int) -> StoredEvent {
    StoredEvent(
      place: Int64(place), originalTransactionId: nil,
      notification_type: message.head.name, eventTime: message.head.eventTime, receivedAt: message.head.receivedAt,
      body: [])
  }

  private func facts(_ message: PairEvent) -> EventFacts {
    var facts = EventFacts()
    facts.reading = message.keys.event
    facts.signedDate = message.head.asOf
    facts.environment = message.keys.isSandbox ? Environment.sandbox.rawValue : nil
    if message.head.decision >= 0 {
      let decision = decisions[Int(message.head.decision)]
      facts.candidates = decision.candidates(without: message.head.alternatives.excluded)
      facts.absorbedInto = decision.absorbedInto
      facts.isSettled = decision.isSettled
    }
    facts.autoRenewOnSince = message.head.autoRenewOnSince
    var transaction = EventFacts.Transaction()
    // Numbers of texts distinguish line items as well as the texts do.
    transaction.webOrderLineItemId = message.keys.webOrderLineItemId.map { String($0) }
    transaction.transactionId = message.keys.transactionId.map { String($0) }
    transaction.isUpgraded = message.keys.isUpgraded ? true : nil
    transaction.purchaseDate = message.keys.purchaseDate.map(Timestamp.init(milliseconds:))
    facts.transaction = transaction
    var renewal = EventFacts.Renewal()
    renewal.autoRenewStatus = message.keys.autoRenewStatus.flatMap { Int32(exactly: $0) }.map(Open.init(rawValue:))
    facts.renewal = renewal
    return facts
  }
}

extension PairEvent {
  /// Only V1's messages come in groups.
  fileprivate var isGrouped: Bool { head.origin == .legacy && head.unit == .notification }
}
