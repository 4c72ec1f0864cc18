// Offers. Sources: Apple, "offerType", "offerIdentifier", "offerDiscountType"; WWDC21 10174 for the pairing with V1.
@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// An offer by the number of its V2 type.
enum PeriodOffer: Int64 {
  case introductory = 1
  case promotional
  case code
}

extension RecordBuilder {
  /// The offer that the current transaction was bought with; `nil` for none, and where both ids are present and the
  /// record does not show which one applied to this period.
  func offer() -> PeriodOffer? {
    guard let current = focus.period else { return nil }
    let row = known.periods[current].row
    let promotional = record.text(row, .promotional_offer_id)
    let code = record.text(row, .offer_code_ref_name)
    switch (promotional, code) {
    // An offer id that cannot be read: its offer is unknown, and not the introductory one.
    case _ where record.isUnreadable(row, .promotional_offer_id) || record.isUnreadable(row, .offer_code_ref_name):
      return nil
    case (nil, nil): break
    case (_, nil): return .promotional
    case (nil, _): return .code
    case (let promotional?, let code?): return newer(promotional, code, than: known.previous(of: current))
    }
    guard known.isSubscription(row) else { return nil }
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
      let period = known.periods[index]
      guard period.purchase != Period.none, period.purchase >= start else { return false }
      if index == known.subject.target, decision?.isReturn == true { return true }
      guard let previous = known.precedingPeriod(of: index), !known.periods[previous].isUpgraded else { return false }
      if period.purchase - known.periods[previous].end > known.length(compiled.parameters.gap) { return true }
      guard let id = record.text(period.row, .promotional_offer_id),
        record.text(known.periods[previous].row, .promotional_offer_id) == id
      else { return false }
      index = previous
    }
    return false
  }

  /// The offer of the next renewal may be the rest of a win-back offer.
  var mayContinueWinBack: Bool { focus.newestPeriod.map(mayBeWinBack) ?? false }

  /// Of two offers, the one that the period before did not have.
  private func newer(_ promotional: JSONText, _ code: JSONText, than previous: Int?) -> PeriodOffer? {
    guard let previous else { return nil }
    let row = known.periods[previous].row
    let hadPromotional = record.text(row, .promotional_offer_id) == promotional
    let hadCode = record.text(row, .offer_code_ref_name) == code
    if hadPromotional == hadCode { return nil }
    return hadPromotional ? .code : .promotional
  }
}

extension Transform {
  @Sendable static func offerType(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    guard let current = builder.current else { return nil }
    let row = builder.periods[current].row
    guard let offer = builder.offer() else {
      let record = builder.record
      if record.text(row, .promotional_offer_id) != nil, record.text(row, .offer_code_ref_name) != nil {
        builder.note(.offerUndecided, builder.source(of: .code, row))
      }
      return nil
    }
    let source = builder.source(of: offer, row)
    let mayBeWinBack = offer == .promotional && builder.mayBeWinBack(current)
    if mayBeWinBack { builder.note(.winBackPossible, source) }
    let cell = Cell(offer.rawValue, source: source)
    return mayBeWinBack || offer != .introductory && builder.hasBothOffers(row) ? cell.inferred : cell
  }

  @Sendable static func offerIdentifier(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    guard let current = builder.current, let offer = builder.offer(), offer != .introductory else { return nil }
    let row = builder.periods[current].row
    let cell = builder.textCell(builder.source(of: offer, row))
    return builder.hasBothOffers(row) ? cell?.inferred : cell
  }

  @Sendable static func offerDiscountType(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    guard let current = builder.current else { return nil }
    let row = builder.periods[current].row
    guard builder.record.flag(row, .is_trial_period) == true, builder.known.isSubscription(row) else { return nil }
    return Cell(Words.freeTrial, source: builder.record.rows.slot(row, .is_trial_period))
  }

  @Sendable static func nextOfferType(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    let row = builder.focus.renewalEntry
    if row >= 0, builder.hasBothOffers(row) { builder.note(.offerUndecided, builder.source(of: .code, row)) }
    guard let offer = nextOffer(builder) else { return nil }
    let source = builder.source(of: offer, row)
    let cell = Cell(offer.rawValue, source: source)
    guard offer == .promotional, builder.mayContinueWinBack else { return cell }
    builder.note(.winBackPossible, source)
    return cell.inferred
  }

  @Sendable static func nextOfferIdentifier(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    nextOffer(builder).flatMap { builder.textCell(builder.source(of: $0, builder.focus.renewalEntry)) }
  }

  private static func nextOffer(_ builder: RecordBuilder) -> PeriodOffer? {
    let row = builder.focus.renewalEntry
    guard row >= 0, !builder.hasBothOffers(row), !builder.record.isUnreadable(row, .promotional_offer_id),
      !builder.record.isUnreadable(row, .offer_code_ref_name)
    else { return nil }
    return builder.source(of: .promotional, row) != 0 ? .promotional : builder.source(of: .code, row) != 0 ? .code : nil
  }
}
