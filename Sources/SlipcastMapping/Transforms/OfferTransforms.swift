// Offers. Sources: Apple, "offerType", "offerIdentifier", "offerDiscountType"; WWDC21 10174 for the pairing with V1.
@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// The offer of a period.
enum PeriodOffer {
  case none
  case introductory
  case promotional
  case code
  /// Both ids are present, and the record does not show which one applied to this period.
  case undecided
}

extension ConversionState {
  /// The offer that the current transaction was bought with.
  func offer() -> PeriodOffer {
    guard let current = self.current else { return .none }
    let row = self.periods[current].row
    let promotional = record.text(row, .promotional_offer_id)
    let code = record.text(row, .offer_code_ref_name)
    switch (promotional, code) {
    case (nil, nil): break
    case (_, nil): return .promotional
    case (nil, _): return .code
    case (let promotional?, let code?): return newer(promotional, code, than: previous(of: current))
    }
    guard isSubscription(row) else { return .none }
    let isTrial = record.flag(row, .is_trial_period) == true
    return isTrial || record.flag(row, .is_in_intro_offer_period) == true ? .introductory : .none
  }

  /// One of the two ids belongs to another period: choosing is a conclusion.
  func hasBothOffers(_ row: Int) -> Bool {
    record.rows.slot(row, .promotional_offer_id) != 0 && record.rows.slot(row, .offer_code_ref_name) != 0
  }

  /// Since win-back offers exist, a promotional offer of a subscription that came back after a lapse may be one.
  func mayBeWinBack(_ index: Int) -> Bool {
    let period = self.periods[index]
    guard let start = compiled.winBackStart, period.purchase != Period.none, period.purchase >= start else {
      return false
    }
    if index == self.subject.target, decision?.isReturn == true { return true }
    guard let previous = precedingPeriod(of: index).map({ self.periods[$0] }), !previous.isUpgraded else {
      return false
    }
    return period.purchase - previous.end > length(compiled.parameters.gap)
  }

  /// Of two offers, the one that the period before did not have.
  private func newer(_ promotional: JSONText, _ code: JSONText, than previous: Int?) -> PeriodOffer {
    guard let previous else { return .undecided }
    let row = self.periods[previous].row
    let hadPromotional = record.text(row, .promotional_offer_id).map { $0 == promotional } ?? false
    let hadCode = record.text(row, .offer_code_ref_name).map { $0 == code } ?? false
    if hadPromotional == hadCode { return .undecided }
    return hadPromotional ? .code : .promotional
  }
}

extension Transform {
  @Sendable static func offerType(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let current = state.current else { return nil }
    let row = state.periods[current].row
    let isChosen = state.hasBothOffers(row)
    switch state.offer() {
    case .none: return nil
    case .introductory:
      let trial = state.record.flag(row, .is_trial_period) == true
      return Cell(1, source: state.record.rows.slot(row, trial ? .is_trial_period : .is_in_intro_offer_period))
    case .promotional:
      let source = state.record.rows.slot(row, .promotional_offer_id)
      let mayBeWinBack = state.mayBeWinBack(current)
      if mayBeWinBack { state.note(.winBackPossible, source) }
      return isChosen || mayBeWinBack ? Cell(2, source: source).inferred : Cell(2, source: source)
    case .code:
      let cell = Cell(3, source: state.record.rows.slot(row, .offer_code_ref_name))
      return isChosen ? cell.inferred : cell
    case .undecided:
      state.note(.offerUndecided, state.record.rows.slot(row, .offer_code_ref_name))
      return nil
    }
  }

  @Sendable static func offerIdentifier(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let current = state.current else { return nil }
    let row = state.periods[current].row
    let key: LegacyKey
    switch state.offer() {
    case .promotional: key = .promotional_offer_id
    case .code: key = .offer_code_ref_name
    default: return nil
    }
    let cell = state.textCell(state.record.rows.slot(row, key))
    return state.hasBothOffers(row) ? cell?.inferred : cell
  }

  @Sendable static func offerDiscountType(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let current = state.current else { return nil }
    let row = state.periods[current].row
    guard state.record.flag(row, .is_trial_period) == true, state.isSubscription(row) else { return nil }
    return Cell(Words.freeTrial, source: state.record.rows.slot(row, .is_trial_period))
  }

  @Sendable static func nextOfferType(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let (key, index) = nextOffer(state, true) else { return nil }
    return Cell(key == .promotional_offer_id ? 2 : 3, source: index)
  }

  @Sendable static func nextOfferIdentifier(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    nextOffer(state, false).flatMap { state.textCell($0.1) }
  }

  private static func nextOffer(_ state: ConversionState, _ reports: Bool) -> (LegacyKey, Int)? {
    guard state.renewalEntry >= 0 else { return nil }
    let rows = state.record.rows
    let promotional = rows.slot(state.renewalEntry, .promotional_offer_id)
    let code = rows.slot(state.renewalEntry, .offer_code_ref_name)
    if promotional != 0, code != 0 {
      if reports { state.note(.offerUndecided, code) }
      return nil
    }
    if promotional != 0 { return (.promotional_offer_id, promotional) }
    return code != 0 ? (.offer_code_ref_name, code) : nil
  }
}
