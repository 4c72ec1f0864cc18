@_spi(Slipcast) internal import SlipcastWire

/// The path of a value in a document (RFC 6901): `/payload/body`, `/rows/0`.
public struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  /// The names and indexes of the path, unescaped.
  public var tokens: [String]

  init(tokens: [String]) { self.tokens = tokens }

  /// Parses the text form; `nil` when it does not start with `/` (the empty text is the whole document).
  public init?(_ text: String) {
    guard text.isEmpty || text.hasPrefix("/") else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    tokens = parts.map { String($0).replacing("~1", with: "/").replacing("~0", with: "~") }
  }

  package var isSecret: Bool { tokens.contains(where: SecretName.matches) }

  /// The text form.
  public var description: String {
    tokens.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }

  /// An array index: digits without a leading zero.
  private static func place(_ token: String) -> Int? {
    guard token.utf8.allSatisfy({ (48...57).contains($0) }), token == "0" || !token.hasPrefix("0") else { return nil }
    return Int(token)
  }

  static func child(_ token: String, of parent: Int, in tape: JSONTape) -> Int? {
    guard tape[parent].kind == .array else { return JSONElement(tape: tape, index: parent)[token]?.index }
    return place(token).flatMap { place in tape.children(of: parent).dropFirst(place).first { _ in true } }
  }
}
