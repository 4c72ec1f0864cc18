internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// A column of CSV output, and where its value is: the first of these places that has one counts.
struct EventColumn: Sendable {
  enum Place: Sendable {
    case cell(ObjectPart, slot: Int)
    /// Conversions make no such object: only a V2 notification in a journal or a store has it.
    case member(model: String, path: [String])
  }

  let name: String
  private let isDate: Bool
  private(set) var places: [Place]

  /// A member of the objects that conversions make.
  init(_ name: String, _ member: String? = nil, _ parts: ObjectPart...) {
    let member = member ?? name
    let found = parts.compactMap { part in part.layout.slot(member).map { (part: part, slot: $0) } }
    self.name = name
    places = found.map { .cell($0.part, slot: $0.slot) }
    isDate = found.first.map { $0.part.layout.kinds[$0.slot] == .milliseconds } ?? false
  }

  /// A member of an object that only V2 notifications have.
  init<Model: FieldModel>(_ name: String, _ member: String? = nil, in model: Model.Type, at path: String) {
    let member = member ?? name
    self.name = name
    places = [.member(model: model.modelName, path: Self.path(path, member))]
    isDate = model.fields.first { $0.name == member }?.kind == .milliseconds
  }

  /// The same column, which also holds a member of another object, where that has it.
  func or<Model: FieldModel>(_ member: String? = nil, in model: Model.Type, at path: String) -> EventColumn {
    var column = self
    let member = member ?? name
    guard model.fields.contains(where: { $0.name == member }) else { return self }
    column.places.append(.member(model: model.modelName, path: Self.path(path, member)))
    return column
  }

  private static func path(_ path: String, _ member: String) -> [String] {
    path.split(separator: ".").map(String.init) + [member]
  }

  func text(_ rows: [ObjectPart: CellRow], _ record: JSONElement?) -> String {
    for place in places {
      switch place {
      case .cell(let part, let slot):
        if let cell = rows[part]?[slot] { return text(cell) }
      case .member(_, let path):
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
