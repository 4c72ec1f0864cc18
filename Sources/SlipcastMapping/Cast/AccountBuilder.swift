@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// Draws up the account of a cast from its cells and the record; not on the fast path.
final class AccountBuilder {
  private let caster: Caster
  private var state: CastState { caster.state }
  private var rules: RuleSet { caster.compiled.rules }
  private var account: Account
  /// Places on the tape that gave a value.
  private var used: Set<Int> = []
  /// Values and objects without a field of their own.
  private var unmapped: [Account.Unmapped] = []
  /// The V2 values written so far, and their paths.
  private var written = WrittenCells()
  private var writtenPaths: [String] = []
  /// What precedes the members of each kind of object, by family and what precedes their names in rules.
  private var prefixes: [Prefix] = []
  /// Rows whose members are accounted for one by one.
  private var rowsInUse: Set<Int> = []
  private var paths: TapePaths
  /// Where the rows' objects stand on the tape, ascending.
  private let origins: [Int]

  private struct Prefix {
    let family: String
    let under: String
    let owner: Int
    let path: String
  }

  init(_ caster: Caster, rule: String, confidence: RuleConfidence) {
    self.caster = caster
    account = Account(rule: rule, confidence: confidence)
    let record = caster.state.record
    paths = TapePaths(record.tape, root: record.root)
    origins = (0..<record.rows.count).map { record.rows.origin($0) }.sorted()
  }

  func finish() -> Account {
    listUnmapped()
    account.findings = caster.findings(paths)
    return account
  }

  // MARK: what was written, what stays absent

  func add(_ object: ConversionTree.Object, prefix: String) {
    let (row, name) = (object.row, object.part.rules)
    let (family, under) = (name.family, name.under)
    let owner = caster.owner(ofFamily: family)
    prefixes.append(Prefix(family: family, under: under, owner: owner, path: prefix))
    row.forEach { slot, cell in
      guard cell.kind != .row, cell.kind != .list else { return }
      let rule = rules.fields[Int(cell.rule)]
      written.append(cell, owner: owner)
      writtenPaths.append(prefix + row.layout.names[slot])
      let source = Int(cell.source)
      if source != 0 { used.insert(source) }
      let isEvent = rule.comparing.compare == .event
      let confidence = isEvent ? state.reading?.confidence ?? rule.confidence : confidence(of: cell, rule)
      account.fields.append(
        Account.Field(
          v2Path: prefix + row.layout.names[slot], rule: rule.id,
          v1Path: source == 0 ? nil : paths.text(source), v1Value: value(source),
          relation: relation(rule, source), confidence: confidence))
    }
    for absence in caster.compiled.absences[name] ?? [] where row[absence.slot] == nil {
      account.absent.append(
        Account.Absence(
          v2Path: prefix + row.layout.names[absence.slot], rule: rules.fields[absence.number].id,
          reason: absence.reason(state, isObjectEmpty: row.isEmpty)))
    }
  }

  /// A rule that mostly concludes may have found its value stated.
  private func confidence(of cell: Cell, _ rule: FieldRule) -> RuleConfidence {
    if cell.certainty == .inferred { return .inferred }
    return rule.confidence == .inferred ? .corroborated : rule.confidence
  }

  private func relation(_ rule: FieldRule, _ source: Int) -> Relation {
    caster.relation(rule.comparing.relations, source) ?? rule.relation
  }

  /// A value as JSON text, unless it is a container or the shared secret.
  private func value(_ index: Int) -> String? {
    let entry = state.record.tape[index]
    guard index != 0, entry.kind != .object, entry.kind != .array else { return nil }
    if entry.key == LegacyKey.password.rawValue || state.record.tape.key(index) == "password" { return nil }
    return JSONElement(tape: state.record.tape, index: index).json
  }

  /// The rows that the current cells describe: their members are listed one by one.
  func useRows() {
    caster.forEachRowInUse { row in
      // A history has no renewals.
      if form != .receipt || !isRenewal(row) { rowsInUse.insert(row) }
    }
  }

  // MARK: what was not written

  private var form: CompiledRules.LossForm {
    switch account.rule {
    case "receipt.history": .receipt
    case "receipt.statuses": .statuses
    default: .notification
    }
  }

  private func listUnmapped() {
    let record = state.record
    for row in 0..<record.rows.count where !rowsInUse.contains(row) { appendObject(row) }
    for row in rowsInUse { listUnmapped(row) }
    unmapped.sort { $0.place < $1.place }
    account.lost = unmapped.filter { $0.fate == .lost || $0.fate == .unreadable }
    account.repeated = unmapped.filter { $0.fate == .repeated }
    account.elsewhere = unmapped.filter { $0.fate == .elsewhere }
  }

  private func isRenewal(_ row: Int) -> Bool { state.record.renewals.contains(row) }

  /// An object that the output does not describe: one entry, whatever it holds.
  private func appendObject(_ row: Int) {
    let origin = state.record.rows.origin(row)
    let fate = caster.fate(ofOther: row, form)
    unmapped.append(
      Account.Unmapped(
        v1Path: paths.text(origin), isContainer: true, rule: nil, reason: otherRow(row),
        heldBy: fate == .repeated ? twin(of: row) : nil, fate: fate, place: origin))
  }

  /// The V2 object of the same transaction.
  private func twin(of row: Int) -> String? {
    let record = state.record
    let id = record.text(row, .transaction_id)
    let prefix = prefixes.first { prefix in
      prefix.family == "transaction" && prefix.owner >= 0
        && id.map { own in record.text(prefix.owner, .transaction_id).map { $0 == own } ?? false } ?? false
    }
    return prefix.map { String($0.path.dropLast()) } ?? "transactions"
  }

  private func otherRow(_ row: Int) -> String {
    if state.record.form == .verifyReceipt {
      if isRenewal(row) {
        return form == .receipt
          ? "a history has no renewals; convert --emit statuses writes them" : "the renewal of another subscription"
      }
      return form == .statuses
        ? "not the newest period; convert --emit history writes all" : "listed twice; written once"
    }
    return isRenewal(row)
      ? "the renewal of another subscription; convert --emit statuses writes all"
      : "not the event's transaction; convert --emit history writes all"
  }

  private func listUnmapped(_ row: Int) {
    let record = state.record
    let origin = record.rows.origin(row)
    let scope = caster.scope(of: row)
    let end = Int(record.tape[origin].nextOrSide)
    var child = origin + 1
    while child < end {
      defer { child = record.tape.after(child) }
      if used.contains(child),
        !caster.isMisread(child, row: row, scope: scope, form: form, written: written)
      {
        continue
      }
      let entry = record.tape[child]
      if let key = LegacyKey(rawValue: UInt8(truncatingIfNeeded: entry.key)), entry.key < LegacyKey.count,
        key.holdsRows, entry.kind == .object || entry.kind == .array, hasRows(child)
      {
        continue
      }
      append(child, caster.remaining(child, row: row, scope: scope, form: form, written: written), row, scope)
    }
  }

  /// A container whose objects have rows of their own is accounted for there.
  private func hasRows(_ index: Int) -> Bool {
    let end = Int(state.record.tape[index].nextOrSide)
    var (low, high) = (0, origins.count)
    while low < high {
      let middle = (low + high) / 2
      if origins[middle] < index { low = middle + 1 } else { high = middle }
    }
    return low < origins.count && origins[low] < end
  }

  private func append(_ index: Int, _ remaining: RemainingValue, _ row: Int, _ scope: LegacyScope) {
    let note = caster.lossNote(index, scope, form)
    let rule = note < 0 ? nil : rules.fields[Int(note)]
    let kind = state.record.tape[index].kind
    unmapped.append(
      Account.Unmapped(
        v1Path: paths.text(index), v1Value: rule == nil ? nil : value(index),
        isContainer: kind == .object || kind == .array, rule: rule?.id,
        reason: words(remaining.reason, index, scope, rule),
        heldBy: remaining.fate == .repeated ? holder(remaining, rule, row) : nil,
        isUnreadable: remaining.reason == .unreadable, fate: remaining.fate, place: index))
  }

  /// The V2 path that holds a value, or that holds it by its absence.
  private func holder(_ remaining: RemainingValue, _ rule: FieldRule?, _ row: Int) -> String? {
    if let place = remaining.holder { return writtenPaths[place] }
    guard let rule, let to = rule.to else { return nil }
    let own = prefixes.filter { $0.family == rule.family && to.hasPrefix($0.under) }
    guard let prefix = own.first(where: { $0.owner == row }) ?? own.max(by: { $0.under.count < $1.under.count }) else {
      return to
    }
    return prefix.path + to.dropFirst(prefix.under.count)
  }

  private func words(_ reason: RemainingValue.Reason, _ index: Int, _ scope: LegacyScope, _ rule: FieldRule?) -> String
  {
    switch reason {
    case .undocumented: return "Apple documents no such key here"
    case .noRule: return "no rule speaks of this key"
    case .noPlace: return "V2 has no place for it" + (rule?.meaning.v1.map { ": " + $0 } ?? "")
    case .otherOutput: return "another output of this record has a field for it"
    case .empty: return "empty or null: counts as absent"
    case .duplicateKey: return "the same key follows again in this object; the last one counts"
    case .sameDate: return "another spelling of the same date"
    case .otherDate: return "a second spelling of a date, and another instant; V2 has the instant of the _ms key"
    case .sameValue: return "another key gives the same value"
    case .saysNo: return "says no, as its absence would"
    case .anotherValueCounts: return "another value counts, or it is only part of the field's value"
    case .notTold: return "V2 has no such field in this record"
    case .unreadable:
      let key = Int(state.record.tape[index].key)
      let kind = key < LegacyKey.count ? CompiledRules.kinds[scope.number][key] : nil
      return "cannot be read: expected \(caster.expectation(kind, rule))"
    }
  }
}
