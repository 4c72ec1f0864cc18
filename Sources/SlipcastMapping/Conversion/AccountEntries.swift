@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// The account of a conversion in numbers: the V2 objects, what became of V1 values without a V2 field of their own, and
/// why V2 fields stay absent.
///
/// `Account`, the lines of provenance and `ConversionOutline` are made of it. It is filled again for every record, and valid
/// until the next one is read.
struct AccountEntries {
  struct Object {
    let part: ObjectPart
    let row: CellRow
    /// What precedes the names of its members in paths.
    let prefix: String
    /// The V1 row that it describes; less than 0 for an object that describes the whole record.
    let owner: Int
    /// The next object that describes the same row, or the next of its kind that describes none; -1 for none.
    fileprivate(set) var next = -1
    /// Its absent members in `absences`.
    fileprivate(set) var absences = 0..<0
    /// What V1 leaves open about its offer.
    fileprivate(set) var offers: OpenOffers?
  }

  struct Absence: Equatable {
    let rule: UInt16
    let slot: UInt8
    let reason: Account.Absence.Reason
  }

  /// The absences of the last object of a part, as they were written: those of the next record are mostly the same.
  struct AbsenceText {
    var prefix = ""
    var absences: [Absence] = []
    let text = JSONWriter(capacity: 64)
  }

  private struct RowNote {
    /// The first and the last object that describe it.
    var (first, last) = (-1, -1)
    /// One of these has values.
    var isOwner = false
    /// Its members are listed.
    var isInUse = false
    /// Its entries in `unmapped`.
    var unmapped = 0..<0
  }

  private struct PartNote {
    var first = -1
    /// Of those that describe no row the first and the last one.
    var (firstOwnerless, lastOwnerless) = (-1, -1)
  }

  let builder: RecordBuilder
  let compiled: CompiledRules
  let record: LegacyRecord
  /// Those of `compiled`, from the first account on: values ask for them many times.
  private(set) var accounts = AccountRules.none
  private(set) var tape = JSONTape.empty
  private(set) var form = EventRecord.Form.notification
  private(set) var objects: [Object] = []
  private(set) var absences: [Absence] = []
  /// V1 values and objects that no V2 field was made from, row by row.
  var unmapped: [Unmapped] = []
  /// The V1 rows whose members are accounted for one by one.
  private(set) var rows: [Int] = []
  var paths = TapePaths()
  /// What accounts say in the same words for every record; most runs write none.
  private(set) lazy var texts = AccountTexts(compiled.rules.fields)
  /// How entries about the members of one object begin.
  let opening = JSONWriter(capacity: 128)
  var absenceTexts = ObjectPart.allCases.map { _ in AbsenceText() }
  private var notes: [RowNote] = []
  private var parts = [PartNote](repeating: PartNote(), count: ObjectPart.allCases.count)
  /// For each entry of the tape whether it gave a value (`stamp`), or several (`stamp + 1`).
  private var marks: [UInt32] = []
  private var stamp: UInt32 = 0
  /// Where the rows' objects begin on the tape, ascending, each with its row.
  private var origins: [(index: Int, row: Int)] = []
  private(set) var mismatches = EntrySet()
  private(set) var unreadable = EntrySet()
  /// Transactions of the output by their ids; made when first asked for.
  private var twins: [JSONText: Int]?
  /// A record with more rows or objects does not keep its memory for the records that follow.
  private static let mostKept = 1 << 12

  init(_ builder: RecordBuilder) {
    (self.builder, compiled, record) = (builder, builder.compiled, builder.record)
  }

  // MARK: filling

  mutating func fill() {
    beginRecord()
    // Objects around others come after them.
    var envelope: EventRecord.Object?
    builder.tree.forEachObject { object, prefix in
      if object.part == .history || object.part == .statuses { return envelope = object }
      builder.returnTo(object)
      append(object, prefix: prefix)
      if object.part == (form == .history ? .transaction : .renewal) { useCurrentRows() }
    }
    if let envelope { append(envelope, prefix: "") }
    useCurrentRows()
    listUnmapped()
    for row in 0..<record.rows.count where !notes[row].isInUse { appendOther(row) }
  }

  /// Draws up the account of some objects of the output and the V1 rows behind them; `beginRecord` comes first.
  mutating func fill(objects: [Int], rows: [Int]) {
    begin()
    for row in rows where row >= 0 { use(row) }
    for place in objects { append(builder.tree.objects[place], prefix: "") }
    listUnmapped()
  }

  mutating func beginRecord() {
    begin()
    tape = record.tape
    form = builder.tree.form
    notes.removeAll(keepingCapacity: notes.count <= Self.mostKept)
    notes.append(contentsOf: repeatElement(RowNote(), count: record.rows.count))
    if marks.count < tape.count { marks.append(contentsOf: repeatElement(0, count: tape.count - marks.count)) }
    origins.removeAll(keepingCapacity: origins.count <= Self.mostKept)
    var isSorted = true
    for row in 0..<record.rows.count {
      let origin = record.rows.origin(row)
      if let last = origins.last, last.index > origin { isSorted = false }
      origins.append((origin, row))
    }
    if !isSorted { origins.sort { $0.index < $1.index } }
    mismatches.removeAll()
    unreadable.removeAll()
    for finding in record.findings {
      if finding.drift == .dateMismatch { mismatches.insert(Int(finding.index)) }
      if finding.drift.isUnreadable { unreadable.insert(Int(finding.index)) }
    }
  }

  private mutating func begin() {
    if accounts === AccountRules.none { accounts = compiled.accounts }
    for object in objects where object.owner >= 0 { notes[object.owner] = RowNote() }
    for row in rows { (notes[row].isInUse, notes[row].unmapped) = (false, 0..<0) }
    let isSmall = objects.count <= Self.mostKept
    objects.removeAll(keepingCapacity: isSmall)
    absences.removeAll(keepingCapacity: isSmall)
    unmapped.removeAll(keepingCapacity: isSmall)
    rows.removeAll(keepingCapacity: isSmall)
    for part in parts.indices { parts[part] = PartNote() }
    twins = nil
    stamp &+= 2
    if stamp == 0 {
      for index in marks.indices { marks[index] = 0 }
      stamp = 2
    }
  }

  /// The rows that rules read at the moment; their members are listed one by one.
  private mutating func useCurrentRows() {
    builder.forEachRowInUse { row in
      // A history has no renewals.
      if form != .history || !record.renewals.contains(row) { use(row) }
    }
  }

  private mutating func use(_ row: Int) {
    guard !notes[row].isInUse else { return }
    notes[row].isInUse = true
    rows.append(row)
  }

  private mutating func append(_ object: EventRecord.Object, prefix: String) {
    let (row, part, number) = (object.row, Int(object.part.rawValue), objects.count)
    var hasValues = false
    row.forEach { _, cell in
      guard cell.isScalar else { return }
      hasValues = true
      if cell.source != 0 { mark(Int(cell.source)) }
    }
    let owner = builder.owner(of: object.part)
    objects.append(Object(part: object.part, row: row, prefix: prefix, owner: owner))
    if parts[part].first < 0 { parts[part].first = number }
    link(number, part, to: owner)
    if hasValues, owner >= 0 { notes[owner].isOwner = true }
    let start = absences.count
    for absence in accounts.absences[part] where !row.holds(Int(absence.slot)) {
      let reason = absence.reason(builder, isObjectEmpty: row.isEmpty)
      absences.append(Absence(rule: absence.rule, slot: absence.slot, reason: reason))
    }
    objects[number].absences = start..<absences.count
    objects[number].offers = builder.openOffers(of: object.part, row)
  }

  private mutating func mark(_ source: Int) { marks[source] = marks[source] < stamp ? stamp : stamp + 1 }

  private mutating func link(_ object: Int, _ part: Int, to row: Int) {
    if row < 0 {
      let last = parts[part].lastOwnerless
      if last < 0 { parts[part].firstOwnerless = object } else { objects[last].next = object }
      parts[part].lastOwnerless = object
    } else {
      let last = notes[row].last
      if last < 0 { notes[row].first = object } else { objects[last].next = object }
      notes[row].last = object
    }
  }

  // MARK: asking

  /// A V1 value gave a V2 value.
  func isUsed(_ index: Int) -> Bool { marks[index] >= stamp }

  /// A V1 value gave a single V2 value.
  func isUsedOnce(_ index: Int) -> Bool { marks[index] == stamp }

  /// A container whose objects have rows of their own is accounted for there.
  func hasRows(_ container: Int) -> Bool {
    let next = origins.firstPlace { $0.index >= container }
    return next < origins.count && origins[next].index < Int(tape[container].nextOrSide)
  }

  /// The row whose object has a value as its member; `nil` for a value in no row.
  func row(holding index: Int) -> Int? {
    guard index > 0, let key = LegacyKey(tape[index]) else { return nil }
    // The values of long lists are in the row that begins last; the others are few.
    let last = origins.firstPlace { $0.index >= index } - 1
    let rows = [last < 0 ? nil : origins[last].row, record.body, record.unifiedReceipt, record.receipt, record.flat]
    for case let row? in rows where record.rows.slot(row, key) == index { return row }
    return last < 0 ? nil : origins[...last].last { Int(tape[$0.index].nextOrSide) > index }?.row
  }

  /// An object of the output with values describes the row.
  func isDescribed(_ row: Int) -> Bool { notes[row].isOwner }

  /// The first object of the output that describes the row.
  func describing(_ row: Int) -> Int? { notes[row].first < 0 ? nil : notes[row].first }

  func unmapped(of row: Int) -> Range<Int> { notes[row].unmapped }

  mutating func note(unmapped: Range<Int>, of row: Int) { notes[row].unmapped = unmapped }

  func relation(_ rule: Int, _ source: Int) -> Relation {
    let own = accounts.rules[rule]
    guard own.hasRelationsOfKeys, source != 0 else { return own.relation }
    return accounts.relationsOfKeys[rule]?[tape[source].key] ?? own.relation
  }

  /// How well the value of a cell is known; a rule that mostly concludes may have found its value stated.
  func confidence(of cell: Cell) -> Confidence {
    let rule = accounts.rules[Int(cell.rule)]
    if rule.isOfEvent { return builder.reading?.confidence ?? rule.confidence }
    if cell.certainty == .inferred { return .inferred }
    let own = rule.confidence == .inferred ? .corroborated : rule.confidence
    guard builder.known.input.isOfAttributes, cell.source != 0 else { return own }
    return max(own, confidenceOfAttributes(cell) ?? own)
  }

  /// The first object with a value that a rule made — for the object of a row, or for any object when the row has none of
  /// its own.
  func holder(of rule: Int, row: Int, where holds: (Cell) -> Bool) -> Int? {
    guard let part = accounts.rules[rule].part else { return nil }
    // Histories and statuses of a notification take the app and environment from the body.
    let isEnvelope = part == .data && form != .notification
    let holding = !isEnvelope ? part : form == .history ? .history : .statuses
    func isHolder(_ number: Int) -> Bool {
      objects[number].part == holding && cell(of: rule, in: objects[number].row, isEnvelope).map(holds) ?? false
    }
    guard notes[row].isOwner else { return objects.indices.first(where: isHolder) }
    var own = notes[row].first
    while own >= 0, !isHolder(own) { own = objects[own].next }
    var other = parts[Int(holding.rawValue)].firstOwnerless
    while other >= 0, !isHolder(other) { other = objects[other].next }
    return own < 0 ? (other < 0 ? nil : other) : other < 0 ? own : min(own, other)
  }

  /// The first object with a value that was made of a V1 value, and the value's rule.
  func holder(ofSource source: Int) -> (object: Int, rule: Int)? {
    for number in objects.indices {
      var rule: Int?
      objects[number].row.forEach { _, cell in if Int(cell.source) == source { rule = rule ?? Int(cell.rule) } }
      if let rule { return (number, rule) }
    }
    return nil
  }

  private func cell(of rule: Int, in row: CellRow, _ isEnvelope: Bool) -> Cell? {
    let slot = accounts.rules[rule].slot
    if !isEnvelope { return slot < 0 ? nil : row[slot].flatMap { $0.isScalar ? $0 : nil } }
    var found: Cell?
    row.forEach { _, cell in if Int(cell.rule) == rule, cell.isScalar { found = cell } }
    return found
  }

  /// A rule made a value for the object of a row, or for any object when the row has no object.
  func isWritten(_ rule: Int, row: Int) -> Bool { holder(of: rule, row: row) { _ in true } != nil }

  /// The object whose member a rule would fill: that of a row, else the first one.
  func holderOfAbsence(_ rule: Int, row: Int) -> Int? {
    guard let part = accounts.rules[rule].part, parts[Int(part.rawValue)].first >= 0 else { return nil }
    var own = notes[row].first
    while own >= 0, objects[own].part != part { own = objects[own].next }
    return own >= 0 ? own : parts[Int(part.rawValue)].first
  }

  /// The transaction of the output with the same id as that of a row.
  mutating func twin(of row: Int) -> Int? {
    if twins == nil {
      var made: [JSONText: Int] = [:]
      for number in objects.indices where objects[number].part == .transaction && objects[number].owner >= 0 {
        if let id = record.text(objects[number].owner, .transaction_id), made[id] == nil { made[id] = number }
      }
      twins = made
    }
    return record.text(row, .transaction_id).flatMap { twins?[$0] }
  }
}
