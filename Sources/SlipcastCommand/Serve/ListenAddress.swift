/// The address of `--listen`.
enum ListenAddress {
  /// Refuses a text other than an address with a port, and shows what to type.
  static func check(_ text: String) throws(UsageError) {
    let (host, port) = parts(text)
    if let host, !host.isEmpty, let port, UInt16(port) != nil { return }
    let expected = "--listen is ADDRESS:PORT, such as 127.0.0.1:8080 or [::1]:8080, not \"\(text)\""
    throw UsageError(expected + (meant(text).map { "; did you mean --listen \($0)?" } ?? ""))
  }

  private static func parts(_ text: String) -> (host: String?, port: String?) {
    guard let colon = text.lastIndex(of: ":") else { return (nil, nil) }
    return (String(text[..<colon]), String(text[text.index(after: colon)...]))
  }

  /// A port alone is one of this machine; a host alone has the usual port.
  private static func meant(_ text: String) -> String? {
    let bare = text.drop { $0 == ":" }
    if UInt16(bare) != nil { return "127.0.0.1:\(bare)" }
    guard !text.isEmpty, !text.contains(":"), text.allSatisfy({ $0.isLetter || $0.isNumber || ".-".contains($0) })
    else { return nil }
    return "\(text):8080"
  }
}
