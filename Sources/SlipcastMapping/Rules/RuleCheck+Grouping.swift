internal import SlipcastV2
internal import SlipcastWire

extension RuleCheck {
  /// Grouping rules name types that have a strength, windows and events that exist; the lead is never the weaker one.
  mutating func checkGrouping() {
    let grouping = rules.grouping
    if let strength = grouping.strength {
      checkStrength(strength)
    } else if !read.unread.mentions("grouping.strength", in: ["grouping"]) {
      report("grouping.strength", "the order of strength is missing")
    }
    // The decisions own all windows.
    let windows = rules.decisions.filter { $0.kind == "window" }.map(\.id)
    for pair in grouping.pairs {
      if !read.unread.mentions(pair.window, in: ["decisions"]) {
        check(pair.window, isOneOf: windows, "a window", pair.id, at: "window")
      }
      for event in pair.to { checkEvent(event, pair.id, at: "to") }
      if let strength = grouping.strength { checkTypes(pair, strength) }
    }
  }

  private mutating func checkStrength(_ strength: GroupingStrength) {
    let known = rules.legacyTypes.dropFirst().map(\.name)
    var seen: Set<String> = []
    for type in strength.order.joined() {
      check(type, isOneOf: known, "a V1 notification_type", strength.id, at: "order")
      if known.contains(type), !seen.insert(type).inserted {
        report(strength.id, "\"\(type)\" is named twice", at: "order")
      }
    }
  }

  private mutating func checkTypes(_ pair: GroupingPair, _ strength: GroupingStrength) {
    let known = strength.order.flatMap(\.self)
    for type in Set(pair.lead + pair.companion).sorted() where !known.contains(type) {
      // The order may only have misspelled it, which is reported there.
      let misspelled = known.filter { !rules.knows(legacyType: $0) }
      if rules.knows(legacyType: type), Suggestion.closest(to: type, among: misspelled) != nil { continue }
      report(pair.id, "\"\(type)\" has no strength\(Self.suggestion(type, known))", at: "lead")
    }
    // Messages about an upgraded period are the weakest, whatever their type; equals are distinguished one by one.
    guard !pair.conditions.contains(.upgraded), !pair.conditions.contains(.equal) else { return }
    // A condition that could not be read may have been one of these.
    guard !read.faulty.contains(pair.id) else { return }
    for lead in pair.lead {
      for companion in pair.companion {
        guard let strong = strength.rank(of: lead), let weak = strength.rank(of: companion) else { continue }
        if weak < strong {
          report(pair.id, "\"\(companion)\" is stronger than \"\(lead)\" and would lead", at: "companion")
        }
      }
    }
  }

  /// Both names of an event are V2's.
  mutating func checkEvent(_ event: EventName, _ id: String, at member: String) {
    let types = NotificationType.allCases.map(\.rawValue)
    check(event.notificationType, isOneOf: types, "a V2 notificationType", id, at: member)
    guard types.contains(event.notificationType) else { return }
    check(event.subtype, isOneOf: Subtype.allCases.map(\.rawValue), "a V2 subtype", id, at: member)
  }
}
