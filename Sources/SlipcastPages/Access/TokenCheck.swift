internal import SlipcastDigest
internal import SlipcastHTTP

/// Lets in who knows the token: `Authorization: Bearer`, or once `?token=`, and then a cookie.
struct TokenCheck: Sendable {
  private static let cookie = "slipcast-ui"
  /// A digest of the token: neither the token nor what a browser keeps is in memory dumps of pages.
  private let digest: String
  private let session: String

  init(_ token: [UInt8]) {
    digest = Self.digest("token", token)
    // Who steals the cookie from a browser does not have the token.
    session = Self.digest("session", token)
  }

  private static func digest(_ purpose: String, _ bytes: [UInt8]) -> String {
    SHA256Stream.hexadecimal(of: Array("slipcast ui \(purpose)\n".utf8) + bytes)
  }

  /// Whether a request has access from an earlier one, or states the token.
  func admits(_ head: RequestHead) -> Bool {
    if let words = head.authorization?.split(separator: " ", maxSplits: 1), words.count == 2,
      words[0].lowercased() == "bearer"
    {
      return isToken(String(words[1]))
    }
    return cookies(of: head).contains { Self.isSame($0, session) }
  }

  func isToken(_ text: String) -> Bool { Self.isSame(Self.digest("token", Array(text.utf8)), digest) }

  /// What lets the browser in from now on.
  var setCookie: (name: String, value: String) {
    ("Set-Cookie", "\(Self.cookie)=\(session); HttpOnly; SameSite=Strict; Path=/")
  }

  private func cookies(of head: RequestHead) -> [String] {
    (head.cookie ?? "").split(separator: ";").compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimming(while: { $0 == " " }) }
      return parts.count == 2 && parts[0] == Self.cookie ? String(parts[1]) : nil
    }
  }

  /// Compares digests: the time does not depend on where they differ.
  private static func isSame(_ one: String, _ two: String) -> Bool {
    let (one, two) = (Array(one.utf8), Array(two.utf8))
    guard one.count == two.count else { return false }
    return zip(one, two).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension Substring {
  fileprivate func trimming(while isLeft: (Character) -> Bool) -> Substring {
    var text = drop(while: isLeft)
    while let last = text.last, isLeft(last) { text.removeLast() }
    return text
  }
}
