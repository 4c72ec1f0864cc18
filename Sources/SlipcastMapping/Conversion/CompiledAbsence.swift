@_spi(Slipcast) internal import SlipcastLegacy

/// A V2 field that a rule could fill, and why it stays absent.
final class CompiledAbsence: Sendable {
  /// The place of its rule in `RuleSet.fields`.
  let rule: UInt16
  /// The field's place in its object.
  let slot: UInt8
  private let isServerOnly: Bool
  private let places: [CompiledRules.KeyPlace]
  /// The V2 type of events in which V1's silence has no meaning.
  private let undecidable: String?
  private let isOfRevocation: Bool

  init(_ rule: FieldRule, number: Int, slot: Int, _ places: [CompiledRules.KeyPlace]) {
    (self.rule, self.slot, self.places) = (UInt16(number), UInt8(slot), places)
    isServerOnly = rule.relation == .serverOnly
    undecidable = rule.comparing.undecidable
    isOfRevocation = rule.transform?.traits.contains(.revoking) ?? false
  }

  func reason(_ state: ConversionState, isObjectEmpty: Bool) -> Account.Absence.Reason {
    if isServerOnly { return .noV1Source }
    if isObjectEmpty { return .objectAbsentInV1 }
    let isPresent = places.contains { place in
      let row = state.row(of: place.scope)
      return row >= 0 && state.record.rows.slot(row, place.key) != 0
    }
    if !state.record.unreadable.isEmpty, hasUnreadable(state) { return .undetermined }
    let told = keysTold(state)
    guard isPresent else {
      guard told != .none else { return .objectAbsentInV1 }
      return isOpen(state) || told == .some ? .undetermined : .absentInV1
    }
    return saysNo(state) && told == .all || isUpgrade(state) ? .noneInV1 : .undetermined
  }

  /// V1 states a value that cannot be read.
  private func hasUnreadable(_ state: ConversionState) -> Bool {
    places.contains { place in
      let row = state.row(of: place.scope)
      return row >= 0 && state.record.isUnreadable(row, place.key)
    }
  }

  private enum Told { case none, some, all }

  /// How many of the rule's keys the object that it reads first could have, if the record has that object.
  private func keysTold(_ state: ConversionState) -> Told {
    guard let first = places.first else { return .none }
    let row = state.row(of: first.scope)
    guard row >= 0 else { return .none }
    let keys = places.filter { $0.scope == first.scope }
    let told = keys.count { state.record.mayHold(row, $0.key) }
    return told == 0 ? .none : told == keys.count ? .all : .some
  }

  private func isOpen(_ state: ConversionState) -> Bool {
    guard let undecidable, let decision = state.decision else { return false }
    return state.compiled.rules.types[decision.number].to.notificationType == undecidable
  }

  /// All that V1 says of it are flags that are off: no offer, no upgrade.
  private func saysNo(_ state: ConversionState) -> Bool {
    places.allSatisfy { place in
      let row = state.row(of: place.scope)
      guard row >= 0, state.record.rows.slot(row, place.key) != 0 else { return true }
      return state.record.flag(row, place.key) == false
    }
  }

  /// An upgrade leaves a cancellation date and takes nothing back.
  private func isUpgrade(_ state: ConversionState) -> Bool {
    guard isOfRevocation, let current = state.current else { return false }
    return state.periods[current].isUpgraded
  }
}
