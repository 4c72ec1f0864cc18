internal import SlipcastMapping
internal import SlipcastWire

/// Type and subtype of a pair, read as one event.
struct EventReading {
  /// The row of the decision table; `nil` unless the first record is a conversion.
  let decision: TypeRule?
  let cast: EventName
  let server: EventName

  var standing: EventStanding {
    if server == cast { return decision?.isAbsorbed == true ? .absorbed : isAmbiguous ? .candidate : .equal }
    guard let decision else { return .differs }
    if decision.candidates.contains(where: { $0.event == server }) { return .candidate }
    return decision.accepts.contains(server) ? .accepted : .differs
  }

  private var isAmbiguous: Bool { decision?.candidates.isEmpty == false }

  /// True when the type, or with `isSubtype` the subtype, fits a reading.
  func fits(subtype isSubtype: Bool) -> Bool {
    if standing != .differs { return true }
    let readings = [cast] + (decision?.candidates.map(\.event) ?? [])
    let ofType = readings.filter { $0.notificationType == server.notificationType }
    if !isSubtype {
      // One of the two has to show the difference.
      return ofType.contains { $0.notificationType == cast.notificationType } || !ofType.isEmpty && hasSubtype
    }
    // Beside a wrong type the subtype is judged by itself.
    return (ofType.isEmpty ? [cast] : ofType).contains { $0.subtype == server.subtype }
  }

  private var hasSubtype: Bool { cast.subtype != nil || server.subtype != nil }

  /// The rules do not name V2's type, or, with a known type, its subtype.
  func isUnknown(subtype isSubtype: Bool, _ rules: RuleSet) -> Bool {
    // A missing type is not an unknown one.
    if server.notificationType.isEmpty { return isSubtype && !rules.knows(subtype: server.subtype) }
    guard rules.knows(type: server.notificationType) else { return server.notificationType != cast.notificationType }
    return isSubtype && !rules.knows(subtype: server.subtype)
  }

  /// Only the judgement of the grace period separates the two.
  var differsByGrace: Bool { decision?.atGraceEnd == server }

  /// One line of text about a type that fits while its subtype does not, or the reverse.
  static func half(subtype isSubtype: Bool) -> String {
    isSubtype ? "The subtype agrees, the type does not." : "The type agrees, the subtype does not."
  }

  /// One line of text about the subtype of a type that the rules do not name.
  static let subtypeOfUnknownType =
    "The rules of this version do not name V2's type, so its subtype is compared with nothing."

  /// One line of text about a type or subtype that the rules do not name.
  func unknown(subtype isSubtype: Bool) -> String {
    let value = isSubtype ? server.subtype ?? "" : server.notificationType
    return "The rules of this version do not name V2's \(FieldValue.text(value).json): it is kept and compared with "
      + "nothing. V1's message reads as \(readings)."
  }

  private var readings: String {
    let options = decision?.candidates.map(\.event.description) ?? []
    return options.isEmpty ? cast.description : options.joined(separator: " or ")
  }

  var explanation: String {
    switch standing {
    case .equal: return "V1's message reads as \(cast), and V2 says the same."
    case .absorbed: return "V1's message is a companion that V2 never sends; \(server) is the event it is part of."
    case .accepted:
      return "V1's message reads as \(cast); V2 may send \(server) for the same action."
    case .candidate:
      let needs = decision?.candidates.first { $0.event == server }?.needs
      let others = decision?.candidates.map(\.event.description).joined(separator: " or ") ?? ""
      return "V1's message alone may be \(others); V2's \(server) is one of them"
        + (needs.map { " (it needs: \($0))." } ?? ".")
    case .differs:
      if server.notificationType.isEmpty {
        return "V1's message reads as \(readings); V2 has no notificationType, which every notification has."
      }
      return "V1's message reads as \(readings); V2 says \(server)."
    }
  }
}

/// How V2's event stands to what the legacy message may be.
package enum EventStanding: Sendable {
  case equal
  /// One of several readings of an ambiguous message.
  case candidate
  /// The event that a companion message is part of.
  case absorbed
  /// Another event that V2 may send for the same message.
  case accepted
  case differs
}
