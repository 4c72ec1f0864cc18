@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

// The account as JSON, straight from the numbers: what rules say was made ready when they were compiled, and paths are
// copied from the tape.

extension AccountEntries {
  mutating func write(to writer: JSONWriter) {
    paths.begin(tape, root: record.root)
    let texts = texts
    writer.raw(",\"fields\":[")
    for object in objects.indices { writeFields(of: object, texts, to: writer) }
    writer.closeArray()
    let order = unmappedInOrder
    write("lost", order, texts, to: writer) { $0.fate == .lost || $0.fate == .unreadable }
    write("repeated", order, texts, to: writer) { $0.fate == .repeated }
    write("elsewhere", order, texts, to: writer) { $0.fate == .elsewhere }
    writer.raw(",\"absent\":[")
    for object in objects.indices { writeAbsences(of: object, texts, to: writer) }
    writer.closeArray()
    writeFindings(to: writer)
  }

  /// The places of `unmapped` in the order of the record.
  var unmappedInOrder: [Int] {
    var keys = unmapped.indices.map { Int(unmapped[$0].index) << 32 | $0 }
    keys.sort()
    return keys.map { $0 & 0xFFFF_FFFF }
  }

  /// Fills `opening` with the beginning of entries about members of an object.
  private func open(_ object: Int) {
    opening.clear()
    opening.raw("{\"v2Path\":\"")
    opening.raw(objects[object].prefix)
  }

  private mutating func writeFields(of object: Int, _ texts: AccountTexts, to writer: JSONWriter) {
    open(object)
    objects[object].row.forEach { _, cell in
      guard cell.isScalar else { return }
      let (rule, source) = (Int(cell.rule), Int(cell.source))
      writer.copy(0..<opening.count, of: opening)
      texts.members.write(rule, to: writer)
      if source != 0 {
        writer.raw(",\"v1Path\":\"")
        paths.write(source, to: writer)
        writer.byte(UInt8(ascii: "\""))
      }
      let relation = accounts.rules[rule].hasRelationsOfKeys ? relation(rule, source).place : accounts.rules[rule].place
      texts.fields.write(relation * texts.confidences + confidence(of: cell).place, to: writer)
    }
  }

  private mutating func writeAbsences(of object: Int, _ texts: AccountTexts, to writer: JSONWriter) {
    let (part, prefix) = (Int(objects[object].part.rawValue), objects[object].prefix)
    let list = absences[objects[object].absences]
    if absenceTexts[part].prefix != prefix || !absenceTexts[part].absences.elementsEqual(list) {
      open(object)
      absenceTexts[part].prefix = prefix
      absenceTexts[part].absences = Array(list)
      let text = absenceTexts[part].text
      text.clear()
      for absence in list {
        text.copy(0..<opening.count, of: opening)
        texts.members.write(Int(absence.rule), to: text)
        texts.absences.write(absence.reason.place, to: text)
      }
    }
    let text = absenceTexts[part].text
    writer.copy(0..<text.count, of: text)
  }

  private mutating func write(
    _ name: StaticString, _ order: [Int], _ texts: AccountTexts, to writer: JSONWriter,
    where isInList: (Unmapped) -> Bool
  ) {
    writer.raw(",\"")
    writer.raw(name)
    writer.raw("\":[")
    for place in order where isInList(unmapped[place]) { write(unmapped[place], texts, to: writer) }
    writer.closeArray()
  }

  private mutating func write(_ value: Unmapped, _ texts: AccountTexts, to writer: JSONWriter) {
    let rule = Int(value.rule)
    writer.raw("{\"v1Path\":\"")
    paths.write(Int(value.index), to: writer)
    writer.byte(UInt8(ascii: "\""))
    if value.fate == .repeated { writeHolder(of: value, texts, to: writer) }
    if rule >= 0 { texts.rules.write(rule, to: writer) }
    if value.reason == .unreadable {
      writer.raw(",\"unreadable\":true")
      writer.member("reason", words(value))
      writer.raw("},")
    } else if value.reason == .noPlace {
      texts.losses.write(rule, to: writer)
    } else if value.reason == .duplicateKey {
      writer.member("reason", words(value))
      writer.raw("},")
    } else {
      texts.unmapped.write(Int(value.reason.rawValue), to: writer)
    }
  }

  private func writeHolder(of value: Unmapped, _ texts: AccountTexts, to writer: JSONWriter) {
    guard value.reason != .listedTwice, let holder = value.holder else {
      if let path = holderPath(of: value) { writer.member("heldBy", path) }
      return
    }
    writer.raw(",\"heldBy\":\"")
    writer.raw(objects[holder].prefix)
    texts.names.write(Int(value.rule), to: writer)
    writer.byte(UInt8(ascii: "\""))
  }

  private mutating func writeFindings(to writer: JSONWriter) {
    writer.raw(",\"findings\":[")
    let texts = texts
    builder.forEachFinding { finding in
      if let number = finding.number {
        texts.findings.write(number, to: writer)
        if finding.index != 0 { paths.write(finding.index, to: writer) }
        return texts.findingEnds.write(number, to: writer)
      }
      writer.byte(UInt8(ascii: "{"))
      writer.member("code", finding.code)
      writer.member("severity", finding.severity.rawValue)
      writer.raw(",\"path\":\"")
      if finding.index != 0 { paths.write(finding.index, to: writer) }
      writer.byte(UInt8(ascii: "\""))
      writer.member("message", finding.message)
      writer.raw("},")
    }
    writer.closeArray()
  }
}
