@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

// The account as JSON, straight from the numbers: what rules say was made ready when they were compiled, and paths are
// copied from the tape.

extension AccountEntries {
  /// Writes the lists of the account as members of a JSON object.
  func write(to writer: JSONWriter) {
    paths.begin(state.record.tape, root: state.record.root)
    writer.raw(",\"fields\":[")
    for object in objects { writeFields(of: object, to: writer) }
    writer.closeArray()
    let order = unmappedInOrder
    writer.raw(",\"lost\":[")
    for value in order { write(unmapped[value], if: unmapped[value].isLost, to: writer) }
    writer.closeArray()
    writer.raw(",\"repeated\":[")
    for value in order { write(unmapped[value], if: unmapped[value].fate == .repeated, to: writer) }
    writer.closeArray()
    writer.raw(",\"elsewhere\":[")
    for value in order { write(unmapped[value], if: unmapped[value].fate == .elsewhere, to: writer) }
    writer.closeArray()
    writer.raw(",\"absent\":[")
    for absence in absences { write(absence, to: writer) }
    writer.closeArray()
    writer.list("findings", findings) { finding in
      writer.member("code", finding.code)
      writer.member("severity", finding.severity.rawValue)
      writer.raw(",\"path\":\"")
      if finding.index != 0 { paths.write(finding.index, to: writer) }
      writer.byte(UInt8(ascii: "\""))
      writer.member("message", finding.message)
    }
  }

  /// The places of `unmapped` in the order of the record.
  var unmappedInOrder: [Int] {
    var keys = unmapped.indices.map { UInt64(unmapped[$0].index) << 32 | UInt64($0) }
    keys.sort()
    return keys.map { Int($0 & 0xFFFF_FFFF) }
  }

  private var findings: [RecordFinding] {
    var findings: [RecordFinding] = []
    state.forEachFinding { findings.append($0) }
    return findings
  }

  private func writeFields(of object: Object, to writer: JSONWriter) {
    let texts = compiled.accountTexts
    object.row.forEach { slot, cell in
      guard cell.isScalar else { return }
      let (rule, source) = (Int(cell.rule), Int(cell.source))
      writer.raw("{\"v2Path\":\"")
      writer.raw(object.prefix)
      texts.members.write(rule, to: writer)
      if source != 0 {
        writer.raw(",\"v1Path\":\"")
        paths.write(source, to: writer)
        writer.byte(UInt8(ascii: "\""))
      }
      let ends = relation(rule, source).place * RuleConfidence.allCases.count + confidence(of: cell).place
      AccountTexts.fields.write(ends, to: writer)
    }
  }

  private func write(_ value: Unmapped, if isInList: Bool, to writer: JSONWriter) {
    guard isInList else { return }
    let rule = Int(value.rule)
    writer.raw("{\"v1Path\":\"")
    paths.write(Int(value.index), to: writer)
    writer.byte(UInt8(ascii: "\""))
    if value.fate == .repeated { writeHolder(of: value, to: writer) }
    if rule >= 0 { compiled.accountTexts.rules.write(rule, to: writer) }
    if value.reason == .unreadable {
      writer.raw(",\"unreadable\":true")
      writer.member("reason", words(value))
      writer.raw("},")
    } else if value.reason == .noPlace {
      compiled.accountTexts.losses.write(rule, to: writer)
    } else {
      AccountTexts.unmapped.write(Int(value.reason.rawValue), to: writer)
    }
  }

  private func writeHolder(of value: Unmapped, to writer: JSONWriter) {
    guard value.reason != .listedTwice, let holder = value.holder else {
      if let path = holderPath(of: value) { writer.member("heldBy", path) }
      return
    }
    writer.raw(",\"heldBy\":\"")
    writer.raw(objects[holder].prefix)
    compiled.accountTexts.names.write(Int(value.rule), to: writer)
    writer.byte(UInt8(ascii: "\""))
  }

  private func write(_ absence: Absence, to writer: JSONWriter) {
    writer.raw("{\"v2Path\":\"")
    writer.raw(objects[Int(absence.object)].prefix)
    compiled.accountTexts.members.write(Int(absence.rule), to: writer)
    AccountTexts.absences.write(absence.reason.place, to: writer)
  }
}

extension AccountEntries.Unmapped {
  var isLost: Bool { fate == .lost || fate == .unreadable }
}

extension Relation {
  /// The place in `allCases`.
  fileprivate var place: Int {
    switch self {
    case .identical: 0
    case .renamed: 1
    case .retyped: 2
    case .widened: 3
    case .narrowed: 4
    case .derived: 5
    case .legacyOnly: 6
    case .serverOnly: 7
    }
  }
}

extension RuleConfidence {
  /// The place in `allCases`.
  fileprivate var place: Int {
    switch self {
    case .documented: 0
    case .corroborated: 1
    case .inferred: 2
    case .ambiguous: 3
    }
  }
}

extension Account.Absence.Reason {
  /// The place in `allCases`.
  fileprivate var place: Int {
    switch self {
    case .noV1Source: 0
    case .objectAbsentInV1: 1
    case .absentInV1: 2
    case .noneInV1: 3
    case .undetermined: 4
    }
  }
}
