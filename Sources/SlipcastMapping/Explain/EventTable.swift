internal import SlipcastV2

/// What the rules say about the events of one V2 type: the V1 messages that become them, and what V1 never sends.
package struct EventTable: Sendable {
  /// The rows of one V1 type that lead to an event, the best known first.
  package struct Origin: Sendable {
    package var type: String
    package var rows: [TypeRule]
  }

  /// A rule that V1 never sends an event.
  package struct Never: Sendable {
    package var id: String
    /// ` for FAMILY_SHARED purchases`; empty where it holds for all.
    package var limit: String
    package var trace: String
  }

  package struct Section: Sendable {
    package var event: EventName
    package var origins: [Origin]
    package var never: [Never]
  }

  package let type: String
  /// Its events in the order of the rules, that without a subtype first.
  package let sections: [Section]
  /// Ids of the grouping rules for one of its events.
  package let grouping: [String]

  /// - Returns: `nil` for a name that is not a V2 type; case does not matter.
  package init?(of name: String, in rules: RuleSet) {
    guard let type = rules.serverTypes.first(where: { $0.lowercased() == name.lowercased() }) else { return nil }
    self.type = type
    var events: [EventName] = []
    func add(_ event: EventName) { if event.notificationType == type, !events.contains(event) { events.append(event) } }
    for rule in rules.types { rule.readings.forEach(add) }
    for server in rules.serverEvents { add(server.event) }
    if events.isEmpty { events = [EventName(notificationType: type)] }
    sections = (events.filter { $0.subtype == nil } + events.filter { $0.subtype != nil }).map { event in
      Section(
        event: event, origins: Self.origins(of: event, in: rules),
        never: rules.serverEvents.filter { $0.event == event }.map(Self.never))
    }
    grouping = rules.grouping.pairs.filter { $0.to.contains { $0.notificationType == type } }.map(\.id)
  }

  private static func origins(of event: EventName, in rules: RuleSet) -> [Origin] {
    var origins: [Origin] = []
    let rows = rules.types.filter { $0.readings.contains(event) }
    for type in rows.map(\.type) where !origins.contains(where: { $0.type == type }) {
      let own = Confidence.allCases.flatMap { level in rows.filter { $0.type == type && $0.confidence == level } }
      origins.append(Origin(type: type, rows: own))
    }
    return origins
  }

  private static func never(_ server: ServerEvent) -> Never {
    let limits = [
      server.inAppOwnershipType.map { "for \($0) purchases" }, server.environment.map { "in \($0)" },
      server.revocationType.map { "for the revocation type \($0)" }, server.present.map { "with \($0)" },
    ].compactMap(\.self)
    return Never(id: server.id, limit: limits.map { " " + $0 }.joined(), trace: server.trace)
  }
}

extension RuleSet {
  /// The V2 types that Apple's documents name, sorted.
  package var serverTypes: [String] { NotificationType.allCases.map(\.rawValue).sorted() }
}
