internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastV2

/// Which V2 events V1's messages may mean, and which V1 never sends.
struct EventKinds {
  private let serverEvents: [EventName: [ServerEvent]]
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

  /// The rule that says that V1 never sends it; `nil` for an event that V1 sends.
  func serverOnly(_ keys: EventKeys) -> ServerEvent? {
    serverEvents[keys.event]?.first { event in
      (event.inAppOwnershipType == nil
        || keys.isFamilyShared && event.inAppOwnershipType == InAppOwnershipType.familyShared.rawValue)
        && (event.environment == nil || keys.isSandbox && event.environment == Environment.sandbox.rawValue)
    }
  }
}
