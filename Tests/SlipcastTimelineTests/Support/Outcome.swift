import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import SlipcastV2
import SlipcastWire
import Testing

/// Groups in few words: `DID_CHANGE_RENEWAL_PREF/UPGRADE < INTERACTIVE_RENEWAL + CANCEL + DID_CHANGE_RENEWAL_STATUS`.
enum Outcome {
  static func groups(_ events: [StoredEvent], rules: RuleSet? = nil) throws -> [EventGroup] {
    let grouper = EventGrouper(rules: rules ?? BuiltIn.rules)
    var groups: [EventGroup] = []
    for event in events { grouper.feed(event) { groups.append($0) } }
    grouper.finish { groups.append($0) }
    #expect(grouper.counts.addsUp)
    #expect(grouper.heldCount == 0)
    return groups
  }

  static func words(_ messages: [Message], rules: RuleSet? = nil) throws -> [String] {
    let events = try messages.enumerated().map { try $0.element.stored(place: Int64($0.offset)) }
    return try groups(sorted(events), rules: rules).map(words)
  }

  static func words(_ group: EventGroup) -> String {
    let event = group.event?.description ?? "nothing"
    let members = [group.lead.notification_type ?? "?"] + group.companions.map { $0.event.notification_type ?? "?" }
    return "\(event)\(group.candidates.isEmpty ? "" : "?") < \(members.joined(separator: " + "))"
  }

  /// In the order in which stores hand events out.
  static func sorted(_ events: [StoredEvent]) -> [StoredEvent] {
    events.sorted {
      ($0.eventTime ?? $0.receivedAt ?? .min, $0.place) < ($1.eventTime ?? $1.receivedAt ?? .min, $1.place)
    }
  }

  /// The lines that leave, and the counts.
  static func lines(_ events: [StoredEvent]) throws -> ([String], GroupingCounts) {
    var lines: [String] = []
    let grouped = GroupedLines(rules: BuiltIn.rules) { line, _ in
      lines.append(String(decoding: line))
    }
    for event in events { try grouped.feed(event) }
    try grouped.finish()
    return (lines, grouped.counts)
  }
}
