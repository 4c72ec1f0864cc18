internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastV2

/// Which V2 events V1's messages may mean, and which V1 never sends.
///
/// Events are looked up by their numbers: the question comes for every event, and for many that might be a pair.
final class EventKinds {
  private let serverEvents: [EventName: [ServerEvent]]
  @exclusivity(unchecked) private var serverEventsByNumber: [[ServerEvent]?] = []
  private let meanings: [String: Set<EventName>]
  private let allMeanings: Set<EventName>

  init(_ rules: RuleSet) {
    serverEvents = Dictionary(grouping: rules.serverEvents, by: \.event)
    var meanings: [String: Set<EventName>] = [:]
    for rule in rules.types {
      meanings[rule.type, default: []].formUnion([rule.to] + rule.candidates.map(\.event) + rule.accepts)
    }
    // What is as strong tells the same kind of action: a refund told as the end of Family Sharing is still that refund.
    for types in rules.grouping.strength?.order ?? [] {
      let all = types.reduce(into: Set<EventName>()) { $0.formUnion(meanings[$1] ?? []) }
      for type in types { meanings[type] = all }
    }
    self.meanings = meanings
    allMeanings = meanings.values.reduce(into: []) { $0.formUnion($1) }
  }

  /// A message of that type, or of one as strong, may in one context or another be this event.
  func mayMean(_ type: String, _ event: EventName) -> Bool { meanings[type]?.contains(event) ?? false }

  /// Some message may be this event.
  func mayBeTold(_ event: EventName) -> Bool { allMeanings.contains(event) }

  private func serverEvents(_ keys: EventKeys) -> [ServerEvent] {
    let number = keys.eventNumber
    guard number >= 0, number < 1 << 16 else { return serverEvents[keys.event] ?? [] }
    if number < serverEventsByNumber.count, let known = serverEventsByNumber[number] { return known }
    let found = serverEvents[keys.event] ?? []
    let missing = number + 1 - serverEventsByNumber.count
    if missing > 0 { serverEventsByNumber += Array(repeating: nil, count: missing) }
    serverEventsByNumber[number] = found
    return found
  }

  /// The rule that says that V1 never sends it; `nil` for an event that V1 sends.
  func serverOnly(_ keys: EventKeys) -> ServerEvent? {
    serverEvents(keys).first { event in
      (event.inAppOwnershipType == nil
        || keys.isFamilyShared && event.inAppOwnershipType == InAppOwnershipType.familyShared.rawValue)
        && (event.environment == nil || keys.isSandbox && event.environment == Environment.sandbox.rawValue)
    }
  }
}
