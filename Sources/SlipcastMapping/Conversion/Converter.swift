@_spi(Slipcast) package import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

/// Applies the rules to one record after another; one converter serves one thread.
package final class Converter {
  let builder: RecordBuilder
  let compiled: CompiledRules
  var entries: AccountEntries
  /// The readings that other messages of the archive settle; asked about each that they could settle.
  package var settled: (@Sendable (SettlingKey) -> Settlement?)?
  /// The names of the sources that witnesses count.
  package var sourceNames: [String] = []

  package let record: LegacyRecord
  /// What the phases before the rules found out about the current record.
  var known: KnownRecord { builder.known }

  package typealias PreparedRules = LegacyConverter.PreparedRules

  package init(prepared: PreparedRules, options: ConversionOptions, record: LegacyRecord) {
    (compiled, self.record) = (prepared.compiled, record)
    builder = RecordBuilder(prepared.compiled, options, record)
    entries = AccountEntries(builder)
  }

  /// What the caller's row says about the delivery.
  package struct Delivery {
    /// When the record was received, milliseconds since 1970 UTC.
    package var receivedAt: Int64?
    /// The row should contain the time, but it is missing or unreadable.
    package var isUnreadable = false
    /// The record was decoded from a receipt: what an app receipt says is known as well as its attributes are.
    package var isReceipt = false
    /// What was found out about the record before it was cast.
    package var remarks: [Remark] = []
    package init(receivedAt: Int64? = nil) { self.receivedAt = receivedAt }
  }

  package struct Remark {
    package var code: String
    /// One sentence; never a value of the record.
    package var message: String
    /// The place of the value on the tape; 0 for the record itself.
    package var index: Int

    package init(code: String, message: String, index: Int) {
      (self.code, self.message, self.index) = (code, message, index)
    }
  }

  /// Finds out what the record is about; values follow with `convert`.
  ///
  /// The phases of a conversion, each with the results of those before it: input, transactions and what cannot be read of
  /// them, subject, times, and for a notification the facts and the decision.
  package func prepare(_ delivery: Delivery) {
    builder.notes.begin(delivery.remarks)
    let input = RecordInput(record, compiled, builder.options, delivery, builder.notes)
    switch record.form {
    case .notification: prepareNotification(input)
    case .verifyReceipt: prepareAnswer(input)
    }
  }

  /// The reference time for states of the current record.
  package var asOf: Timestamp? { builder.statusTime.map(Timestamp.init(milliseconds:)) }

  // MARK: notification

  private func prepareNotification(_ input: RecordInput) {
    let record = record
    var periods = periods(of: record.transactions)
    if let flat = record.flat, !isListed(flat) { periods.append(Period(record, flat, after: periods.last)) }
    var gaps = RecordGaps(input, periods)
    let (subject, marked) = SubjectFinder.find(input, in: consume periods, gaps)
    if subject.isUnreadable, input.type.is(.reversal) { gaps.hideAll() }
    let times = EventTimes(input, subject.target.map { marked[$0] }, builder.notes)
    let known = KnownRecord(input, marked, gaps, subject, times)
    builder.begin(known)
    noteSubject()
    if known.judgeTime == nil { builder.note(.eventTimeUnknown, 0) }
    noteConflicts()
    noteRenewal()
    let (final, reading) = settle(known, known.readEvent(builder.notes))
    builder.take(reading, of: final.subject.isTied ? final.withoutTarget : final)
    if builder.decision?.finding != nil { builder.note(.decision, record.rows.slot(record.body, .notification_type)) }
  }

  /// How the renewal entry was found, and those that belong to no subscription for certain.
  private func noteRenewal() {
    if known.subject.isRenewalByExclusion {
      builder.note(.renewalByExclusion, record.rows.origin(known.renewalEntry))
    }
    builder.noteUnassigned(known.subject.unassignedRenewals)
  }

  private func noteSubject() {
    let named = record.rows.slot(record.body, .original_transaction_id)
    switch known.subject.standing {
    case .named, .otherOriginal: break
    case .chosenByProduct: builder.note(.subjectByProduct, record.rows.slot(record.body, .auto_renew_product_id))
    case .chosenByConsent: builder.note(.subjectByConsent, place())
    case .missing where known.subject.isUnreadable: builder.note(.subjectUnreadable, place())
    case .chosenByDate where known.subject.isBoughtLater: break
    case .chosenByDate where known.subject.isTied: builder.note(.subjectUnknown, place())
    case .chosenByDate: builder.note(.subjectUncertain, place())
    case .missing where known.subject.isUnlisted:
      let line = known.type.is(.namedByBody) ? record.rows.slot(record.body, .web_order_line_item_id) : 0
      builder.note(.subjectNotListed, line != 0 ? line : named)
    case .missing where known.type.is(.forOneTimePurchases):
      builder.note(.subjectUnknown, place())
    case .missing: break
    }
    if named != 0, known.subject.target != nil, let original = known.subject.original, let id = known.subject.named,
      !(original == id)
    {
      builder.note(.originalIdDiffers, named)
    }
    if known.subject.isBoughtLater, let row = known.subject.target.map({ known.periods[$0].row }) {
      builder.note(.purchaseAfterEvent, record.rows.source(row, .purchase))
    }
    noteFamily()
    noteLineItem()
    guard let target = known.subject.target else { return }
    noteDates(of: target)
    let row = known.periods[target].row
    if known.type.is(.forSubscriptions), known.isSubscriptionByType(row) {
      builder.note(.subscriptionNotShown, record.rows.slot(record.body, .notification_type))
    }
  }

  func noteDates(of index: Int) {
    let period = known.periods[index]
    noteIdentity(of: period)
    guard period.isOutOfOrder(early: known.length(compiled.parameters.early)) else { return }
    let isEnd = period.expires != Period.none && period.expires < period.purchase
    builder.note(.datesOutOfOrder, record.rows.source(period.row, isEnd ? .expires : .cancellation))
  }

  /// What has no id cannot be found again; what was first bought after its end contradicts itself.
  private func noteIdentity(of period: Period) {
    let ids = [LegacyKey.transaction_id, .original_transaction_id, .web_order_line_item_id]
    if ids.allSatisfy({ record.text(period.row, $0) == nil }) {
      builder.note(.transactionWithoutId, record.rows.origin(period.row))
    }
    if let original = record.instant(period.row, .originalPurchase), period.expires != Period.none,
      original > period.expires
    {
      builder.note(.originalAfterEnd, record.rows.source(period.row, .originalPurchase))
    }
  }

  /// Types that V1 does not send to family members, by era.
  private func noteFamily() {
    guard let period = known.subject.target.map({ known.periods[$0] }), record.isFamilyShared(period.row) == true else {
      return
    }
    // Without a time, the period of the event shows when it was at the latest, as far as the record goes.
    let time = known.judgeTime ?? (period.expires == Period.none ? nil : period.expires)
    guard !known.mayBeFamilyShared(at: time) else { return }
    builder.note(.familySharedUnexpected, record.rows.slot(period.row, .in_app_ownership_type))
  }

  /// A restored purchase repeats a line item under another transaction id.
  private func noteLineItem() {
    let record = record
    guard let row = known.subject.target.map({ known.periods[$0].row }),
      let line = record.text(row, .web_order_line_item_id), let own = record.text(row, .transaction_id)
    else { return }
    for period in known.periods where period.row != row {
      guard let other = record.text(period.row, .web_order_line_item_id), other == line,
        let id = record.text(period.row, .transaction_id), !(id == own)
      else { continue }
      return builder.note(.lineItemRepeated, record.rows.slot(period.row, .web_order_line_item_id))
    }
  }

  private func place() -> Int {
    record.unifiedReceipt.map { record.rows.slot($0, .latest_receipt_info) } ?? 0
  }

  /// The flat object repeats a row of the list; where it does not, it is a separate transaction.
  private func isListed(_ flat: Int) -> Bool {
    guard let id = record.text(flat, .transaction_id) else { return !record.transactions.isEmpty }
    return record.transactions.contains { row in record.text(row, .transaction_id) == id }
  }

  /// A contradiction between the top level and the renewal entry is worth a look.
  private func noteConflicts() {
    if known.renewalEntry >= 0 { noteRenewals(of: known.renewalEntry) }
    for key in known.bodyConflicts {
      let place = record.rows.slot(record.body, key)
      builder.note(key == known.type.changedKey ? .conflictingChange : .conflictingValues, place)
    }
  }

  /// A renewal may be listed twice; the entries should say the same.
  func noteRenewals(of entry: Int) {
    guard record.renewals.count > 1, let original = record.text(entry, .original_transaction_id) else { return }
    for other in known.index?.renewals(of: original) ?? Array(record.renewals) where other != entry {
      guard record.text(other, .original_transaction_id) == original,
        record.isSame(.product_id, in: entry, and: other) != false, !record.isRepeat(other, of: entry)
      else { continue }
      builder.note(.renewalListedDifferently, record.rows.origin(other))
    }
  }

  /// A renewal entry, or a body that states the renewal at its top level and has no entries at all.
  var hasRenewal: Bool {
    if builder.focus.renewalEntry >= 0 { return true }
    guard record.form == .notification, known.statesRenewal else { return false }
    // A purchase that is not a subscription has no renewal, whatever else the body states.
    if known.type.is(.forOneTimePurchases), builder.focus.period == nil { return false }
    guard let current = builder.focus.period else { return true }
    return known.isSubscription(known.periods[current].row)
  }

  func apply(_ part: ObjectPart, to row: CellRow, if isWanted: Bool = true) {
    row.clear()
    guard isWanted else { return }
    let rules = compiled.fieldRules[Int(part.rawValue)]
    let unclearDates = known.input.unclearDates
    let hasUnclearDates = !unclearDates.isEmpty
    let isByExclusion = part == .renewal && builder.focus.isRenewalByExclusion
    for index in rules.indices {
      // The rules outlive the converter, so they need no counting here.
      Unmanaged.passUnretained(rules[index])._withUnsafeGuaranteedRef { rule in
        guard var cell = rule.apply(builder, rule) else { return }
        cell.rule = rule.number
        if cell.certainty == .asRule { cell.certainty = rule.isInferred ? .inferred : .stated }
        if isByExclusion { cell.certainty = .inferred }
        if hasUnclearDates, unclearDates.contains(Int(cell.source)) { cell.certainty = .inferred }
        row.set(rule.slot, cell)
      }
    }
  }
}
