@_spi(Slipcast) package import SlipcastWire

/// Version 2 records in the shapes that databases, warehouses and programs give them, as the objects that Apple describes.
///
/// Read are: decoded objects under the names of signed texts, objects that are JSON in a text, a notification with its
/// transaction and renewal next to it, columns with underscores (`notification_uuid`), and columns whose names contain
/// the object around them (`data.signed_transaction_info`).
package enum V2Envelope {
  /// The record as Apple shapes it; `nil` for one that has this shape already, and for anything else.
  ///
  /// Values stay as they are, unknown members too.
  package static func plain(_ tape: JSONTape, _ root: Int) -> [UInt8]? {
    guard tape[root].kind == .object, isOther(tape, root) else { return nil }
    guard case .object(let members) = V2Node(JSONElement(tape: tape, index: root), depth: 0) else { return nil }
    let writer = JSONWriter(capacity: 4096)
    V2Node.object(joined(members)).write(to: writer)
    return writer.bytes
  }

  /// Only what the first item of a list shows is asked: an answer is written by one program.
  private static func isOther(_ tape: JSONTape, _ root: Int) -> Bool {
    let marks = V2Marks(tape, root)
    if marks.contains(.legacy) || marks.contains(.legacyInCamelCase) { return false }
    if !marks.isDisjoint(with: V2Marks.drifts) { return true }
    if marks.contains(.data), let data = member("data", of: root, tape) {
      return !V2Marks(tape, data).isDisjoint(with: V2Marks.drifts)
    }
    guard marks.contains(.groups), let groups = member("data", of: root, tape),
      let group = tape.children(of: groups).first(where: { _ in true }),
      let items = member("lastTransactions", of: group, tape),
      let item = tape.children(of: items).first(where: { _ in true })
    else { return false }
    return V2Marks(tape, item).contains(.other)
  }

  private static func member(_ name: StaticString, of object: Int, _ tape: JSONTape) -> Int? {
    guard tape[object].kind == .object else { return nil }
    return tape.children(of: object).first { tape.key($0) == name }
  }

  // MARK: siblings

  private static let parts = [
    "transaction": "transactionInfo", "renewal": "renewalInfo", "transactionInfo": "transactionInfo",
    "renewalInfo": "renewalInfo", "signedTransactionInfo": "transactionInfo", "signedRenewalInfo": "renewalInfo",
  ]
  private static let signed = Dictionary(
    ModelCatalog.decodedNames.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })

  /// A notification with its transaction and renewal inside, where they are next to it.
  private static func joined(_ members: [V2Node.Member]) -> [V2Node.Member] {
    guard let inner = members.first(where: { $0.name == "notification" }),
      case .object(var notification) = inner.value, notification.contains(where: { $0.name == "notificationType" })
    else { return members }
    var data: [V2Node.Member] = []
    if let place = notification.firstIndex(where: { $0.name == "data" }) {
      guard case .object(let found) = notification[place].value else { return members }
      data = found
      notification.remove(at: place)
    }
    for member in members where member.name != "notification" {
      guard let name = parts[member.name] else {
        notification.append(member)
        continue
      }
      let isDecoded = if case .object = member.value { true } else { false }
      data.append((isDecoded ? name : signed[name] ?? name, member.value))
    }
    return notification + [("data", .object(data))]
  }
}

/// A value of a record that is being reshaped.
indirect enum V2Node {
  typealias Member = (name: String, value: V2Node)

  case object([Member])
  case list([V2Node])
  /// A scalar, as its source has it.
  case json([UInt8])

  private static let deepest = 16

  /// Copies a value, with Apple's names for its members and with JSON texts opened.
  init(_ element: JSONElement, depth: Int) {
    guard depth < Self.deepest else {
      self = .json(Array(element.json.utf8))
      return
    }
    switch element.kind {
    case .object:
      let members = element.children.map { child in
        let name = Self.names[child.name] ?? child.name
        return (name, Self.value(child, named: name, depth))
      }
      self = .object(Self.nested(members))
    case .array: self = .list(element.children.map { V2Node($0, depth: depth + 1) })
    default: self = .json(Array(element.json.utf8))
    }
  }

  private static func value(_ element: JSONElement, named name: String, _ depth: Int) -> V2Node {
    let plain = V2Node(element, depth: depth + 1)
    guard element.kind == .string, containers.contains(name), depth < deepest else { return plain }
    let text = element.tape.text(element.index).buffer
    guard text.first(where: { !$0.isBlank }) == UInt8(ascii: "{") else { return plain }
    return JSONReader(names: []).parse(JSONBuffer(text)) { root in
      root.kind == .object ? V2Node(root, depth: depth + 1) : nil
    } ?? plain
  }

  /// Members whose names contain the object around them, in that object.
  private static func nested(_ members: [Member]) -> [Member] {
    guard members.contains(where: { $0.name.contains(".") }) else { return renamed(members) }
    var (found, inner): ([Member], [(name: String, members: [Member])]) = ([], [])
    for member in members {
      guard let dot = member.name.firstIndex(of: "."), dot > member.name.startIndex else {
        found.append(member)
        continue
      }
      let outer = String(member.name[..<dot])
      let name = String(member.name[member.name.index(after: dot)...])
      let place = inner.firstIndex { $0.name == names[outer] ?? outer } ?? inner.endIndex
      if place == inner.endIndex { inner.append((names[outer] ?? outer, [])) }
      inner[place].members.append((names[name] ?? name, member.value))
    }
    for (name, members) in inner {
      if let place = found.firstIndex(where: { $0.name == name }), case .object(let own) = found[place].value {
        found[place].value = .object(nested(own + members))
      } else {
        found.append((name, .object(nested(members))))
      }
    }
    return renamed(found)
  }

  /// Decoded objects under the names of signed texts get those of decoded objects.
  private static func renamed(_ members: [Member]) -> [Member] {
    members.map { member in
      guard let decoded = ModelCatalog.decodedNames[member.name] else { return member }
      switch member.value {
      case .object: return (decoded, member.value)
      case .list(let items) where items.contains(where: { if case .object = $0 { true } else { false } }):
        return (decoded, member.value)
      default: return member
      }
    }
  }

  func write(to writer: JSONWriter) {
    switch self {
    case .object(let members):
      writer.object {
        for member in members {
          writer.key(member.name)
          member.value.write(to: writer)
        }
      }
    case .list(let items): writer.array(items) { $0.write(to: writer) }
    case .json(let text): writer.raw(text.span)
    }
  }

  // MARK: names

  private static let allNames = Set(
    ModelCatalog.models.flatMap { $0.fields.map(\.name) } + ModelCatalog.decodedNames.values)

  private static let containers = Set(
    ModelCatalog.models.flatMap(\.fields).filter(\.kind.isContainer).map(\.name)
      + ModelCatalog.decodedNames.flatMap { [$0.key, $0.value] } + ["notification", "transaction", "renewal"])

  /// Apple's names by the names of columns: in small letters, with an underscore before each word.
  private static let names = Dictionary(
    allNames.map { (underscored($0), $0) }, uniquingKeysWith: { first, _ in first })

  private static func underscored(_ name: String) -> String {
    var (text, wasCapital) = ("", true)
    for letter in name {
      if letter.isUppercase, !wasCapital { text += "_" }
      text += letter.lowercased()
      wasCapital = letter.isUppercase
    }
    return text
  }
}
