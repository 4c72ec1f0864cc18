internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastV2

/// Which V2 events V1's messages may mean, and which V1 never sends.
///
/// Events are looked up by their numbers: the question comes for every event, and for many that might be a pair.
final class EventKinds {
  private let serverEvents: [EventName: [ServerEvent]]
  private var serverEventsByNumber: [[ServerEvent]?] = []
  private let meanings: [String: Set<EventName>]
  private let allMeanings: Set<EventName>
  /// V1's types that report refunds.
  private let reversals: Set<String>
  /// Why V1's answers lack a consumable.
  private let finished: String?
  /// V2's event of a one-time purchase.
  private let purchase: ServerEvent?

  init(_ rules: RuleSet) {
    finished = rules.comparing(.finished)?.meaning
    purchase = rules.serverEvents.first { $0.event.notificationType == NotificationType.oneTimeCharge.rawValue }
    serverEvents = Dictionary(grouping: rules.serverEvents, by: \.event)
    var meanings: [String: Set<EventName>] = [:]
    for rule in rules.types {
      meanings[rule.type, default: []].formUnion([rule.to] + rule.candidates.map(\.event) + rule.accepts)
    }
    // Equal strength is the same kind of action: a refund reported as the end of Family Sharing is still that refund.
    for types in rules.grouping.strength?.order ?? [] {
      let all = types.reduce(into: Set<EventName>()) { $0.formUnion(meanings[$1] ?? []) }
      for type in types { meanings[type] = all }
    }
    self.meanings = meanings
    reversals = Set(rules.types.filter { $0.to.takesBack && !$0.isAbsorbed }.map(\.type))
    allMeanings = meanings.values.reduce(into: []) { $0.formUnion($1) }
  }

  /// A message of that type, or of one as strong, may in one context or another be this event.
  func mayMean(_ type: String, _ event: EventName) -> Bool { meanings[type]?.contains(event) ?? false }

  /// It reports a refund, or that one was taken back.
  func reportsRefund(_ event: PairEvent) -> Bool {
    let name = event.keys.event
    return name.takesBack || name.notificationType == NotificationType.refundReversed.rawValue
      || event.head.origin == .legacy && reversals.contains(event.head.name)
  }

  func mayBeTold(_ event: EventName) -> Bool { allMeanings.contains(event) }

  private func serverEvents(_ keys: EventKeys) -> [ServerEvent] {
    let number = keys.eventNumber
    guard number >= 0, number < 1 << 16 else { return find(keys.event) }
    if number < serverEventsByNumber.count, let known = serverEventsByNumber[number] { return known }
    let found = find(keys.event)
    let missing = number + 1 - serverEventsByNumber.count
    if missing > 0 { serverEventsByNumber += Array(repeating: nil, count: missing) }
    serverEventsByNumber[number] = found
    return found
  }

  /// The rules of the event itself, then those of its subtype, then those of any event.
  private func find(_ event: EventName) -> [ServerEvent] {
    let any = EventName(notificationType: ServerEvent.anyType)
    let ofSubtype = event.subtype.map { EventName(notificationType: ServerEvent.anyType, subtype: $0) }
    return [event, ofSubtype, any].compactMap(\.self).flatMap { serverEvents[$0] ?? [] }
  }

  /// The rule that says that V1 never sends it; `nil` for an event that V1 sends.
  func serverOnly(_ keys: EventKeys) -> ServerEvent? { serverEvents(keys).first { $0.fits(keys) } }

  /// How V1 shows what it never sends, or does not list; `nil` for what it has.
  ///
  /// - Parameter isOfMessages: V1 has messages and no answers, and so nothing about purchases that are no subscriptions.
  func traceOfServerOnly(_ event: PairEvent, isOfMessages: Bool) -> String? {
    if event.head.unit == .transaction {
      if event.keys.isConsumable { return finished }
      if isOfMessages, event.keys.expiresDate == nil, event.keys.webOrderLineItemId == nil { return purchase?.trace }
    }
    return serverOnly(event.keys)?.trace
  }

  /// An event that V1 never sends can be no other reading of a message.
  ///
  /// - Parameter isToldByMessage: the rules name the event among the meanings of the message, so only rules that are
  ///   limited to some owners or environments speak against it.
  func isNoReading(_ keys: EventKeys, isToldByMessage: Bool) -> Bool {
    // A chain that continues another one has events like any other.
    isUnknown(keys.event)
      || serverEvents(keys).contains { $0.present == nil && $0.fits(keys) && ($0.isLimited || !isToldByMessage) }
  }

  /// Neither V1's messages nor the rules about events that V1 never sends name it.
  func isUnknown(_ event: EventName) -> Bool { !mayBeTold(event) && find(event).allSatisfy { $0.isAny } }
}

extension ServerEvent {
  /// It speaks of events of any name.
  fileprivate var isAny: Bool { event.notificationType == Self.anyType && event.subtype == nil }

  /// It speaks only of some events of that name.
  fileprivate var isLimited: Bool {
    inAppOwnershipType != nil || environment != nil || revocationType != nil || present != nil
  }

  /// What limits it holds for an event.
  fileprivate func fits(_ keys: EventKeys) -> Bool {
    let ownership =
      keys.isFamilyShared
      ? InAppOwnershipType.familyShared.rawValue : keys.isAssigned ? InAppOwnershipType.assigned.rawValue : nil
    return (inAppOwnershipType == nil || inAppOwnershipType == ownership)
      && (environment == nil || keys.isSandbox && environment == Environment.sandbox.rawValue)
      && (revocationType == nil
        || keys.isAssignmentRevoked && revocationType == RevocationType.assignmentRevoke.rawValue)
      && (present == nil || keys.hasPreviousChain && present == Self.previousChain
        || keys.expiresDate != nil && present == Self.expiry)
  }
}
