import Foundation
import SlipcastWire

// Records of files, taken apart.

extension Node {
  /// The record of a file; `nil` for one that is not JSON.
  init?(file: String) {
    guard let data = FileManager.default.contents(atPath: file) else { return nil }
    let found: Node? = JSONReader(names: []).parse(JSONBuffer(data)) { Node($0) }
    guard let found else { return nil }
    self = found
  }

  private init(_ element: JSONElement) {
    switch element.kind {
    case .object: self = .object(element.children.map { ($0.name, Node($0)) })
    case .array: self = .list(element.children.map { Node($0) })
    default: self = .raw(element.json)
    }
  }

  /// The paths of all values, elements of lists included.
  var paths: [[Step]] {
    let children: [(Step, Node)] =
      switch self {
      case .text, .number, .raw: []
      case .list(let nodes): nodes.enumerated().map { (.index($0), $1) }
      case .object(let members): members.map { (.key($0.key), $0.value) }
      }
    return children.flatMap { step, node in [[step]] + node.paths.map { [step] + $0 } }
  }

  func node(at path: ArraySlice<Step>) -> Node? {
    switch (self, path.first) {
    case (_, nil): self
    case (.list(let nodes), .index(let index)?):
      nodes.indices.contains(index) ? nodes[index].node(at: path.dropFirst()) : nil
    case (.object(let members), .key(let key)?):
      members.last { $0.key == key }?.value.node(at: path.dropFirst())
    default: nil
    }
  }

  /// The value with another one in a place.
  func replacing(_ path: ArraySlice<Step>, with other: Node) -> Node {
    switch (self, path.first) {
    case (_, nil): return other
    case (.list(var nodes), .index(let index)?):
      nodes[index] = nodes[index].replacing(path.dropFirst(), with: other)
      return .list(nodes)
    case (.object(let members), .key(let key)?):
      return .object(
        members.map { ($0.key, $0.key == key ? $0.value.replacing(path.dropFirst(), with: other) : $0.value) })
    default: return self
    }
  }

  /// What stands in the place of a value that cannot be read; `nil` for one that is absent, or an object with values of
  /// its own.
  ///
  /// - Parameter isElement: it is an element of a list.
  func unreadable(isElement: Bool) -> Node? {
    switch self {
    case .raw("null"), .raw("\"\""), .text(""): nil
    case .text, .number, .raw: .raw("[1]")
    case .list: .raw("\"a:1:{}\"")
    case .object: isElement ? .raw("null") : nil
    }
  }

  /// The ids of all transactions in it, as text.
  var transactionIds: Set<String> {
    switch self {
    case .text, .number, .raw: []
    case .list(let nodes): nodes.reduce(into: []) { $0.formUnion($1.transactionIds) }
    case .object(let members):
      members.reduce(into: []) { found, member in
        if member.key == "transaction_id" { found.insert(member.value.json.filter { $0 != "\"" }) }
        found.formUnion(member.value.transactionIds)
      }
    }
  }

  /// The value with all lists and members in the reverse order.
  var reversed: Node {
    switch self {
    case .text, .number, .raw: self
    case .list(let nodes): .list(nodes.reversed().map(\.reversed))
    case .object(let members): .object(members.reversed().map { ($0.key, $0.value.reversed) })
    }
  }

  /// An object has a key twice, so that its order has a meaning.
  var hasRepeatedKeys: Bool {
    switch self {
    case .text, .number, .raw: false
    case .list(let nodes): nodes.contains(where: \.hasRepeatedKeys)
    case .object(let members):
      Set(members.map(\.key)).count < members.count || members.contains(where: \.value.hasRepeatedKeys)
    }
  }
}

extension Node.Step: CustomStringConvertible {
  /// The key; `nil` for a place in a list.
  var name: String? {
    if case .key(let key) = self { key } else { nil }
  }

  var description: String {
    switch self {
    case .key(let key): key
    case .index(let index): "\(index)"
    }
  }
}
