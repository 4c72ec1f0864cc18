@_spi(Slipcast) import SlipcastWire

/// JSON taken apart: null members are left out, as V2 never has them.
enum JSONTree {
  case object([(name: String, value: JSONTree)])
  case array([JSONTree])
  /// JSON text in one spelling.
  case scalar(String)

  init(_ bytes: [UInt8]) throws(JSONError) {
    let buffer = JSONBuffer(bytes)
    let reader = JSONReader(names: [])
    self.init(JSONElement(tape: try reader.read(buffer)))
  }

  private init(_ element: JSONElement) {
    switch element.kind {
    case .object:
      self = .object(element.children.filter { $0.kind != .null }.map { ($0.name, JSONTree($0)) })
    case .array: self = .array(element.children.map { JSONTree($0) })
    case .string: self = .scalar(FieldValue.text(element.string ?? "").json)
    case .number: self = .scalar(Self.number(element.json))
    default: self = .scalar(element.json)
    }
  }

  /// The member of that name; the last one, as most JSON readers choose.
  subscript(name: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  func without(_ names: some Collection<String>) -> JSONTree {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !names.contains($0.name) })
  }

  /// Every value that has no values inside, with its dotted path, in the order of the text.
  var leaves: [(String, String)] { leaves(at: "") }

  private func leaves(at path: String) -> [(String, String)] {
    switch self {
    case .object(let members) where !members.isEmpty:
      let start = path.isEmpty ? "" : path + "."
      return members.flatMap { $0.value.leaves(at: start + JSONPath.spelled($0.name)) }
    case .array(let items) where !items.isEmpty:
      return items.enumerated().flatMap { $0.element.leaves(at: "\(path)[\($0.offset)]") }
    case .object: return path.isEmpty ? [] : [(path, "{}")]
    case .array: return [(path, "[]")]
    case .scalar(let text): return [(path, text)]
    }
  }

  /// One member a line, two blanks a level.
  var pretty: String { pretty("") }

  private func pretty(_ margin: String) -> String {
    let inner = margin + "  "
    switch self {
    case .object(let members) where !members.isEmpty:
      let lines = members.map { inner + FieldValue.text($0.name).json + ": " + $0.value.pretty(inner) }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(margin)}"
    case .array(let items) where !items.isEmpty:
      return "[\n" + items.map { inner + $0.pretty(inner) }.joined(separator: ",\n") + "\n\(margin)]"
    case .object: return "{}"
    case .array: return "[]"
    case .scalar(let text): return text
    }
  }

  /// `1e3` and `1000.0` are 1000; digits that a `Double` would lose stay as they are.
  private static func number(_ text: String) -> String {
    if Int64(text) != nil { return text }
    guard let real = Double(text) else { return text }
    return Int64(exactly: real).map { $0.magnitude < 1 << 53 ? "\($0)" : text } ?? "\(real)"
  }
}
