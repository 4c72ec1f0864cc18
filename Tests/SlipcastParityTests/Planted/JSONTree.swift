import Foundation

/// Reads, changes and writes JSON as a tree; steps are keys and places of lists.
enum JSONTree {
  static func parse(_ bytes: [UInt8]) throws -> Any { try JSONSerialization.jsonObject(with: Data(bytes)) }

  /// The document on one line, keys in alphabetical order.
  static func line(_ root: Any) throws -> String {
    let data = try JSONSerialization.data(withJSONObject: root, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self)
  }

  /// `a.b[0].c` as `a`, `b`, `0`, `c`.
  static func steps(_ path: String) -> [String] {
    path.replacing("[", with: ".").replacing("]", with: "").split(separator: ".").map(String.init)
  }

  static func value(in root: Any?, at steps: ArraySlice<String>) -> Any? {
    guard let step = steps.first else { return root }
    if let list = root as? [Any] {
      guard let place = Int(step), list.indices.contains(place) else { return nil }
      return value(in: list[place], at: steps.dropFirst())
    }
    return value(in: (root as? [String: Any])?[step], at: steps.dropFirst())
  }

  /// A copy with another value at a place; `nil` removes the member.
  static func replacing(_ root: Any, at steps: ArraySlice<String>, with new: Any?) -> Any {
    guard let step = steps.first else { return new ?? root }
    if var list = root as? [Any], let place = Int(step), list.indices.contains(place) {
      list[place] = replacing(list[place], at: steps.dropFirst(), with: new)
      return list
    }
    guard var object = root as? [String: Any] else { return root }
    if steps.count == 1 {
      object[step] = new
    } else if let inner = object[step] {
      object[step] = replacing(inner, at: steps.dropFirst(), with: new)
    }
    return object
  }

  /// The paths of all scalars, dotted.
  static func leaves(_ root: Any, _ path: String = "") -> [String] {
    guard let object = root as? [String: Any] else { return [path] }
    return object.keys.sorted().flatMap { key in
      object[key].map { leaves($0, path.isEmpty ? key : "\(path).\(key)") } ?? []
    }
  }

  /// A copy in which every scalar under one of the keys is changed.
  static func mapping(_ root: Any, keys: Set<String>, key: String = "", _ change: (Any) -> Any) -> Any {
    if let object = root as? [String: Any] {
      var copy = object
      for (name, value) in object { copy[name] = mapping(value, keys: keys, key: name, change) }
      return copy
    }
    if let list = root as? [Any] { return list.map { mapping($0, keys: keys, key: key, change) } }
    return keys.contains(key) ? change(root) : root
  }
}
