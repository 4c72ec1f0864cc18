internal import SlipcastWire

/// The addresses of pages: paths and what follows `?`.
enum PageAddress {
  /// A text as one step of a path, or as a value after `?`.
  static func encoded(_ text: String) -> String { Hexadecimal.percentEncoded(text, keeping: "-._~") }

  /// A path with values after it; values that are `nil` or empty are left out.
  static func with(_ path: String, _ values: KeyValuePairs<String, String?>) -> String {
    with(path, values.map { ($0.key, $0.value) })
  }

  static func with(_ path: String, _ values: [(String, String?)]) -> String {
    let pairs = values.compactMap { name, value in
      value.flatMap { $0.isEmpty ? nil : "\(encoded(name))=\(encoded($0))" }
    }
    return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
  }
}

/// What a request asks for.
struct PageRequest: Sendable {
  var path: String
  var query: [(name: String, value: String)] = []

  /// The first value of a name, without blanks around it; `nil` where it is missing or empty.
  subscript(name: String) -> String? {
    let value = query.first { $0.name == name }?.value
    let trimmed = value.map { PageRequest.trimmed($0) } ?? ""
    return trimmed.isEmpty ? nil : trimmed
  }

  /// A number from 1 on.
  func page(_ name: String = "page") -> Int { min(max(self[name].flatMap { Int($0) } ?? 1, 1), 1_000_000) }

  /// The address of the same view with other values; `nil` leaves one out.
  func address(_ changed: KeyValuePairs<String, String?>) -> String {
    let names = Set(changed.map(\.key))
    let kept = query.filter { !names.contains($0.name) && $0.name != "token" }.map { ($0.name, String?.some($0.value)) }
    return PageAddress.with(PageRequest.path(path), kept + changed.map { ($0.key, $0.value) })
  }

  private static func path(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { PageAddress.encoded(String($0)) }
      .joined(separator: "/")
  }

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    func isBlank(_ character: Character) -> Bool { character.isWhitespace || character == "\u{FEFF}" }
    while let first = text.first, isBlank(first) { text.removeFirst() }
    while let last = text.last, isBlank(last) { text.removeLast() }
    return String(text)
  }
}
