internal import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

// V2 records, so that they go the way of conversions.

extension EventRecord {
  /// Where an object of a V2 record stood; its values are views of that text.
  package struct Origin {
    package let element: JSONElement
    /// The path in the record, with the names of signed texts; empty for the record itself, and where no tokens are read.
    package let path: String
    /// The signed text that it is the content of; `nil` for one that stood there decoded.
    package fileprivate(set) var token: JSONText?
    /// It is inside a signed text.
    fileprivate var isCovered = false
  }

  /// Where an object stood; `nil` for one of a conversion, and for one that was read without tokens.
  package func origin(of place: Int) -> Origin? { origins[place] }

  /// The records that one holds: the notifications of a page of Get Notification History, else the record itself.
  package static func items(of record: JSONElement) -> [JSONElement] {
    guard V2Form(record) == .notificationHistory else { return [record] }
    return record["notificationHistory"]?.children ?? []
  }

  /// Fills the record from a V2 record; its texts are views of the tape, and of what `tokens` opened.
  ///
  /// A transaction or a renewal info by itself is the only item of statuses. Members that no field table lists are left
  /// out, as objects that are not among the parts of records. A number or a boolean as text, or the reverse, is read
  /// (`ofOtherKind`); another member of another kind than Apple documents gets a cell without a value.
  ///
  /// - Parameter tokens: opens signed texts; without it these are values, and only decoded objects are read. What is
  ///   decoded next to a signed text is not read then: no signature covers it.
  /// - Returns: false for a value that is not an object.
  package func read(_ record: JSONElement, _ tokens: TokenReader? = nil) -> Bool {
    guard record.kind == .object else { return false }
    tokens?.begin()
    RecordReading(self, tokens).read(Origin(element: record, path: ""))
    return true
  }
}

/// Reads one V2 record.
private struct RecordReading {
  private let record: EventRecord
  private let tokens: TokenReader?

  init(_ record: EventRecord, _ tokens: TokenReader?) { (self.record, self.tokens) = (record, tokens) }

  func read(_ origin: EventRecord.Origin) {
    switch V2Form(origin.element) {
    case .signedPayload:
      record.begin(.notification)
      if let payload = origin.element["signedPayload"], let inner = content(at(payload, of: origin)) { read(inner) }
      if tokens != nil { openOthers(of: origin, besides: nil) }
    case .notification: read(origin, .notification, as: .notification)
    case .statuses: read(origin, .statuses, as: .statuses)
    case .appTransaction: read(origin, .appTransaction, as: .appTransaction)
    case .parts: readItem { read(origin, .item) }
    case .transaction: readItem { readItem(origin, .transaction, "transactionInfo") }
    case .renewalInfo: readItem { readItem(origin, .renewal, "renewalInfo") }
    default: read(origin, .history, as: .history)
    }
  }

  private func read(_ origin: EventRecord.Origin, _ part: ObjectPart, as form: EventRecord.Form) {
    record.begin(form)
    read(origin, part)
  }

  private func readItem(_ fill: () -> Void) {
    record.begin(.statuses)
    _ = record.append(.statuses, RecordBuilder.Focus())
    fill()
    record.close(0)
  }

  /// The item that has one object, under its name.
  private func readItem(_ origin: EventRecord.Origin, _ part: ObjectPart, _ name: String) {
    let place = record.objects.count
    let row = record.append(.item, RecordBuilder.Focus())
    if let slot = ObjectPart.item.schema.slot(name) { row.set(slot, Cell(kind: .row, integer: 1)) }
    read(origin, part)
    record.close(place)
  }

  private func read(_ origin: EventRecord.Origin, _ part: ObjectPart) {
    let place = record.objects.count
    let row = record.append(part, RecordBuilder.Focus())
    // Who opens no tokens asks for no places.
    if tokens != nil { record.origins[place] = origin }
    let members = origin.element.children
    let isSigned = tokens != nil && members.contains { $0.isSigned }
    var expected = 0
    for member in members where member.kind != .null {
      guard let slot = part.schema.slot(of: member, from: expected) else { continue }
      expected = slot + 1
      let field = part.schema.fields[slot]
      if tokens != nil, member.isSigned, let name = field.traits.decoded?.name, let inner = part.schema.slot(name) {
        open(member, of: origin, as: inner, of: part, row, place)
        continue
      }
      guard let child = part.child(slot) else {
        row.set(slot, cell(member, field.kind))
        if field.kind.isOther(member.kind) { record.ofOtherKind.add(ObjectPart.path(of: part.number(of: slot))) }
        continue
      }
      if isSigned, part.decodes(into: slot) { continue }
      switch (field.kind, member.kind) {
      case (.object, .object):
        row.set(slot, Cell(kind: .row, integer: Int64(record.objects.count - place)))
        read(at(member, of: origin), child)
      case (.objects, .array):
        row.set(slot, Cell(kind: .list))
        for (number, item) in member.children.enumerated() where item.kind == .object {
          read(at(item, number, in: member, of: origin), child)
        }
      default: row.set(slot, Cell(kind: .mismatched))
      }
    }
    record.close(place)
    if tokens != nil { openOthers(of: origin, besides: part) }
  }

  // MARK: signed texts

  /// Reads what a signed text, or a list of such texts, holds, as the member that decoded records have instead.
  private func open(
    _ member: JSONElement, of origin: EventRecord.Origin, as slot: Int, of part: ObjectPart, _ row: CellRow,
    _ place: Int
  ) {
    guard let child = part.child(slot) else { return }
    if member.kind == .array {
      row.set(slot, Cell(kind: .list))
      for (number, token) in member.children.enumerated() {
        if let inner = content(at(token, number, in: member, of: origin)) { read(inner, child) }
      }
    } else if let inner = content(at(member, of: origin)) {
      row.set(slot, Cell(kind: .row, integer: Int64(record.objects.count - place)))
      read(inner, child)
    }
  }

  /// Opens signed texts under names that the object's table does not list, and those in objects without a part.
  ///
  /// What they hold, such as an app transaction, follows the record as objects without a parent.
  private func openOthers(of origin: EventRecord.Origin, besides part: ObjectPart?) {
    for member in origin.element.children {
      if member.kind == .object {
        guard let part, let slot = part.schema.slot(member.name), part.child(slot) == nil else { continue }
        openOthers(of: at(member, of: origin), besides: nil)
      } else if member.isSigned, part?.schema.slot(member.name) == nil, let inner = content(at(member, of: origin)) {
        append(inner)
      }
    }
  }

  private func append(_ origin: EventRecord.Origin) {
    switch V2Form(origin.element) {
    case .transaction: read(origin, .transaction)
    case .renewalInfo: read(origin, .renewal)
    case .appTransaction: read(origin, .appTransaction)
    default: break
    }
  }

  /// What a signed text holds, which stood at that place.
  private func content(_ place: EventRecord.Origin) -> EventRecord.Origin? {
    guard place.element.kind == .string, let tokens,
      let inner = tokens.content(of: place.element, at: place.path, isInside: place.isCovered)
    else { return nil }
    let token = place.element.tape.text(place.element.index)
    return EventRecord.Origin(element: inner, path: place.path, token: token, isCovered: true)
  }

  /// The place of a member of an object.
  private func at(_ member: JSONElement, of origin: EventRecord.Origin) -> EventRecord.Origin {
    // Paths grow with the reading: to find one afterwards takes the time of the whole record.
    let path = tokens == nil ? "" : origin.path.isEmpty ? member.name : "\(origin.path).\(member.name)"
    return EventRecord.Origin(element: member, path: path, isCovered: origin.isCovered)
  }

  private func at(
    _ item: JSONElement, _ number: Int, in list: JSONElement, of origin: EventRecord.Origin
  ) -> EventRecord.Origin {
    let path = tokens == nil ? "" : "\(at(list, of: origin).path)[\(number)]"
    return EventRecord.Origin(element: item, path: path, isCovered: origin.isCovered)
  }

  // MARK: values

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

extension JSONElement {
  /// A signed text, or a list of such texts, under one of Apple's names for these.
  fileprivate var isSigned: Bool {
    (kind == .string || kind == .array) && name != "signedPayload" && ModelCatalog.decodedNames[name] != nil
  }
}

extension ObjectPart {
  /// Whether a member is what a signed text is decoded into.
  fileprivate func decodes(into slot: Int) -> Bool { Self.decoding[Int(rawValue)] & 1 << UInt64(slot) != 0 }

  private static let decoding = allCases.map { part in
    part.schema.fields.reduce(UInt64(0)) { mask, field in
      field.traits.decoded.flatMap { part.schema.slot($0.name) }.map { mask | 1 << UInt64($0) } ?? mask
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
