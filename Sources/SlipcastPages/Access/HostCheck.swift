internal import SlipcastHTTP
internal import SlipcastLibC

/// Decides by `Host` whether a request was meant for this program.
///
/// A page of a stranger can let its own name point to this machine (DNS rebinding), and would then read the pages as if
/// they were its own. The browser still states the stranger's name.
struct HostCheck: Sendable {
  /// The name or address of `--listen`, in small letters, without brackets.
  let listened: String
  /// Only this machine can connect.
  let isLoopback: Bool

  /// - Parameter listen: `HOST:PORT`, an IPv6 address in brackets.
  init(listen: String) {
    let name = Self.name(of: listen)
    listened = name
    isLoopback = name == "localhost" || Self.loopback.contains { $0.contains(name) }
  }

  private static let loopback = ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) }

  /// Whether a `Host` names this program.
  func accepts(_ host: String) -> Bool {
    guard Self.isWellFormed(host) else { return false }
    let name = Self.name(of: host)
    if name == listened { return true }
    if isLoopback { return name == "localhost" || Self.loopback.contains { $0.contains(name) } }
    // An address cannot be made to point elsewhere.
    return AddressRange(name) != nil && !name.contains("/")
  }

  private static func name(of host: String) -> String {
    var name = host[...]
    if name.hasPrefix("["), let end = name.firstIndex(of: "]") {
      name = name[name.index(after: name.startIndex)..<end]
    } else if let colon = name.lastIndex(of: ":"), name.firstIndex(of: ":") == colon {
      name = name[..<colon]
    }
    return name.lowercased()
  }

  /// A name or an address, and perhaps a port of digits.
  private static func isWellFormed(_ host: String) -> Bool {
    host.wholeMatch(of: /(\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z._-]+)(:[0-9]{1,5})?/) != nil
  }
}
