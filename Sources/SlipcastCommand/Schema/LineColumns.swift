import SlipcastBulk
import SlipcastWire

/// The columns of a table for the lines of an NDJSON output: one for each member that its JSON Schema names.
struct LineColumns {
  private(set) var all: [TableColumn] = []
  private var places: [String: Int] = [:]
  private let definitions: JSONElement?

  init(_ schema: JSONElement) {
    definitions = schema["$defs"]
    collect(schema)
  }

  /// Members of every alternative: a line has those of one, and the other columns are NULL.
  private mutating func collect(_ schema: JSONElement) {
    if let referred = definition(schema) { return collect(referred) }
    for member in schema["properties"]?.children ?? [] { add(member) }
    for word in ["allOf", "anyOf", "oneOf"] { for one in schema[word]?.children ?? [] { collect(one) } }
  }

  private mutating func add(_ member: JSONElement) {
    let type = type(of: member)
    if let place = places[member.name] {
      guard all[place].type != type else { return }
      all[place] = TableColumn(member.name, .json, about: all[place].about)
    } else {
      places[member.name] = all.count
      all.append(TableColumn(member.name, type, about: Self.about(member)))
    }
  }

  /// What a member means; a kind that the type of the column says already is left out.
  private static func about(_ member: JSONElement) -> String {
    let text = member["description"]?.string ?? ""
    if text == "string" { return "" }
    return text.hasPrefix("number (") ? String(text.dropFirst(8).dropLast()) : text
  }

  private func definition(_ schema: JSONElement) -> JSONElement? {
    schema["$ref"]?.string.flatMap { definitions?[String($0.dropFirst("#/$defs/".count))] }
  }

  private func type(of schema: JSONElement) -> ColumnType {
    if let referred = definition(schema) { return type(of: referred) }
    if let word = schema["type"]?.string { return type(word, schema) }
    let samples = schema["enum"]?.children ?? [schema["const"]].compactMap(\.self)
    let types = Set(samples.map(Self.type(ofValue:)))
    return types.count == 1 ? types.first ?? .json : .json
  }

  private func type(_ word: String, _ schema: JSONElement) -> ColumnType {
    switch word {
    case "string": .text
    case "boolean": .boolean
    case "number": .decimal
    case "integer": schema["minimum"]?.integer == Int64(Int32.min) ? .integer32 : .integer64
    default: .json
    }
  }

  private static func type(ofValue value: JSONElement) -> ColumnType {
    switch value.kind {
    case .string: .text
    case .number: .integer64
    case .true, .false: .boolean
    default: .json
    }
  }
}
