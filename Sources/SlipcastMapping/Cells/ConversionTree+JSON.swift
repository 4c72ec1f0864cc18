internal import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

// Decoded V2 records of a store as trees, so that lines that were converted before go the way of new ones.

extension ConversionTree {
  /// Fills the tree from a decoded V2 record; its texts are views of the tape.
  ///
  /// A transaction or a renewal info by itself is the only item of statuses. Members that are not among the parts of
  /// conversions are left out. A number or a boolean as text, or the reverse, is read (`ofOtherKind`); another member of
  /// another kind than Apple documents gets a cell without a value.
  ///
  /// - Returns: false for a value that is not an object.
  package func read(_ record: JSONElement) -> Bool {
    guard record.kind == .object else { return false }
    switch V2Form(record) {
    case .notification: read(record, .notification, as: .notification)
    case .statuses: read(record, .statuses, as: .statuses)
    case .appTransaction: read(record, .appTransaction, as: .appTransaction)
    case .parts: readItem { read(record, .item) }
    case .transaction: readItem { readItem(record, .transaction, "transactionInfo") }
    case .renewalInfo: readItem { readItem(record, .renewal, "renewalInfo") }
    default: read(record, .history, as: .history)
    }
    return true
  }

  private func read(_ record: JSONElement, _ part: ObjectPart, as form: Form) {
    begin(form)
    read(record, part)
  }

  private func readItem(_ fill: () -> Void) {
    begin(.statuses)
    _ = append(.statuses, RecordBuilder.Focus())
    fill()
    close(0)
  }

  /// The item that has one object, under its name.
  private func readItem(_ record: JSONElement, _ part: ObjectPart, _ name: String) {
    let place = objects.count
    let row = append(.item, RecordBuilder.Focus())
    if let slot = ObjectPart.item.schema.slot(name) { row.set(slot, Cell(kind: .row, integer: 1)) }
    read(record, part)
    close(place)
  }

  private func read(_ object: JSONElement, _ part: ObjectPart) {
    let place = objects.count
    let row = append(part, RecordBuilder.Focus())
    var expected = 0
    for member in object.children where member.kind != .null {
      guard let slot = part.schema.slot(of: member, from: expected) else { continue }
      expected = slot + 1
      let kind = part.schema.fields[slot].kind
      guard let child = part.child(slot) else {
        row.set(slot, cell(member, kind))
        if kind.isOther(member.kind) { ofOtherKind.add(ObjectPart.path(of: part.number(of: slot))) }
        continue
      }
      switch (kind, member.kind) {
      case (.object, .object):
        row.set(slot, Cell(kind: .row, integer: Int64(objects.count - place)))
        read(member, child)
      case (.objects, .array):
        row.set(slot, Cell(kind: .list))
        for item in member.children where item.kind == .object { read(item, child) }
      default: row.set(slot, Cell(kind: .mismatched))
      }
    }
    close(place)
  }

  private func cell(_ member: JSONElement, _ kind: FieldKind) -> Cell {
    switch (kind, member.kind) {
    case (.text, .string), (.uuid, .string), (.word, .string): Cell(member.tape.text(member.index))
    case (.text, .number), (.uuid, .number), (.word, .number): Cell(member.tape.text(member.index))
    case (.boolean, _): member.anyBoolean.map { Cell($0) } ?? Cell(kind: .mismatched)
    case (.milliseconds, _): member.anyMilliseconds.map { Cell($0) } ?? Cell(kind: .mismatched)
    case (.integer32, _), (.integer64, _), (.code, _), (.milliunits, _):
      member.anyInteger.map { Cell($0) } ?? Cell(kind: .mismatched)
    case (.texts, _), (.object, _), (.objects, _): Cell(kind: .list)
    default: Cell(kind: .mismatched)
    }
  }
}

extension FieldKind {
  /// A value of this kind is a text instead of a number or a boolean, or a number instead of a text.
  fileprivate func isOther(_ found: JSONKind) -> Bool {
    switch self {
    case .text, .uuid, .word: found == .number
    case .boolean, .integer32, .integer64, .code, .milliseconds, .milliunits: found == .string
    case .texts, .object, .objects: false
    }
  }
}

extension ObjectSchema {
  /// The place of a member's name; records mostly keep the order of the table, so the search begins after the previous
  /// one.
  fileprivate func slot(of member: JSONElement, from expected: Int) -> Int? {
    let key = member.tape.key(member.index)
    for offset in fields.indices {
      let slot = (expected + offset) % fields.count
      if key.isSame(as: fields[slot].name) { return slot }
    }
    return nil
  }
}
