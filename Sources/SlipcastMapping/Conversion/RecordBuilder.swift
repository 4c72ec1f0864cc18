@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Fills the V2 objects of one record after another: what the rules read while they are applied.
final class RecordBuilder {
  let compiled: CompiledRules
  let options: ConversionOptions
  let identity = EventIdentity()
  let tree = EventRecord()
  let record: LegacyRecord
  let notes = NoteCollector()
  private let (ownTransaction, ownRenewal): (CellRow, CellRow)
  let notification = CellRow(ObjectPart.notification.schema)
  let data = CellRow(ObjectPart.data.schema)
  /// What the phases before found out about the record.
  private(set) var known: KnownRecord
  /// What the event is read as; `nil` for an answer.
  private(set) var reading: EventReading?
  // Unchecked exclusivity: a builder belongs to one converter and one thread (6 % of a conversion, `slipcast-bench` stage
  // cast).
  /// What the object that is being filled describes.
  @exclusivity(unchecked) var focus = Focus()
  /// The rows that rules fill; those of answers are objects of the tree, one after another.
  private(set) var transaction: CellRow
  private(set) var renewal: CellRow
  /// Renewal entries that were given to no subscription, because several fit.
  private(set) var unassignedRenewals: Set<Int> = []
  /// The renewal entries that statuses have, by original transaction; `nil` for other outputs.
  private(set) var assignedRenewals: [JSONText: Int]?

  /// The V1 rows that rules read while they fill an object.
  struct Focus {
    /// The period of the transaction.
    var period: Int?
    /// The newest period of the subscription, which status and renewal rules read.
    var newestPeriod: Int?
    /// The renewal entry, or -1.
    var renewalEntry = -1
    /// The entry does not name the subscription; others were excluded.
    var isRenewalByExclusion = false
    /// No entry has the renewal of the only subscription; the top level states it.
    var isRenewalOfBody = false
  }

  init(_ compiled: CompiledRules, _ options: ConversionOptions, _ record: LegacyRecord) {
    (self.compiled, self.options, self.record) = (compiled, options, record)
    ownTransaction = CellRow(ObjectPart.transaction.schema)
    ownRenewal = CellRow(ObjectPart.renewal.schema)
    (transaction, renewal) = (ownTransaction, ownRenewal)
    let input = RecordInput(unread: record, compiled, options)
    known = KnownRecord(input, [], RecordGaps(), Subject(), EventTimes(answer: input))
  }

  /// Takes over what the phases found out about the next record, which is not read as an event yet.
  func begin(_ known: KnownRecord) {
    (self.known, reading) = (known, nil)
    focus = Focus(known)
    if !unassignedRenewals.isEmpty { unassignedRenewals.removeAll() }
    assignedRenewals = nil
  }

  /// Takes over what the event of the record is read as, and the record as that reading shows it.
  func take(_ reading: EventReading?, of known: KnownRecord) {
    (self.known, self.reading, focus) = (known, reading, Focus(known))
  }

  /// Looks transactions up in an index from now on; only many of them are worth it.
  func index(_ listed: [Int]) { known = known.indexed(listed) }

  /// The rows of a notification are the same for every record.
  func beginNotification() {
    guard !tree.isNotification else { return }
    (transaction, renewal) = (ownTransaction, ownRenewal)
    tree.beginNotification([notification, data, transaction, renewal])
  }

  func appendTransaction() { transaction = tree.append(.transaction, focus) }

  func appendRenewal() { renewal = tree.append(.renewal, focus) }

  func assign(_ entry: Int?, to original: JSONText) {
    assignedRenewals = assignedRenewals ?? [:]
    assignedRenewals?[original] = entry
  }

  func returnTo(_ object: EventRecord.Object) {
    if let reading = object.reading { focus = reading }
  }

  func note(_ note: ConversionNote, _ index: Int) { notes.add(note, index) }

  /// Notes entries that belong to no subscription for certain, each once.
  func noteUnassigned(_ entries: [Int]) {
    for entry in entries where unassignedRenewals.insert(entry).inserted {
      notes.add(.renewalUnassigned, record.rows.origin(entry))
    }
  }

  var decision: CompiledDecision? { reading?.decision }
  var periods: [Period] { known.periods }
  var gaps: RecordGaps { known.gaps }
  var subject: Subject { known.subject }
  /// The period that transaction rules work on.
  var current: Int? { focus.period }

  // MARK: values

  /// The row that holds a scope's fields in this record, or -1.
  @inline(__always)
  func row(of scope: LegacyScope) -> Int {
    switch scope {
    case .latest_receipt_info: focus.period.map { known.periods[$0].row } ?? -1
    case .pending_renewal_info: focus.renewalEntry
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
    guard scope == .responseBodyV1 else { return !isOfRenewal || focus.renewalEntry < 0 }
    guard isOfRenewal else { return focus.period == nil || focus.period == known.subject.target }
    if !known.bodyConflicts.isEmpty, focus.renewalEntry >= 0 { return false }
    return focus.newestPeriod.map { known.periods[$0].isSameOriginal } ?? true
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
}

extension RecordBuilder.Focus {
  /// What the event of a record is about.
  fileprivate init(_ known: KnownRecord) {
    self.init(
      period: known.subject.target, newestPeriod: known.subject.newest, renewalEntry: known.renewalEntry,
      isRenewalByExclusion: known.subject.isRenewalByExclusion)
  }
}
