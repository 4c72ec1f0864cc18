// Transforms that take one V1 value over: as it is, or in the JSON type that V2 uses.
@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

extension Transform {
  @Sendable static func copyText(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    builder.textCell(builder.find(rule))
  }

  @Sendable static func copyUUID(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    let index = builder.find(rule)
    guard let cell = builder.textCell(index), let text = cell.text else { return nil }
    if UUIDText.isValid(text.buffer.span) { return cell }
    builder.note(.tokenNotUUID, index)
    return nil
  }

  /// The purchaser's token; V2 has none in a transaction that is shared with the family.
  @Sendable static func purchaserToken(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    guard let current = builder.current else { return nil }
    if builder.record.isUnreadable(builder.periods[current].row, .in_app_ownership_type) { return nil }
    guard builder.record.isFamilyShared(builder.periods[current].row) == true else {
      return copyUUID(builder, rule)
    }
    let index = builder.find(rule)
    if index != 0 { builder.note(.familyTokenDropped, index) }
    return nil
  }

  @Sendable static func copyInteger(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    let index = builder.find(rule) { builder.integer($0).map(LegacyNumber.small.contains) ?? false }
    guard index != 0, let value = builder.integer(index) else { return nil }
    return Cell(value, source: index)
  }

  /// A number of which V1 documents some values; others are kept.
  private static func copyInteger(
    _ builder: RecordBuilder, _ rule: CompiledRule, documented: ClosedRange<Int64>
  ) -> Cell? {
    guard let cell = copyInteger(builder, rule) else { return nil }
    if !documented.contains(cell.integer) { builder.note(.undocumentedValue, Int(cell.source)) }
    return cell
  }

  @Sendable static func expirationIntent(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    copyInteger(builder, rule, documented: 1...5)
  }

  static func cancellationReason(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    copyInteger(builder, rule, documented: reasons)
  }

  /// The reason of another row than that of the transaction.
  static func cancellationReason(_ builder: RecordBuilder, at index: Int) -> Cell? {
    guard index != 0, let value = builder.integer(index), LegacyNumber.small.contains(value) else { return nil }
    if !reasons.contains(value) { builder.note(.undocumentedValue, index) }
    return Cell(value, source: index)
  }

  private static let reasons: ClosedRange<Int64> = 0...1

  /// A quantity; V1 documents none but 1 for subscriptions.
  @Sendable static func quantity(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    guard let cell = copyInteger(builder, rule, documented: 1...Int64.max) else { return nil }
    if cell.integer > 1, let current = builder.current, builder.known.isSubscription(builder.periods[current].row) {
      builder.note(.quantityOfSubscription, Int(cell.source))
    }
    return cell
  }

  @Sendable static func copyInstant(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    guard let date = rule.instant else { return nil }
    for source in rule.sources {
      let row = builder.row(of: source.scope)
      guard row >= 0, let value = builder.record.instant(row, date) else { continue }
      if date == .grace, builder.isGraceOver(value) {
        builder.note(.pastGraceDate, builder.record.rows.source(row, date))
      }
      return Cell(value, source: builder.record.rows.source(row, date))
    }
    return nil
  }

  /// V2 has one date for all transactions of an original id: that of the original transaction.
  @Sendable static func originalPurchaseDate(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    guard let cell = copyInstant(builder, rule) else { return nil }
    // Another row of this original id may have another date.
    if let current = builder.current, builder.gaps.hidesPeriods(of: builder.periods[current].original),
      !builder.known.isOwnOriginal(builder.periods[current])
    {
      return nil
    }
    guard let current = builder.current, let original = builder.known.otherOriginalDate(than: current) else {
      return cell
    }
    builder.note(.originalDatesDiffer, Int(cell.source))
    return Cell(original.date, source: original.source).inferred
  }

  @Sendable static func environment(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    let index = builder.find(rule) { builder.textCell($0)?.text.flatMap(environmentName) != nil }
    guard index == 0 else {
      return builder.textCell(index)?.text.flatMap(environmentName).map { Cell($0, source: index) }
    }
    return builder.textCell(builder.find(rule))
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

  @Sendable static func trueOnly(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    let index = builder.find(rule)
    return builder.flag(index) == true ? Cell(true, source: index) : nil
  }

  @Sendable static func flag(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    let index = builder.find(rule) { builder.flag($0) != nil }
    return builder.flag(index).map { Cell($0, source: index) }
  }

  @Sendable static func flagNumber(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    let index = builder.find(rule) { builder.flag($0) != nil }
    return builder.flag(index).map { Cell($0 ? 1 : 0, source: index) }
  }

  /// `price_increase_status` has V2's meaning, and counts where the consent contradicts it.
  ///
  /// Outside of a request for consent, "0" with an increase that needs none is a mere notice, and no contradiction.
  @Sendable static func priceIncreaseStatus(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    guard let cell = flagNumber(builder, rule), builder.focus.renewalEntry >= 0 else { return nil }
    let (record, entry) = (builder.record, builder.focus.renewalEntry)
    // The consent is read where the state cannot be.
    if record.isUnreadable(entry, .price_increase_status) { return cell.inferred }
    if let increase = record.flag(entry, .price_increase_status),
      let consent = record.flag(entry, .price_consent_status), increase != consent,
      consent || builder.known.type.is(.consentRequest)
    {
      builder.note(.conflictingConsent, record.rows.slot(entry, .price_increase_status))
    }
    return cell
  }

  @Sendable static func appAppleId(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    let index = builder.find(rule)
    let stated = builder.integer(index).flatMap { $0 > 0 ? $0 : nil }
    if let given = builder.options.appAppleId {
      if let stated, stated != given { builder.note(.appAppleIdDiffers, index) }
      return Cell(given)
    }
    guard let value = stated else { return nil }
    return Cell(value, source: index)
  }

  @Sendable static func ownership(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    if let stated = copyText(builder, rule), let text = stated.text {
      if text != Words.purchased.text, text != Words.familyShared.text {
        builder.note(.undocumentedValue, Int(stated.source))
      }
      return stated
    }
    guard let current = builder.current else { return nil }
    if builder.record.isUnreadable(builder.periods[current].row, .in_app_ownership_type) { return nil }
    // V1 sends REVOKE to family members only.
    let isRevoked = builder.known.type.is(.forFamilyMembers) && builder.current == builder.subject.target
    return Cell(isRevoked ? Words.familyShared : Words.purchased).inferred
  }
}
