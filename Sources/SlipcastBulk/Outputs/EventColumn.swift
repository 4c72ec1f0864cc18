internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// A column of CSV output, and where its value is: the first of these places that has one counts.
struct EventColumn: Sendable {
  let name: String
  let type: ColumnType
  /// Members of converted objects, which come first.
  fileprivate(set) var cells: [(part: Int, slot: Int)] = []
  /// Members of the record: conversions make no such objects, only a V2 notification in a journal or a store has them.
  fileprivate(set) var members: [[String]] = []

  /// The column for readers of the table; its first place stands for all.
  var description: TableColumn {
    let path = cells.first.map { ObjectPart.path(of: ObjectPart.allCases[$0.part].number(of: $0.slot)) }
    return TableColumn(name, type, about: path ?? members.first?.joined(separator: ".") ?? "")
  }

  /// - Parameter rows: the objects of the row, by their parts.
  func write(_ rows: [CellRow?], _ record: JSONElement?, to writer: JSONWriter) {
    for (part, slot) in cells {
      if let cell = rows[part]?[slot] { return write(cell, to: writer) }
    }
    guard let record else { return }
    for path in members {
      let member = path.reduce(JSONElement?.some(record)) { element, name in element?[name] }
      if let member, member.kind != .null { return write(member, to: writer) }
    }
  }

  private func write(_ cell: Cell, to writer: JSONWriter) {
    switch cell.kind {
    case .text: if let text = cell.text { CSVText.write(text.buffer.span, to: writer) }
    case .integer: write(cell.integer, to: writer)
    case .boolean: writer.boolean(cell.integer != 0)
    case .row, .list, .mismatched: break
    }
  }

  private func write(_ number: Int64, to writer: JSONWriter) {
    if type == .time {
      CSVText.write(Timestamp(milliseconds: number), to: writer)
    } else {
      CSVText.write(number, to: writer)
    }
  }

  private func write(_ member: JSONElement, to writer: JSONWriter) {
    switch (type, member.kind) {
    case (.text, .string): if let text = member.string { CSVText.write(Array(text.utf8).span, to: writer) }
    // Numbers may be written as texts, and ids as numbers.
    case (.text, .number): CSVText.write(Array(member.json.utf8).span, to: writer)
    case (.boolean, .true), (.boolean, .false): writer.boolean(member.kind == .true)
    case (.text, _), (.boolean, _): break
    default: if let number = member.integer ?? member.string.flatMap(Int64.init) { write(number, to: writer) }
    }
  }
}

/// The columns for the members of V2 objects, gathered from the schemas; members with one name share a column.
struct EventColumns {
  private(set) var all: [EventColumn] = []
  private var numbers: [String: Int] = [:]

  init() {
    for part in Self.precedence {
      for (slot, field) in part.schema.fields.enumerated() {
        add(field) { $0.cells.append((Int(part.rawValue), slot)) }
      }
    }
    for part in Self.precedence {
      guard let path = part.path(in: .notification) else { continue }
      addObjects(in: part.schema, path.split(separator: ".").map(String.init)) { part.child($0) != nil }
    }
  }

  /// What is about the whole record comes before its transaction, and that before what surrounds it in answers.
  private static let precedence: [ObjectPart] = [
    .notification, .data, .history, .statuses, .transaction, .renewal, .group, .item,
  ]

  private mutating func addObjects(
    in schema: ObjectSchema, _ path: [String], except isPart: (Int) -> Bool = { _ in false }
  ) {
    for (slot, field) in schema.fields.enumerated() where !isPart(slot) {
      let object: (name: String, schema: ObjectSchema)? =
        switch field.kind {
        case .object where field.column != nil: field.inner.map { (field.name, $0) }
        // Decoded records have an object that Apple documents as a signed text alone.
        case .text: field.traits.decoded.flatMap { schema.slot($0.name) == nil ? ($0.name, $0.schema()) : nil }
        default: nil
        }
      guard let object else { continue }
      let path = path + [object.name]
      for member in object.schema.fields { add(member) { $0.members.append(path + [member.name]) } }
      addObjects(in: object.schema, path)
    }
  }

  private mutating func add(_ field: SchemaField, _ addPlace: (inout EventColumn) -> Void) {
    guard field.kind.isScalar, let name = field.column else { return }
    let number = numbers[name] ?? all.count
    if number == all.count {
      numbers[name] = number
      all.append(EventColumn(name: name, type: ColumnType(field.kind)))
    }
    addPlace(&all[number])
  }
}
