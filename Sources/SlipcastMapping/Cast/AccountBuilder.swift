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
  /// Losses with their places on the tape.
  private var losses: [(index: Int, loss: Account.Loss)] = []
  /// Rows whose members are accounted for one by one.
  private var rowsInUse: Set<Int> = []
  /// Rules that gave a value.
  private var writtenRules: Set<String> = []
  private var paths: TapePaths
  /// Where the rows' objects stand on the tape, ascending.
  private let origins: [Int]

  init(_ caster: Caster, rule: String, confidence: RuleConfidence) {
    self.caster = caster
    account = Account(rule: rule, confidence: confidence)
    let record = caster.state.record
    paths = TapePaths(record.tape, root: record.root)
    origins = (0..<record.rows.count).map { record.rows.origin($0) }.sorted()
  }

  func finish() -> Account {
    listLosses()
    account.findings = caster.findings(paths)
    return account
  }

  // MARK: what was written, what stays absent

  func add(_ row: CellRow, _ compiled: [CompiledRule], family: String, prefix: String, under: String = "") {
    row.forEach { slot, cell in
      guard cell.kind != .row, cell.kind != .list else { return }
      let rule = rules.fields[Int(cell.rule)]
      writtenRules.insert(rule.id)
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
    let name = CompiledRules.ObjectName(family: family, under: under)
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

  /// The rows that the cells of the moment speak of: their members are listed one by one.
  func useRows() { caster.forEachRowInUse { rowsInUse.insert($0) } }

  // MARK: what was not written

  private func listLosses() {
    let record = state.record
    for row in 0..<record.rows.count where !rowsInUse.contains(row) {
      add(record.rows.origin(row), containerRule(row), otherRow(row))
    }
    for row in rowsInUse { listLosses(row) }
    account.lost = losses.sorted { $0.index < $1.index }.map(\.loss)
  }

  private func isRenewal(_ row: Int) -> Bool { state.record.renewals.contains(row) }

  private func containerRule(_ row: Int) -> String? {
    let name = isRenewal(row) ? "pending_renewal_info" : "latest_receipt_info"
    return rules.fields.first { $0.family == "notification" && $0.from.contains { $0.hasSuffix(name) } }?.id
  }

  private func otherRow(_ row: Int) -> String {
    if state.record.form == .verifyReceipt {
      if isRenewal(row) { return "a history has no renewals; convert --emit statuses writes them" }
      return account.rule == "receipt.statuses"
        ? "not the newest period; convert --emit history writes all" : "listed twice; written once"
    }
    return isRenewal(row)
      ? "the renewal of another subscription; convert --emit statuses writes all"
      : "not the event's transaction; convert --emit history writes all"
  }

  private func listLosses(_ row: Int) {
    let record = state.record
    let origin = record.rows.origin(row)
    let scope = caster.scope(of: row)
    let end = Int(record.tape[origin].nextOrSide)
    var child = origin + 1
    while child < end {
      defer { child = record.tape.after(child) }
      if used.contains(child) { continue }
      let note = caster.lossNote(child, scope, lossForm)
      guard note != CompiledRules.LossNote.undocumented,
        let key = LegacyKey(rawValue: UInt8(truncatingIfNeeded: record.tape[child].key))
      else {
        add(child, nil, "Apple documents no such key here")
        continue
      }
      if key.holdsRows, record.tape[child].kind == .object || record.tape[child].kind == .array, hasRows(child) {
        continue
      }
      describe(child, row, scope, key, note)
    }
  }

  private var lossForm: CompiledRules.LossForm {
    state.record.form == .notification
      ? .notification : account.rule == "receipt.statuses" ? .statuses : .receipt
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

  private func describe(_ index: Int, _ row: Int, _ scope: LegacyScope, _ key: LegacyKey, _ note: Int16) {
    let record = state.record
    let rule = note < 0 ? nil : rules.fields[Int(note)]
    guard let rule else { return add(index, nil, "no rule speaks of this key") }
    if record.rows.slot(row, key) == 0, rule.relation != .legacyOnly {
      return add(index, rule.id, "empty, null or repeated: counts as absent")
    }
    if rule.relation == .legacyOnly {
      return add(index, rule.id, "V2 has no place for it" + (rule.meaning.v1.map { ": " + $0 } ?? ""))
    }
    if let date = LegacyInstant.of(key), record.rows.source(row, date) != index, record.instant(row, date) != nil {
      return add(index, rule.id, "another spelling of the same date")
    }
    let isFlag = scope.fields.contains { $0.key == key && [.flagWord, .flagDigit, .boolean].contains($0.kind) }
    if isFlag, record.flag(row, key) == false, rule.relation == .derived {
      return add(index, rule.id, "says no, as its absence would")
    }
    add(
      index, rule.id,
      writtenRules.contains(rule.id)
        ? "another field gives the value, or it is only part of it"
        : "says nothing here that V2 would tell"
    )
  }

  private func add(_ index: Int, _ rule: String?, _ reason: String) {
    losses.append(
      (
        index,
        Account.Loss(
          v1Path: paths.text(index), v1Value: rule == nil ? nil : value(index),
          isContainer: state.record.tape[index].kind == .object || state.record.tape[index].kind == .array, rule: rule,
          reason: reason)
      ))
  }
}
