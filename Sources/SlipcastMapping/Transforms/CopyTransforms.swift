// Transforms that take one V1 value over: as it is, or in the JSON type that V2 uses.
@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

extension Transform {
  @Sendable static func copyText(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    state.textCell(state.find(rule))
  }

  @Sendable static func copyUUID(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    let index = state.find(rule)
    guard let cell = state.textCell(index), let text = cell.text else { return nil }
    if UUIDText.isValid(text.buffer.span) { return cell }
    state.note(.tokenNotUUID, index)
    return nil
  }

  /// The purchaser's token; V2 has none in a transaction that is shared with the family.
  @Sendable static func purchaserToken(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let current = state.current else { return nil }
    if state.record.isUnreadable(state.periods[current].row, .in_app_ownership_type) { return nil }
    guard state.record.isFamilyShared(state.periods[current].row) == true else {
      return copyUUID(state, rule)
    }
    let index = state.find(rule)
    if index != 0 { state.note(.familyTokenDropped, index) }
    return nil
  }

  @Sendable static func copyInteger(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    let index = state.find(rule) { state.integer($0).map(LegacyNumber.small.contains) ?? false }
    guard index != 0, let value = state.integer(index) else { return nil }
    return Cell(value, source: index)
  }

  /// A number of which V1 documents some values; others are kept.
  private static func copyInteger(
    _ state: ConversionState, _ rule: CompiledRule, documented: ClosedRange<Int64>
  ) -> Cell? {
    guard let cell = copyInteger(state, rule) else { return nil }
    if !documented.contains(cell.integer) { state.note(.undocumentedValue, Int(cell.source)) }
    return cell
  }

  @Sendable static func expirationIntent(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    copyInteger(state, rule, documented: 1...5)
  }

  static func cancellationReason(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    copyInteger(state, rule, documented: 0...1)
  }

  /// A quantity; V1 documents none but 1 for subscriptions.
  @Sendable static func quantity(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let cell = copyInteger(state, rule, documented: 1...Int64.max) else { return nil }
    if cell.integer > 1, let current = state.current, state.isSubscription(state.periods[current].row) {
      state.note(.quantityOfSubscription, Int(cell.source))
    }
    return cell
  }

  @Sendable static func copyInstant(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let date = rule.instant else { return nil }
    for source in rule.sources {
      let row = state.row(of: source.scope)
      guard row >= 0, let value = state.record.instant(row, date) else { continue }
      if date == .grace, state.isGraceOver(value) {
        state.note(.pastGraceDate, state.record.rows.source(row, date))
      }
      return Cell(value, source: state.record.rows.source(row, date))
    }
    return nil
  }

  /// V2 has one date for all transactions of an original id: that of the original transaction.
  @Sendable static func originalPurchaseDate(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let cell = copyInstant(state, rule) else { return nil }
    // Another row of this original id may have another date.
    if let current = state.current, state.gaps.hidesPeriods(of: state.periods[current].original),
      !state.isOwnOriginal(state.periods[current])
    {
      return nil
    }
    guard let current = state.current, let original = state.otherOriginalDate(than: current) else { return cell }
    state.note(.originalDatesDiffer, Int(cell.source))
    return Cell(original.date, source: original.source).inferred
  }

  @Sendable static func environment(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    let index = state.find(rule)
    guard let cell = state.textCell(index), let text = cell.text else { return nil }
    return environmentName(text).map { Cell($0, source: index) } ?? cell
  }

  /// V2's name of an environment that V1 names; `nil` for an unknown one.
  static func environmentName(_ text: JSONText) -> Literal? {
    switch text.count {
    case 4 where text == "PROD", 10 where text == "Production", 13 where text == "ProductionVPP": Words.production
    case 7 where text == "Sandbox", 17 where text == "ProductionSandbox", 20 where text == "ProductionVPPSandbox":
      Words.sandbox
    case 5 where text == "Xcode": Words.xcode
    default: nil
    }
  }

  @Sendable static func trueOnly(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    let index = state.find(rule)
    return state.flag(index) == true ? Cell(true, source: index) : nil
  }

  @Sendable static func flag(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    let index = state.find(rule) { state.flag($0) != nil }
    return state.flag(index).map { Cell($0, source: index) }
  }

  @Sendable static func flagNumber(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    let index = state.find(rule) { state.flag($0) != nil }
    return state.flag(index).map { Cell($0 ? 1 : 0, source: index) }
  }

  /// `price_increase_status` has V2's meaning, and counts where the consent contradicts it.
  ///
  /// Outside of a request for consent, "0" beside an increase that needs none is a mere notice, and no contradiction.
  @Sendable static func priceIncreaseStatus(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let cell = flagNumber(state, rule), state.renewalEntry >= 0 else { return nil }
    let (record, entry) = (state.record, state.renewalEntry)
    // The consent is read where the state cannot be.
    if record.isUnreadable(entry, .price_increase_status) { return cell.inferred }
    if let increase = record.flag(entry, .price_increase_status),
      let consent = record.flag(entry, .price_consent_status), increase != consent,
      consent || state.type.is(.consentRequest)
    {
      state.note(.conflictingConsent, record.rows.slot(entry, .price_increase_status))
    }
    return cell
  }

  @Sendable static func appAppleId(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    let index = state.find(rule)
    let stated = state.integer(index).flatMap { $0 > 0 ? $0 : nil }
    if let given = state.options.appAppleId {
      if let stated, stated != given { state.note(.appAppleIdDiffers, index) }
      return Cell(given)
    }
    guard let value = stated else { return nil }
    return Cell(value, source: index)
  }

  @Sendable static func ownership(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    if let stated = copyText(state, rule), let text = stated.text {
      if text != Words.purchased.text, text != Words.familyShared.text {
        state.note(.undocumentedValue, Int(stated.source))
      }
      return stated
    }
    guard let current = state.current else { return nil }
    if state.record.isUnreadable(state.periods[current].row, .in_app_ownership_type) { return nil }
    // V1 sends REVOKE to family members only.
    let isRevoked = state.type.is(.forFamilyMembers) && state.current == state.subject.target
    return Cell(isRevoked ? Words.familyShared : Words.purchased).inferred
  }
}
