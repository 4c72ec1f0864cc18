@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// What the phases found out about one record: its transactions, what it is about, and when that happened.
///
/// Each phase gets the results before it and returns its own; nothing in here changes. A class, because every question
/// passes it on: copies of a structure of this size cost some percent of a conversion.
final class KnownRecord {
  let input: RecordInput
  /// All transactions, marked by what the event is about.
  let periods: [Period]
  /// What the record does not show.
  let gaps: RecordGaps
  let subject: Subject
  let times: EventTimes
  /// The keys for which the body of a notification states another renewal than the entry, or than one of several of which
  /// none was assigned.
  let bodyConflicts: [LegacyKey]
  /// Only where many transactions of the record are converted.
  let index: PeriodIndex?

  init(_ input: RecordInput, _ periods: [Period], _ gaps: RecordGaps, _ subject: Subject, _ times: EventTimes) {
    (self.input, self.periods, self.gaps, self.subject, self.times) = (input, periods, gaps, subject, times)
    bodyConflicts =
      subject.renewal.map { Self.bodyConflicts(input.record, $0) } ?? Self.bodyConflicts(input.record, subject)
    index = nil
  }

  private init(
    _ other: KnownRecord, input: RecordInput? = nil, periods: [Period]? = nil, subject: Subject? = nil,
    index: PeriodIndex? = nil
  ) {
    (self.input, self.periods, self.subject) = (
      input ?? other.input, periods ?? other.periods, subject ?? other.subject
    )
    (gaps, times, bodyConflicts) = (other.gaps, other.times, other.bodyConflicts)
    self.index = index ?? other.index
  }

  /// The record as the shorter windows of the Sandbox show it.
  var inSandbox: KnownRecord { KnownRecord(self, input: RecordInput(inSandbox: input)) }

  /// The record in which a period is known to have been upgraded.
  func upgrading(_ place: Int) -> KnownRecord {
    var periods = periods
    periods[place].isUpgraded = true
    return KnownRecord(self, periods: periods)
  }

  /// The record about no transaction of its list: which of several it is about is unknown.
  var withoutTarget: KnownRecord {
    var subject = subject
    (subject.target, subject.standing) = (nil, .missing)
    if subject.isTiedAcross { (subject.original, subject.newest, subject.renewal) = (subject.named, nil, nil) }
    return KnownRecord(self, subject: subject)
  }

  /// The record with what is looked up for each of many transactions.
  ///
  /// - Parameter listed: the periods that count, where transactions are listed twice.
  func indexed(_ listed: [Int]) -> KnownRecord {
    let skew = length(compiled.parameters.original)
    return KnownRecord(self, index: PeriodIndex(record, periods, listed, skew: skew))
  }

  var record: LegacyRecord { input.record }
  var compiled: CompiledRules { input.compiled }
  var type: LegacyType { input.type }
  var isSandbox: Bool { input.environment.isSandbox }
  var eventTime: Int64? { times.event }
  var judgeTime: Int64? { times.judge }
  var receivedAt: Int64? { times.received }
  /// The row of the renewal entry of the event's subscription, or -1.
  var renewalEntry: Int { subject.renewal ?? -1 }
  var target: Period? { subject.target.map { periods[$0] } }

  @inline(__always)
  func length(_ window: DecisionParameters.Window) -> Int64 { input.length(window) }

  func isAtLimit(_ distance: Int64, _ limit: DecisionParameters.Window) -> Bool { input.isAtLimit(distance, limit) }

  // MARK: the body and the renewal entry

  /// The top level repeats what the renewal entry says.
  private static func bodyConflicts(_ record: LegacyRecord, _ entry: Int) -> [LegacyKey] {
    let body = record.body
    var found: [LegacyKey] = []
    if let top = record.text(body, .auto_renew_product_id), let own = record.text(entry, .auto_renew_product_id),
      !(top == own)
    {
      found.append(.auto_renew_product_id)
    }
    if let top = record.flag(body, .auto_renew_status), let own = record.flag(entry, .auto_renew_status), top != own {
      found.append(.auto_renew_status)
    }
    guard let top = record.integer(body, .expiration_intent) else { return found }
    // An entry that contradicts the body elsewhere says by its silence that nothing expired.
    let own = record.integer(entry, .expiration_intent)
    return own.map { $0 != top } ?? !found.isEmpty ? found + [.expiration_intent] : found
  }

  private static func bodyConflicts(_ record: LegacyRecord, _ subject: Subject) -> [LegacyKey] {
    let own = subject.unassignedRenewals.filter { record.text($0, .original_transaction_id) == subject.original }
    return own.flatMap { bodyConflicts(record, $0) }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The top level states a renewal, and there are no entries: old notifications and answers in the iOS 6 style.
  var statesRenewal: Bool {
    record.renewals.isEmpty && !gaps.areRenewalsDamaged
      && [LegacyKey.auto_renew_product_id, .auto_renew_status, .expiration_intent, .is_in_billing_retry_period]
        .contains { record.rows.slot(record.body, $0) != 0 }
  }

  // MARK: what the record states of the event

  /// The line item of the event's period, else its transaction; of a period that is not listed what the record states.
  var lineItem: JSONText? {
    guard let row = target?.row else { return record.text(record.body, .web_order_line_item_id) }
    return record.text(row, .web_order_line_item_id) ?? record.text(row, .transaction_id)
  }

  /// The auto-renew status that the record states.
  var statedStatus: Bool? { stated { record.flag($0, .auto_renew_status) } }

  var statedNextProduct: JSONText? { stated { record.text($0, .auto_renew_product_id) } }

  /// Why the subscription ended, as a number.
  var statedIntent: Int64? { stated { record.integer($0, .expiration_intent) } }

  /// The offer of the next period.
  var statedOffer: JSONText? { subject.renewal.flatMap(offer(in:)) }

  /// The offer in a transaction or a renewal entry.
  func offer(in row: Int) -> JSONText? {
    record.text(row, .promotional_offer_id) ?? record.text(row, .offer_code_ref_name)
  }

  /// What the body states, else the renewal entry.
  private func stated<Value>(_ read: (Int) -> Value?) -> Value? { read(record.body) ?? subject.renewal.flatMap(read) }

  // MARK: products

  /// The field that shows a row to be an auto-renewable subscription, or 0.
  func subscriptionEvidence(_ row: Int) -> Int {
    if let stated = input.statedType(row) {
      return stated == .autoRenewableSubscription ? record.rows.slot(row, .product_type) : 0
    }
    for key in [LegacyKey.web_order_line_item_id, .subscription_group_identifier] {
      let index = record.rows.slot(row, key)
      if index != 0 { return index }
    }
    if record.rows.instant(row, .expires) != Period.none { return record.rows.source(row, .expires) }
    guard let product = record.text(row, .product_id) else { return 0 }
    if let index {
      if let entry = index.renewal(ofProduct: product) { return record.rows.slot(entry, .product_id) }
    } else {
      let entry = record.renewals.first { record.text($0, .product_id) == product }
      if let entry { return record.rows.slot(entry, .product_id) }
    }
    // Bodies about other products name no next product.
    guard record.form == .notification, record.text(record.body, .auto_renew_product_id) == product else { return 0 }
    return record.rows.slot(record.body, .auto_renew_product_id)
  }

  func isSubscription(_ row: Int) -> Bool { subscriptionEvidence(row) != 0 || isSubscriptionByType(row) }

  /// Only the type of the notification says that its transaction is a subscription.
  func isSubscriptionByType(_ row: Int) -> Bool {
    type.is(.forSubscriptions) && target?.row == row && input.statedType(row) == nil && subscriptionEvidence(row) == 0
  }

  /// What would show that the row is a subscription is there and cannot be read.
  func isKindUnreadable(_ row: Int) -> Bool {
    record.isUnreadable(row, .expires)
      || [LegacyKey.web_order_line_item_id, .subscription_group_identifier, .product_type, .product_id].contains {
        record.isUnreadable(row, $0)
      }
  }
}
