// Offers. Sources: Apple, "offerType", "offerIdentifier", "offerDiscountType"; WWDC21 10174 for the pairing with V1.
@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// An offer by the number of its V2 type.
enum PeriodOffer: Int64 {
  case introductory = 1
  case promotional
  case code
}

extension ConversionState {
  /// The offer that the current transaction was bought with; `nil` for none, and where both ids are present and the
  /// record does not show which one applied to this period.
  func offer() -> PeriodOffer? {
    guard let current = self.current else { return nil }
    let row = self.periods[current].row
    let promotional = record.text(row, .promotional_offer_id)
    let code = record.text(row, .offer_code_ref_name)
    switch (promotional, code) {
    // An offer id that cannot be read: its offer is unknown, and not the introductory one.
    case _ where record.isUnreadable(row, .promotional_offer_id) || record.isUnreadable(row, .offer_code_ref_name):
      return nil
    case (nil, nil): break
    case (_, nil): return .promotional
    case (nil, _): return .code
    case (let promotional?, let code?): return newer(promotional, code, than: previous(of: current))
    }
    guard isSubscription(row) else { return nil }
    let isTrial = record.flag(row, .is_trial_period) == true
    return isTrial || record.flag(row, .is_in_intro_offer_period) == true ? .introductory : nil
  }

  /// The place of the value that shows an offer.
  func source(of offer: PeriodOffer, _ row: Int) -> Int {
    let key: LegacyKey =
      switch offer {
      case .introductory: record.flag(row, .is_trial_period) == true ? .is_trial_period : .is_in_intro_offer_period
      case .promotional: .promotional_offer_id
      case .code: .offer_code_ref_name
      }
    return record.rows.slot(row, key)
  }

  /// One of the two ids belongs to another period: choosing is a conclusion.
  func hasBothOffers(_ row: Int) -> Bool {
    record.rows.slot(row, .promotional_offer_id) != 0 && record.rows.slot(row, .offer_code_ref_name) != 0
  }

  /// Since win-back offers exist, a promotional offer of a subscription that came back after a lapse may be one, and so
  /// may the same offer of the renewals that follow: an offer can last several periods.
  func mayBeWinBack(_ index: Int) -> Bool {
    guard let start = compiled.winBackStart else { return false }
    var index = index
    // The walk is limited: a hostile list may have any number of periods.
    for _ in 0..<compiled.parameters.listLimit {
      let period = self.periods[index]
      guard period.purchase != Period.none, period.purchase >= start else { return false }
      if index == self.subject.target, decision?.isReturn == true { return true }
      guard let previous = precedingPeriod(of: index), !self.periods[previous].isUpgraded else { return false }
      if period.purchase - self.periods[previous].end > length(compiled.parameters.gap) { return true }
      guard let id = record.text(period.row, .promotional_offer_id),
        record.text(self.periods[previous].row, .promotional_offer_id) == id
      else { return false }
      index = previous
    }
    return false
  }

  /// The offer of the next renewal may be the rest of a win-back offer.
  var mayContinueWinBack: Bool { self.newestPeriod.map(mayBeWinBack) ?? false }

  /// Of two offers, the one that the period before did not have.
  private func newer(_ promotional: JSONText, _ code: JSONText, than previous: Int?) -> PeriodOffer? {
    guard let previous else { return nil }
    let row = self.periods[previous].row
    let hadPromotional = record.text(row, .promotional_offer_id) == promotional
    let hadCode = record.text(row, .offer_code_ref_name) == code
    if hadPromotional == hadCode { return nil }
    return hadPromotional ? .code : .promotional
  }
}

extension Transform {
  @Sendable static func offerType(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let current = state.current else { return nil }
    let row = state.periods[current].row
    guard let offer = state.offer() else {
      let record = state.record
      if record.text(row, .promotional_offer_id) != nil, record.text(row, .offer_code_ref_name) != nil {
        state.note(.offerUndecided, state.source(of: .code, row))
      }
      return nil
    }
    let source = state.source(of: offer, row)
    let mayBeWinBack = offer == .promotional && state.mayBeWinBack(current)
    if mayBeWinBack { state.note(.winBackPossible, source) }
    let cell = Cell(offer.rawValue, source: source)
    return mayBeWinBack || offer != .introductory && state.hasBothOffers(row) ? cell.inferred : cell
  }

  @Sendable static func offerIdentifier(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let current = state.current, let offer = state.offer(), offer != .introductory else { return nil }
    let row = state.periods[current].row
    let cell = state.textCell(state.source(of: offer, row))
    return state.hasBothOffers(row) ? cell?.inferred : cell
  }

  @Sendable static func offerDiscountType(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let current = state.current else { return nil }
    let row = state.periods[current].row
    guard state.record.flag(row, .is_trial_period) == true, state.isSubscription(row) else { return nil }
    return Cell(Words.freeTrial, source: state.record.rows.slot(row, .is_trial_period))
  }

  @Sendable static func nextOfferType(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    let row = state.renewalEntry
    if row >= 0, state.hasBothOffers(row) { state.note(.offerUndecided, state.source(of: .code, row)) }
    guard let offer = nextOffer(state) else { return nil }
    let source = state.source(of: offer, row)
    let cell = Cell(offer.rawValue, source: source)
    guard offer == .promotional, state.mayContinueWinBack else { return cell }
    state.note(.winBackPossible, source)
    return cell.inferred
  }

  @Sendable static func nextOfferIdentifier(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    nextOffer(state).flatMap { state.textCell(state.source(of: $0, state.renewalEntry)) }
  }

  private static func nextOffer(_ state: ConversionState) -> PeriodOffer? {
    let row = state.renewalEntry
    guard row >= 0, !state.hasBothOffers(row), !state.record.isUnreadable(row, .promotional_offer_id),
      !state.record.isUnreadable(row, .offer_code_ref_name)
    else { return nil }
    return state.source(of: .promotional, row) != 0 ? .promotional : state.source(of: .code, row) != 0 ? .code : nil
  }
}
