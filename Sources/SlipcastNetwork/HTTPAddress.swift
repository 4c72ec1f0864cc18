internal import SlipcastWire

/// The address of a service (RFC 3986): `http://` or `https://`, a host, and what follows it.
///
/// It may contain a password or a token, so it can only be printed without its user, password, query and fragment. An
/// address whose parts could be divided in another way, so that a part of a password would be printed, is refused.
package struct HTTPAddress: Hashable, MaskedLocation, CustomDebugStringConvertible, CustomReflectable {
  /// The whole address, for the request and for digests.
  package let secretText: String
  /// Scheme, host, port and path.
  package let description: String

  /// - Returns: `nil` for a text that is not such an address: another scheme, no host, a port that is not a number, a blank,
  ///   or an `@` after the host, which may end a password with an unescaped sign (`%40` is allowed there).
  package init?(_ text: String) {
    let schemes = ["http://", "https://"]
    guard let scheme = schemes.first(where: { text.hasPrefix($0) }),
      !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F })
    else { return nil }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { !"/?#\\".contains($0) }
    let behind = rest[authority.endIndex...]
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    guard Self.isHost(host), !behind.contains("@"), behind.first != "\\" else { return nil }
    secretText = text
    description = scheme + host + behind.prefix { $0 != "?" && $0 != "#" }
  }

  /// A text as it may be printed; of a text that is not an address, nothing is.
  static func shown(_ text: String) -> String { HTTPAddress(text)?.description ?? "the server" }

  /// What to do about an address that is refused.
  package static let advice =
    "write %40 for @, %2F for / and %3A for : in a user or password, and %40 for @ after the host"

  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["description": description]) }

  /// A name or an address, and a port in digits.
  private static func isHost(_ text: Substring) -> Bool {
    var name = text
    var port: Substring?
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return false }
      name = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" else { return false }
      port = rest.isEmpty ? nil : rest.dropFirst()
      guard name.allSatisfy({ $0.isHexDigit || ":.%".contains($0) }) else { return false }
    } else if let colon = text.firstIndex(of: ":") {
      (name, port) = (text[..<colon], text[text.index(after: colon)...])
    }
    if text.first != "[", !name.allSatisfy({ $0.isLetter || $0.isNumber || "-._".contains($0) }) { return false }
    let isPort = port.map { port in port.count <= 5 && port.allSatisfy { $0.isASCII && $0.isNumber } } ?? true
    return !name.isEmpty && isPort
  }
}
