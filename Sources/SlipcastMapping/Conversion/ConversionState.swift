@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Everything known about the record that is being converted; reset for each one.
///
/// Rules and transforms read it; only `Converter` prepares it.
@dynamicMemberLookup
final class ConversionState {
  let compiled: CompiledRules
  let options: ConversionOptions
  let identity = EventIdentity()
  let tree = ConversionTree()
  let record: LegacyRecord
  private let (ownTransaction, ownRenewal): (CellRow, CellRow)
  let notification = CellRow(ObjectPart.notification.schema)
  let data = CellRow(ObjectPart.data.schema)
  // Unchecked exclusivity: a state belongs to one converter and one thread (6 % of a conversion, `slipcast-bench` stage cast).
  @exclusivity(unchecked) private var moment: Moment

  /// What changes from record to record, and from object to object.
  struct Moment {
    /// The rows that rules fill; those of answers are objects of the tree, one after another.
    var transaction: CellRow
    var renewal: CellRow
    var type = LegacyType.unknown
    var periods: [Period] = []
    /// Only while many transactions of the record are cast.
    var index: PeriodIndex?
    var subject = Subject()
    /// The period that transaction rules work on.
    var current: Int?
    /// The newest period of the subscription that status and renewal rules work on.
    var newestPeriod: Int?
    /// The row of the renewal entry that renewal rules work on, or -1.
    var renewalEntry = -1
    /// The entry does not name the subscription; others were excluded.
    var isRenewalByExclusion = false
    /// Renewal entries that were given to no subscription, because several fit.
    var unassignedRenewals: Set<Int> = []
    /// What the record does not show.
    var gaps = RecordGaps()
    /// No entry has the renewal of the only subscription; the top level states it.
    var isRenewalOfBody = false
    /// The body of the notification states another renewal than the entry.
    var isBodyContradicted = false
    var receivedAt: Int64?
    /// The values are those of the attributes of an app receipt.
    var isOfAttributes = false
    /// When the event happened according to V1; milliseconds since 1970 UTC.
    var eventTime: Int64?
    var eventTimeSource = 0
    /// The time at which states are judged: the event's, or the request's for receipts.
    var judgeTime: Int64?
    var reading: EventReading?
    var isSandbox = false
    /// The record names its environment.
    var isEnvironmentStated = true
    /// An environment that is neither production nor sandbox, as the record names it.
    var otherEnvironment: JSONText?
    /// The places of dates that may be an hour off: Pacific texts in the hour that autumn repeats or spring skips.
    var unclearDates: Set<Int> = []
    /// Memory of `chain`, used again for every record.
    var scratch: [Int] = []
    var notes: [(note: ConversionNote, index: Int)] = []
    var remarks: [Converter.Remark] = []
  }

  subscript<Value>(dynamicMember path: WritableKeyPath<Moment, Value>) -> Value {
    @inline(__always) get { moment[keyPath: path] }
    @inline(__always) _modify { yield &moment[keyPath: path] }
  }

  init(compiled: CompiledRules, options: ConversionOptions, record: LegacyRecord) {
    self.compiled = compiled
    self.options = options
    self.record = record
    ownTransaction = CellRow(ObjectPart.transaction.schema)
    ownRenewal = CellRow(ObjectPart.renewal.schema)
    moment = Moment(transaction: ownTransaction, renewal: ownRenewal)
  }

  /// The rows of a notification are the same for every record.
  func beginNotification() {
    guard !tree.isNotification else { return }
    (self.transaction, self.renewal) = (ownTransaction, ownRenewal)
    tree.beginNotification([notification, data, self.transaction, self.renewal])
  }

  var rowsRead: ConversionTree.RowsRead {
    ConversionTree.RowsRead(period: self.current, newestPeriod: self.newestPeriod, renewalEntry: self.renewalEntry)
  }

  func returnTo(_ object: ConversionTree.Object) {
    guard let reading = object.reading else { return }
    (self.current, self.newestPeriod, self.renewalEntry) = (reading.period, reading.newestPeriod, reading.renewalEntry)
  }

  func note(_ note: ConversionNote, _ index: Int) { self.notes.append((note, index)) }

  var decision: CompiledDecision? { moment.reading?.decision }

  // MARK: values

  /// The row that holds a scope's fields in this record, or -1.
  @inline(__always)
  func row(of scope: LegacyScope) -> Int {
    switch scope {
    case .latest_receipt_info: self.current.map { self.periods[$0].row } ?? -1
    case .pending_renewal_info: self.renewalEntry
    case .responseBodyV1: record.form == .notification ? record.body : -1
    case .unified_receipt: record.unifiedReceipt ?? -1
    case .verifyReceipt: record.form == .verifyReceipt ? record.body : -1
    case .receipt: record.receipt ?? (record.form == .verifyReceipt ? record.flat ?? -1 : -1)
    }
  }

  /// The place of the first value that a rule's sources have, or 0.
  func find(_ rule: CompiledRule) -> Int { find(rule) { _ in true } }

  /// The place of the first value of a rule's sources that can be read, or 0.
  @inline(__always)
  func find(_ rule: CompiledRule, where isReadable: (Int) -> Bool) -> Int {
    for source in rule.sources {
      if source.isStandIn, !standsIn(source.scope, forRenewal: rule.isOfRenewal) { continue }
      let row = row(of: source.scope)
      if row >= 0 {
        let index = record.rows.slot(row, source.key)
        if index != 0, isReadable(index) { return index }
      }
      // Old bodies name the app only in the flat object.
      if source.scope == .latest_receipt_info, source.key == .bid || source.key == .bvrs, let flat = record.flat {
        let index = record.rows.slot(flat, source.key)
        if index != 0, isReadable(index) { return index }
      }
    }
    return 0
  }

  /// What the body of a notification says is about the event's own purchase and subscription; what other objects say of a
  /// renewal counts only without an entry.
  private func standsIn(_ scope: LegacyScope, forRenewal isOfRenewal: Bool) -> Bool {
    guard scope == .responseBodyV1 else { return !isOfRenewal || self.renewalEntry < 0 }
    guard isOfRenewal else { return self.current == nil || self.current == self.subject.target }
    if self.isBodyContradicted, self.renewalEntry >= 0 { return false }
    return self.newestPeriod.map { self.periods[$0].isSameOriginal } ?? true
  }

  func textCell(_ index: Int) -> Cell? {
    record.text(at: index).map { Cell($0, source: index) }
  }

  func integer(_ index: Int) -> Int64? {
    switch record.tape[index].kind {
    case .string, .number: LegacyNumber.integer(record.tape.text(index))
    case .true: 1
    case .false: 0
    default: nil
    }
  }

  func flag(_ index: Int) -> Bool? {
    switch record.tape[index].kind {
    case .true: true
    case .false: false
    case .string, .number: LegacyNumber.flag(record.tape.text(index))
    default: nil
    }
  }

  // MARK: periods

  /// What an app receipt says of the product: attribute 1707, which counts the types in this order.
  func statedType(_ row: Int) -> ProductType? {
    guard record.rows.slot(row, .product_type) != 0 else { return nil }
    return switch record.integer(row, .product_type) {
    case 0: .nonConsumable
    case 1: .consumable
    case 2: .nonRenewingSubscription
    case 3: .autoRenewableSubscription
    default: nil
    }
  }

  /// The type of the product, as the record or the catalogue states it.
  func knownType(_ row: Int) -> ProductType? {
    statedType(row) ?? record.text(row, .product_id).flatMap { options.productType($0) }
  }

  /// The field that shows a row to be an auto-renewable subscription, or 0.
  func subscriptionEvidence(_ row: Int) -> Int {
    if let stated = statedType(row) {
      return stated == .autoRenewableSubscription ? record.rows.slot(row, .product_type) : 0
    }
    for key in [LegacyKey.web_order_line_item_id, .subscription_group_identifier] {
      let index = record.rows.slot(row, key)
      if index != 0 { return index }
    }
    if record.rows.instant(row, .expires) != Period.none { return record.rows.source(row, .expires) }
    guard let product = record.text(row, .product_id) else { return 0 }
    if let index = self.index {
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
    self.type.is(.forSubscriptions) && self.subject.target.map { self.periods[$0].row == row } == true
      && statedType(row) == nil && subscriptionEvidence(row) == 0
  }

  /// Where transactions of one original id have several original purchase dates, that of the original transaction if it
  /// is listed, else the period's own; `nil` where all agree.
  func otherOriginalDate(than index: Int) -> (date: Int64, source: Int)? {
    let row = self.periods[index].row
    guard let own = record.instant(row, .originalPurchase), let original = self.periods[index].original,
      let first = openOriginal(original, own)
    else { return nil }
    let source = first >= 0 ? self.periods[first].row : row
    let holder = record.instant(source, .originalPurchase) == nil ? row : source
    return (record.instant(holder, .originalPurchase) ?? own, record.rows.source(holder, .originalPurchase))
  }

  /// The period of an original transaction whose original purchase dates differ, or -1; `nil` where all agree.
  private func openOriginal(_ original: JSONText, _ date: Int64) -> Int? {
    if let all = self.index { return all.openOriginal(original) }
    let skew = length(compiled.parameters.original)
    // Dates first: comparing ids costs more, and in most records all dates are equal.
    let differs = self.periods.contains { other in
      record.instant(other.row, .originalPurchase).map { !$0.isNear(date, within: skew) } ?? false
        && other.original == original
    }
    guard differs else { return nil }
    return self.periods.firstIndex { record.text($0.row, .transaction_id) == original } ?? -1
  }

  /// The period before one, of the same original transaction (by purchase, then expiry).
  ///
  /// The same in every form of a record: values that follow from it do not depend on the event.
  func previous(of index: Int) -> Int? { precedingPeriod(of: index) }

  /// The periods of the event's original transaction that have an end, newest first.
  func chain() -> [Int] {
    if let index = self.index, let newestPeriod = self.newestPeriod {
      return self.periods[newestPeriod].original.map {
        index.chain(of: $0).filter { self.periods[$0].expires != Period.none }
      } ?? []
    }
    // Built in the same memory for every record.
    var chain = self.scratch
    self.scratch = []
    chain.removeAll(keepingCapacity: true)
    var isSorted = true
    for index in self.periods.indices
    where self.periods[index].isSameOriginal && self.periods[index].expires != Period.none {
      if let last = chain.last, self.periods[index].isNewer(than: self.periods[last]) { isSorted = false }
      chain.append(index)
    }
    if !isSorted { chain.sort { self.periods[$0].isNewer(than: self.periods[$1]) } }
    self.scratch = chain
    return chain
  }

  /// The newest period that is older than one, of the same original transaction; upgraded ones count: they were paid.
  func precedingPeriod(of index: Int) -> Int? {
    if let all = self.index { return all.predecessor(of: index) }
    let period = self.periods[index]
    return SubjectFinder.newest(self.periods) { other in
      guard period.isNewer(than: other), other.expires != Period.none else { return false }
      return period.isSameOriginal && other.isSameOriginal
        || period.original != nil && period.original == other.original
    }
  }
}
