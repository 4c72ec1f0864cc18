internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// A column of CSV output, and where its value is: the first of these places that has one counts.
struct EventColumn: Sendable {
  enum Place: Sendable {
    case cell(ObjectPart, slot: Int)
    /// A member of the record: conversions make no such object, only a V2 notification in a journal or a store has it.
    case member(path: [String])
  }

  let name: String
  let isDate: Bool
  fileprivate(set) var places: [Place]

  func text(_ rows: [ObjectPart: CellRow], _ record: JSONElement?) -> String {
    for place in places {
      switch place {
      case .cell(let part, let slot):
        if let cell = rows[part]?[slot] { return text(cell) }
      case .member(let path):
        guard let record else { continue }
        let member = path.reduce(JSONElement?.some(record)) { element, name in element?[name] }
        if let member, member.kind != .null { return text(member) }
      }
    }
    return ""
  }

  private func text(_ cell: Cell) -> String {
    switch cell.kind {
    case .text: cell.text?.string ?? ""
    case .integer: isDate ? Timestamp(milliseconds: cell.integer).description : String(cell.integer)
    case .boolean: cell.integer != 0 ? "true" : "false"
    case .row, .list, .mismatched: ""
    }
  }

  private func text(_ member: JSONElement) -> String {
    switch member.kind {
    case .string: member.string ?? ""
    case .number:
      isDate ? member.integer.map { Timestamp(milliseconds: $0).description } ?? member.json : member.json
    case .true, .false: member.json
    case .null, .object, .array: ""
    }
  }
}

/// The columns for the members of V2 objects, gathered from the schemas; members with one name share a column.
struct EventColumns {
  private(set) var all: [EventColumn] = []
  private var numbers: [String: Int] = [:]

  init() {
    for part in Self.precedence {
      for (slot, field) in part.schema.fields.enumerated() { add(field, .cell(part, slot: slot)) }
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
      for member in object.schema.fields { add(member, .member(path: path + [member.name])) }
      addObjects(in: object.schema, path)
    }
  }

  private mutating func add(_ field: SchemaField, _ place: EventColumn.Place) {
    guard field.kind.isScalar, let name = field.column else { return }
    if let known = numbers[name] { return all[known].places.append(place) }
    numbers[name] = all.count
    all.append(EventColumn(name: name, isDate: field.kind == .milliseconds, places: [place]))
  }
}
