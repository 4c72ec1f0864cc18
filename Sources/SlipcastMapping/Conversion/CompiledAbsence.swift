@_spi(Slipcast) internal import SlipcastLegacy

/// A V2 field that a rule could fill, and why it stays absent.
final class CompiledAbsence: Sendable {
  /// The place of its rule in `RuleSet.fields`.
  let rule: UInt16
  /// The field's place in its object.
  let slot: UInt8
  private let isServerOnly: Bool
  private let places: [CompiledRules.KeyPlace]
  /// Those in the object that the rule reads first.
  private let firstPlaces: [CompiledRules.KeyPlace]
  /// The V2 type of events in which V1's silence has no meaning.
  private let undecidable: String?
  private let isOfRevocation: Bool

  init(_ rule: FieldRule, number: Int, slot: Int, _ places: [CompiledRules.KeyPlace]) {
    (self.rule, self.slot, self.places) = (UInt16(number), UInt8(slot), places)
    firstPlaces = places.filter { $0.scope == places[0].scope }
    isServerOnly = rule.relation == .serverOnly
    undecidable = rule.comparing.undecidable
    isOfRevocation = rule.transform?.traits.contains(.revoking) ?? false
  }

  func reason(_ builder: RecordBuilder, isObjectEmpty: Bool) -> Account.Absence.Reason {
    if isServerOnly { return .noV1Source }
    if isObjectEmpty { return .objectAbsentInV1 }
    let isPresent = places.contains { place in
      let row = builder.row(of: place.scope)
      return row >= 0 && builder.record.rows.slot(row, place.key) != 0
    }
    if !builder.record.unreadable.isEmpty, hasUnreadable(builder) { return .undetermined }
    let found = keysFound(builder)
    guard isPresent else {
      guard found != .none else { return .objectAbsentInV1 }
      return isOpen(builder) || found == .some ? .undetermined : .absentInV1
    }
    return saysNo(builder) && found == .all || isUpgrade(builder) ? .noneInV1 : .undetermined
  }

  /// V1 states a value that cannot be read.
  private func hasUnreadable(_ builder: RecordBuilder) -> Bool {
    places.contains { place in
      let row = builder.row(of: place.scope)
      return row >= 0 && builder.record.isUnreadable(row, place.key)
    }
  }

  private enum Found { case none, some, all }

  /// How many of the rule's keys the object that it reads first could have, if the record has that object.
  private func keysFound(_ builder: RecordBuilder) -> Found {
    guard let first = firstPlaces.first else { return .none }
    let row = builder.row(of: first.scope)
    guard row >= 0 else { return .none }
    let found = firstPlaces.count { builder.record.mayHold(row, $0.key) }
    return found == 0 ? .none : found == firstPlaces.count ? .all : .some
  }

  private func isOpen(_ builder: RecordBuilder) -> Bool {
    // The message itself says that its purchase was taken back, also where the list does not.
    if isOfRevocation, builder.takesBackUndated { return true }
    // A dated cancellation has a reason, whether or not the row states it.
    if isOfRevocation, let current = builder.current, builder.periods[current].isRevoked { return true }
    guard let undecidable, let decision = builder.decision else { return false }
    return decision.own.event.notificationType == undecidable
  }

  /// All that V1 says of it are flags that are off: no offer, no upgrade.
  private func saysNo(_ builder: RecordBuilder) -> Bool {
    // The reason 0 of a cancellation does not mean "no".
    if isOfRevocation, let current = builder.current, builder.periods[current].isCancelled { return false }
    return places.allSatisfy { place in
      let row = builder.row(of: place.scope)
      guard row >= 0, builder.record.rows.slot(row, place.key) != 0 else { return true }
      return builder.record.flag(row, place.key) == false
    }
  }

  /// An upgrade leaves a cancellation date and takes nothing back.
  private func isUpgrade(_ builder: RecordBuilder) -> Bool {
    guard isOfRevocation, let current = builder.current else { return false }
    return builder.periods[current].isUpgraded
  }
}
