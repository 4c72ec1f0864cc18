internal import SlipcastV2

extension RuleCheck {
  /// The members whose presence a server event may ask for.
  private static let presentMembers = [ServerEvent.previousChain, ServerEvent.expiry]

  /// Both names are V2's, or the type is `*`; conditions name values that V2 knows.
  mutating func checkServerEvent(_ event: ServerEvent) {
    var named = event.event
    if named.notificationType == ServerEvent.anyType {
      let isLimited =
        named.subtype != nil || event.inAppOwnershipType != nil || event.revocationType != nil || event.present != nil
      if !isLimited {
        report(event.id, "\"*\" needs a subtype or a condition: V1 sends some events", at: "to")
      }
      // Any type: only the subtype is left to be checked.
      named.notificationType = NotificationType.refund.rawValue
    }
    checkEvent(named, event.id, at: "to")
    for candidate in event.traced {
      checkEvent(candidate.event, event.id, at: "candidates")
      for era in [candidate.since, candidate.until].compactMap(\.self) where !knowsEra(era) {
        let hint = Self.suggestion(era, rules.eras.map(\.id))
        report(event.id, "\"\(era)\" is not an era\(hint)", at: "candidates")
      }
    }
    check(event.inAppOwnershipType, of: "inAppOwnershipType", InAppOwnershipType.allCases.map(\.rawValue), event.id)
    check(event.revocationType, of: "revocationType", RevocationType.allCases.map(\.rawValue), event.id)
    check(event.environment, of: "environment", Environment.allCases.map(\.rawValue), event.id)
    check(event.present, of: "present", Self.presentMembers, event.id)
  }

  private mutating func check(_ value: String?, of member: String, _ known: [String], _ id: String) {
    guard let value, !known.contains(value) else { return }
    report(id, "\"\(member)\": \"\(value)\" is unknown\(Self.suggestion(value, known))", at: member)
  }
}
