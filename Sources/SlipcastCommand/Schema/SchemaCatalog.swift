import SlipcastBulk
import SlipcastMapping
import SlipcastV2
@_spi(Slipcast) import SlipcastWire

/// The JSON Schemas of what the program writes: the files of `Mappings/schemas`, completed with what they refer to.
///
/// Apple's objects come from the field tables of the models, words from the rules.
struct SchemaCatalog {
  private let rules: RuleSet
  private typealias Members = [(name: String, json: String)]

  private let files: [(name: String, members: Members)]
  private let shared: Members

  init(_ rules: RuleSet) throws(JSONError) {
    self.rules = rules
    var files: [(name: String, members: Members)] = []
    for file in RuleCatalog.schemas { files.append((file.name, try Self.members(of: file.bytes))) }
    shared = files.popLast()?.members ?? []
    self.files = files
  }

  private static func members(of bytes: [UInt8]) throws(JSONError) -> Members {
    let (text, reader) = (JSONBuffer(bytes), JSONReader(names: []))
    defer { withExtendedLifetime((text, reader)) {} }
    return JSONElement(tape: try reader.read(text)).children.map { ($0.name, $0.json) }
  }

  var list: [(name: String, about: String)] {
    files.map { file in
      let about = file.members.first { $0.name == "description" }?.json ?? ""
      return (file.name, String(about.dropFirst().dropLast()))
    }
  }

  /// The outputs that are lines of one table, as their schemas describe them.
  var lines: [TableDescription] {
    get throws(JSONError) {
      var lines: [TableDescription] = []
      for (name, about) in list where about.hasPrefix("A line of ") {
        guard let text = schema(name) else { continue }
        let (buffer, reader) = (JSONBuffer(Array(text.utf8)), JSONReader(names: []))
        defer { withExtendedLifetime((buffer, reader)) {} }
        let columns = LineColumns(JSONElement(tape: try reader.read(buffer))).all
        lines.append(TableDescription(name, about: about, columns: columns))
      }
      return lines
    }
  }

  /// A schema as JSON text; `nil` for an unknown name.
  func schema(_ name: String) -> String? {
    guard let members = files.first(where: { $0.name == name })?.members else { return nil }
    let writer = JSONWriter(capacity: 16 << 10)
    writer.raw("{")
    for member in members { line(member.name, member.json, writer) }
    let definitions = definitions(members.map(\.json).joined())
    if !definitions.isEmpty {
      let lines = definitions.map { "\n    \"\($0.name)\": \($0.text)" }
      line("$defs", "{\(lines.joined(separator: ","))\n  }", writer)
    }
    writer.raw("\n}\n")
    return writer.string
  }

  private func line(_ name: String, _ value: String, _ writer: JSONWriter) {
    writer.comma()
    writer.raw("\n  \"\(name)\": \(value)")
  }

  /// What a schema refers to, directly or not, each once.
  private func definitions(_ text: String) -> [(name: String, text: String)] {
    var found: [(name: String, text: String)] = []
    var open = Self.references(text)
    while !open.isEmpty {
      let name = open.removeFirst()
      guard !found.contains(where: { $0.name == name }), let text = definition(name) else { continue }
      found.append((name, text))
      open += Self.references(text)
    }
    return found
  }

  private static func references(_ text: String) -> [String] {
    text.split(separator: "\"").filter { $0.hasPrefix("#/$defs/") }.map { String($0.dropFirst(8)) }
  }

  private func definition(_ name: String) -> String? {
    if let own = shared.first(where: { $0.name == name }) { return own.json }
    if name.hasPrefix("word.") { return words(String(name.dropFirst(5))) }
    if let model = ModelCatalog.ownModels.first(where: { $0.name == name }) { return object(model, isOpen: false) }
    return ModelCatalog.models.first { $0.name == name }.map { object($0, isOpen: true) }
  }

  private func words(_ family: String) -> String? {
    let words = family == "class" ? DifferenceClass.allCases.map(\.rawValue) : rules.words(of: family)
    guard !words.isEmpty else { return nil }
    return "{\"enum\": [\(words.map { "\"\($0)\"" }.joined(separator: ", "))]}"
  }

  // MARK: objects of the models

  /// - Parameter isOpen: Apple may add members.
  private func object(_ model: ObjectSchema, isOpen: Bool) -> String {
    JSONWriter.object(capacity: 4096) { writer in
      writer.key("type")
      writer.text("object")
      writer.member("description", ifPresent: isOpen ? model.fields.first?.document : nil)
      writer.object("properties") {
        for member in model.fields {
          writer.key(member.name)
          writer.raw(kind(member.kind))
        }
      }
      writer.member("additionalProperties", isOpen)
    }.string
  }

  private func kind(_ kind: FieldKind) -> String {
    switch kind {
    case .text: "{\"type\":\"string\"}"
    case .word("confidence"): "{\"$ref\":\"#/$defs/word.confidence\"}"
    case .uuid, .word: "{\"type\":\"string\",\"description\":\"\(kind.description)\"}"
    case .integer32, .code:
      "{\"type\":\"integer\",\"minimum\":\(Int32.min),\"maximum\":\(Int32.max)}"
    case .integer64, .milliseconds, .milliunits: "{\"type\":\"integer\",\"description\":\"\(kind.description)\"}"
    case .boolean: "{\"type\":\"boolean\"}"
    case .texts: "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}"
    case .object(let name): "{\"$ref\":\"#/$defs/\(name)\"}"
    case .objects(let name): "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/\(name)\"}}"
    }
  }
}
