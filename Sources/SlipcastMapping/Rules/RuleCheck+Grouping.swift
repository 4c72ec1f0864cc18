internal import SlipcastV2

extension RuleCheck {
  /// Grouping rules name types that have a strength, windows and events that exist; the lead is never the weaker one.
  func checkGrouping(_ errors: inout [MappingError]) {
    let grouping = rules.grouping
    for window in grouping.windows { checkSources(window.source, window.id, &errors) }
    guard let strength = grouping.strength else {
      return report("grouping.strength", "the order of strength is missing", &errors)
    }
    checkSources(strength.source, strength.id, &errors)
    checkStrength(strength, &errors)
    for pair in grouping.pairs {
      checkSources(pair.source, pair.id, &errors)
      let windows = grouping.windows.map(\.id)
      if !windows.contains(pair.window) {
        report(pair.id, "\"\(pair.window)\" is no window\(Self.suggestion(pair.window, windows))", &errors)
      }
      for event in pair.to { checkEvent(event, pair.id, &errors) }
      checkTypes(pair, strength, &errors)
    }
  }

  private func checkStrength(_ strength: GroupingStrength, _ errors: inout [MappingError]) {
    let known = LegacyEventType.allCases.map(\.rawValue).filter { $0 != LegacyEventType.unknown.rawValue }
    var seen: Set<String> = []
    for type in strength.order.joined() {
      if !known.contains(type) {
        report(strength.id, "\"\(type)\" is no V1 notification_type\(Self.suggestion(type, known))", &errors)
      } else if !seen.insert(type).inserted {
        report(strength.id, "\"\(type)\" is named twice", &errors)
      }
    }
  }

  private func checkTypes(_ pair: GroupingPair, _ strength: GroupingStrength, _ errors: inout [MappingError]) {
    let known = strength.order.flatMap(\.self)
    for type in Set(pair.lead + pair.companion).sorted() where !known.contains(type) {
      report(pair.id, "\"\(type)\" has no strength\(Self.suggestion(type, known))", &errors)
    }
    // Messages about an upgraded period are the weakest, whatever their type; equals are told apart one by one.
    guard !pair.conditions.contains(.upgraded), !pair.conditions.contains(.equal) else { return }
    for lead in pair.lead {
      for companion in pair.companion {
        guard let strong = strength.rank(of: lead), let weak = strength.rank(of: companion) else { continue }
        if weak < strong { report(pair.id, "\"\(companion)\" is stronger than \"\(lead)\" and would lead", &errors) }
      }
    }
  }

  /// Both names of an event are V2's.
  func checkEvent(_ event: EventName, _ id: String, _ errors: inout [MappingError]) {
    if NotificationType(rawValue: event.notificationType) == nil {
      let hint = Self.suggestion(event.notificationType, NotificationType.allCases.map(\.rawValue))
      report(id, "\"\(event.notificationType)\" is no V2 notificationType\(hint)", &errors)
    } else if let subtype = event.subtype, Subtype(rawValue: subtype) == nil {
      let hint = Self.suggestion(subtype, Subtype.allCases.map(\.rawValue))
      report(id, "\"\(subtype)\" is no V2 subtype\(hint)", &errors)
    }
  }
}
