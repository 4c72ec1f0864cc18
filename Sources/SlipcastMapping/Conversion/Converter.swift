@_spi(Slipcast) package import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

/// Applies the rules to one record after another; one converter serves one thread.
package final class Converter {
  let state: ConversionState
  let compiled: CompiledRules
  var entries: AccountEntries
  /// The readings that other messages of the archive settle; asked about each that they could settle.
  package var settled: (@Sendable (SettlingKey) -> Settlement?)?
  /// The names of the sources that witnesses count.
  package var sourceNames: [String] = []

  // Functions on the path of each record keep it in a constant: reading it from the state counts references each time.
  package var record: LegacyRecord { state.record }

  package typealias PreparedRules = LegacyConverter.PreparedRules

  package init(prepared: PreparedRules, options: ConversionOptions, record: LegacyRecord) {
    compiled = prepared.compiled
    state = ConversionState(compiled: prepared.compiled, options: options, record: record)
    entries = AccountEntries(state)
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

  /// Finds out what the record is about; values follow with `castNotification` or while transactions are written.
  package func prepare(_ delivery: Delivery) {
    state.notes.removeAll(keepingCapacity: true)
    state.remarks = delivery.remarks
    state.receivedAt = delivery.receivedAt.flatMap { LegacyInstant.plausible.contains($0) ? $0 : nil }
    // A receipt in the style of iOS 6 is a flat transaction, in verifyReceipt's own words.
    state.isOfAttributes = delivery.isReceipt && record.receipt != nil
    if delivery.isUnreadable || delivery.receivedAt != state.receivedAt { state.note(.receivedTimeUnreadable, 0) }
    (state.reading, state.current, state.eventTime, state.eventTimeSource) = (nil, nil, nil, 0)
    state.isRenewalByExclusion = false
    if !state.unassignedRenewals.isEmpty { state.unassignedRenewals.removeAll() }
    state.index = nil
    state.isRenewalOfBody = false
    state.periods.removeAll(keepingCapacity: true)
    readPeriods()
    if !state.unclearDates.isEmpty { state.unclearDates.removeAll() }
    for finding in record.findings where finding.drift.isUnclearHour { state.unclearDates.insert(Int(finding.index)) }
    readEnvironment()
    noteEnvironments()
    switch record.form {
    case .notification: prepareNotification()
    case .verifyReceipt: prepareReceipt()
    }
  }

  private func readPeriods() {
    var periods: [Period] = []
    swap(&periods, &state.periods)
    append(record.transactions, to: &periods)
    swap(&periods, &state.periods)
  }

  /// The reference time for states of the current record.
  package var asOf: Timestamp? { state.statusTime.map(Timestamp.init(milliseconds:)) }

  private func readEnvironment() {
    let place = environmentPlace()
    let text = place == 0 ? nil : record.text(at: place)
    state.isEnvironmentStated = text != nil
    state.isSandbox = text.map(Self.isSandbox) ?? false
    state.otherEnvironment = nil
    guard !state.isSandbox, let text else { return }
    let known = Transform.environmentName(text)?.text
    if known == nil { state.note(.unknownEnvironment, place) }
    if known != Words.production.text { state.otherEnvironment = text }
  }

  /// The place of the value that names the environment, or 0.
  private func environmentPlace() -> Int {
    let outer = record.rows.slot(record.body, .environment)
    if outer != 0 { return outer }
    let inner = record.unifiedReceipt.map { record.rows.slot($0, .environment) } ?? 0
    return inner != 0 ? inner : record.receipt.map { record.rows.slot($0, .receipt_type) } ?? 0
  }

  /// Both levels of a record name the environment; they should name the same one.
  private func noteEnvironments() {
    let record = record
    let inner = record.unifiedReceipt.map { ($0, LegacyKey.environment) } ?? record.receipt.map { ($0, .receipt_type) }
    guard let (row, key) = inner, let text = record.text(row, key), record.text(record.body, .environment) != nil else {
      return
    }
    if Self.isSandbox(text) != state.isSandbox { state.note(.conflictingEnvironments, record.rows.slot(row, key)) }
  }

  private static func isSandbox(_ text: JSONText) -> Bool {
    text == "Sandbox" || text == "ProductionSandbox" || text == "ProductionVPPSandbox"
  }

  // MARK: notification

  private func prepareNotification() {
    let record = record
    state.type = record.text(record.body, .notification_type).map(compiled.type) ?? .unknown
    if let flat = record.flat, !isListed(flat) {
      state.periods.append(Period(record, flat, after: state.periods.last))
    }
    findGaps()
    var periods = state.periods
    state.subject = SubjectFinder.find(state, in: &periods)
    state.periods = periods
    if state.subject.isUnreadable, state.type.is(.reversal) { state.gaps.hideAll() }
    state.current = state.subject.target
    state.newestPeriod = state.subject.newest
    state.renewalEntry = state.subject.renewal ?? -1
    state.isRenewalByExclusion = state.subject.isRenewalByExclusion
    findEventTime()
    checkReceivedTime()
    state.judgeTime = state.eventTime ?? state.receivedAt
    noteSubject()
    if state.eventTime == nil, state.receivedAt == nil { state.note(.eventTimeUnknown, 0) }
    noteConflicts()
    noteRenewal()
    state.reading = state.readEvent()
    settleReading()
    if state.decision?.finding != nil { state.note(.decision, record.rows.slot(record.body, .notification_type)) }
  }

  func findGaps() {
    state.gaps = RecordGaps(
      record, state.periods, state.type, listLimit: compiled.parameters.listLimit)
  }

  /// How the renewal entry was found, and those that belong to no subscription for certain.
  private func noteRenewal() {
    if state.isRenewalByExclusion { state.note(.renewalByExclusion, record.rows.origin(state.renewalEntry)) }
    noteUnassigned(state.subject.unassignedRenewals)
  }

  func noteUnassigned(_ entries: [Int]) {
    for entry in entries where state.unassignedRenewals.insert(entry).inserted {
      state.note(.renewalUnassigned, record.rows.origin(entry))
    }
  }

  private func noteSubject() {
    let named = record.rows.slot(record.body, .original_transaction_id)
    switch state.subject.standing {
    case .named: break
    case .otherOriginal: break
    case .chosenByProduct: state.note(.subjectByProduct, record.rows.slot(record.body, .auto_renew_product_id))
    case .chosenByConsent: state.note(.subjectByConsent, place())
    case .missing where state.subject.isUnreadable: state.note(.subjectUnreadable, place())
    case .chosenByDate where state.subject.isBoughtLater: break
    case .chosenByDate: state.note(.subjectUncertain, place())
    case .missing where state.subject.isUnlisted:
      let line = state.type.is(.namedByBody) ? record.rows.slot(record.body, .web_order_line_item_id) : 0
      state.note(.subjectNotListed, line != 0 ? line : named)
    case .missing where state.type.is(.forOneTimePurchases):
      state.note(.subjectUnknown, place())
    case .missing: break
    }
    if named != 0, state.subject.target != nil, let original = state.subject.original, let id = state.subject.named,
      !(original == id)
    {
      state.note(.originalIdDiffers, named)
    }
    if state.subject.isBoughtLater, let row = state.subject.target.map({ state.periods[$0].row }) {
      state.note(.purchaseAfterEvent, record.rows.source(row, .purchase))
    }
    noteFamily()
    noteLineItem()
    guard let target = state.subject.target else { return }
    noteDates(of: target)
    let row = state.periods[target].row
    if state.type.is(.forSubscriptions), state.isSubscriptionByType(row) {
      state.note(.subscriptionNotShown, record.rows.slot(record.body, .notification_type))
    }
  }

  /// Nothing is received before it happened, save that Apple tries renewals early: such a time belongs to another record.
  private func checkReceivedTime() {
    guard let receivedAt = state.receivedAt, let target = state.subject.target else { return }
    // The time of a failure is the expiry, which may lie ahead.
    let time = state.type.is(.failure) ? state.periods[target].purchase : state.eventTime
    guard let time, time - receivedAt > state.length(compiled.parameters.early) else { return }
    state.note(.receivedBeforeEvent, 0)
    state.receivedAt = nil
  }

  func noteDates(of index: Int) {
    let period = state.periods[index]
    noteIdentity(of: period)
    guard period.isOutOfOrder(early: state.length(compiled.parameters.early)) else { return }
    let isEnd = period.expires != Period.none && period.expires < period.purchase
    state.note(.datesOutOfOrder, record.rows.source(period.row, isEnd ? .expires : .cancellation))
  }

  /// What has no id cannot be found again; what was first bought after its end contradicts itself.
  private func noteIdentity(of period: Period) {
    let ids = [LegacyKey.transaction_id, .original_transaction_id, .web_order_line_item_id]
    if ids.allSatisfy({ record.text(period.row, $0) == nil }) {
      state.note(.transactionWithoutId, record.rows.origin(period.row))
    }
    if let original = record.instant(period.row, .originalPurchase), period.expires != Period.none,
      original > period.expires
    {
      state.note(.originalAfterEnd, record.rows.source(period.row, .originalPurchase))
    }
  }

  /// Types that V1 does not send to family members, by era.
  private func noteFamily() {
    guard let row = state.subject.target.map({ state.periods[$0].row }), record.isFamilyShared(row) == true else {
      return
    }
    if !state.mayBeFamilyShared { state.note(.familySharedUnexpected, record.rows.slot(row, .in_app_ownership_type)) }
  }

  /// A restored purchase repeats a line item under another transaction id.
  private func noteLineItem() {
    let record = record
    guard let row = state.subject.target.map({ state.periods[$0].row }),
      let line = record.text(row, .web_order_line_item_id), let own = record.text(row, .transaction_id)
    else { return }
    for period in state.periods where period.row != row {
      guard let other = record.text(period.row, .web_order_line_item_id), other == line,
        let id = record.text(period.row, .transaction_id), !(id == own)
      else { continue }
      return state.note(.lineItemRepeated, record.rows.slot(period.row, .web_order_line_item_id))
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

  private func findEventTime() {
    func take(_ row: Int, _ date: LegacyInstant) {
      guard state.eventTime == nil, let value = record.instant(row, date) else { return }
      (state.eventTime, state.eventTimeSource) = (value, record.rows.source(row, date))
    }
    let row = state.subject.target.map { state.periods[$0].row }
    switch state.type.clock {
    case .statusChange: take(record.body, .statusChange)
    case .cancellation:
      if let row { take(row, .cancellation) }
      take(record.body, .cancellation)
    case .purchase: if let row { take(row, .purchase) }
    case .expiry: if let row { take(row, .expires) }
    case nil: break
    }
  }

  /// The top level repeats what the renewal entry says; a contradiction is worth a look.
  private func noteConflicts() {
    let record = record
    let entry = state.renewalEntry
    state.isBodyContradicted = false
    guard entry >= 0 else { return }
    noteRenewals(of: entry)
    let body = record.body
    func note(_ key: LegacyKey) {
      state.isBodyContradicted = true
      state.note(key == state.type.changedKey ? .conflictingChange : .conflictingValues, record.rows.slot(body, key))
    }
    if let top = record.text(body, .auto_renew_product_id), let own = record.text(entry, .auto_renew_product_id),
      !(top == own)
    {
      note(.auto_renew_product_id)
    }
    if let top = record.flag(body, .auto_renew_status), let own = record.flag(entry, .auto_renew_status), top != own {
      note(.auto_renew_status)
    }
    guard let top = record.integer(body, .expiration_intent) else { return }
    // An entry that contradicts the body elsewhere says by its silence that nothing expired.
    let own = record.integer(entry, .expiration_intent)
    if own.map({ $0 != top }) ?? state.isBodyContradicted { note(.expiration_intent) }
  }

  /// A renewal may be listed twice; the entries should say the same.
  func noteRenewals(of entry: Int) {
    guard record.renewals.count > 1, let original = record.text(entry, .original_transaction_id) else { return }
    for other in state.index?.renewals(of: original) ?? Array(record.renewals) where other != entry {
      guard record.text(other, .original_transaction_id) == original,
        record.isSame(.product_id, in: entry, and: other) != false, !record.isRepeat(other, of: entry)
      else { continue }
      state.note(.renewalListedDifferently, record.rows.origin(other))
    }
  }

  /// A renewal entry, or a body that states the renewal at its top level and has no entries at all.
  var hasRenewal: Bool {
    if state.renewalEntry >= 0 { return true }
    guard record.form == .notification, statesRenewal else { return false }
    // A purchase that is not a subscription has no renewal, whatever else the body states.
    if state.type.is(.forOneTimePurchases), state.current == nil { return false }
    guard let current = state.current else { return true }
    return state.isSubscription(state.periods[current].row)
  }

  /// The top level states a renewal, and there are no entries: old notifications and answers in the iOS 6 style.
  var statesRenewal: Bool {
    record.renewals.isEmpty && !state.gaps.areRenewalsDamaged
      && [LegacyKey.auto_renew_product_id, .auto_renew_status, .expiration_intent, .is_in_billing_retry_period]
        .contains { record.rows.slot(record.body, $0) != 0 }
  }

  func apply(_ part: ObjectPart, to row: CellRow, if isWanted: Bool = true) {
    row.clear()
    guard isWanted else { return }
    let rules = compiled.fieldRules[Int(part.rawValue)]
    let hasUnclearDates = !state.unclearDates.isEmpty
    let isByExclusion = part == .renewal && state.isRenewalByExclusion
    for index in rules.indices {
      // The rules outlive the converter, so they need no counting here.
      Unmanaged.passUnretained(rules[index])._withUnsafeGuaranteedRef { rule in
        guard var cell = rule.apply(state, rule) else { return }
        cell.rule = rule.number
        if cell.certainty == .asRule { cell.certainty = rule.isInferred ? .inferred : .stated }
        if isByExclusion { cell.certainty = .inferred }
        if hasUnclearDates, state.unclearDates.contains(Int(cell.source)) { cell.certainty = .inferred }
        row.set(rule.slot, cell)
      }
    }
  }
}
