internal import SlipcastV2

extension RuleCheck {
  /// The members whose presence a server event may ask for.
  private static let presentMembers = [ServerEvent.previousChain]

  /// Both names are V2's, or the type is `*`; conditions name values that V2 knows.
  func checkServerEvent(_ event: ServerEvent, _ errors: inout [MappingError]) {
    var named = event.event
    if named.notificationType == ServerEvent.anyType {
      let isLimited =
        named.subtype != nil || event.inAppOwnershipType != nil || event.revocationType != nil || event.present != nil
      if !isLimited {
        report(event.id, "\"*\" needs a subtype or a condition: V1 sends some events", &errors)
      }
      // Any type: only the subtype is left to be checked.
      named.notificationType = NotificationType.refund.rawValue
    }
    checkEvent(named, event.id, &errors)
    check(event.inAppOwnershipType, "inAppOwnershipType", InAppOwnershipType.allCases.map(\.rawValue), event, &errors)
    check(event.revocationType, "revocationType", RevocationType.allCases.map(\.rawValue), event, &errors)
    check(event.environment, "environment", Environment.allCases.map(\.rawValue), event, &errors)
    check(event.present, "present", Self.presentMembers, event, &errors)
  }

  private func check(
    _ value: String?, _ member: String, _ known: [String], _ event: ServerEvent, _ errors: inout [MappingError]
  ) {
    guard let value, !known.contains(value) else { return }
    report(event.id, "\"\(member)\": \"\(value)\" is unknown\(Self.suggestion(value, known))", &errors)
  }
}
