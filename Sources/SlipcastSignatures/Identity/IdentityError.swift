internal import SlipcastSystem

/// Why a test identity could not be made, written or read.
public struct IdentityError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One way to fail.
  public enum Reason: Hashable, Sendable {
    /// A file of that name already exists; nothing was written.
    case exists
    /// A system call failed: the action as a verb, and the system's error number.
    case system(action: String, number: Int32)
    /// The file is far larger than a chain or a key.
    case tooLarge
    /// The chain cannot be read.
    case chainUnreadable(detail: String)
    /// The chain does not have exactly three certificates.
    case chainLength(found: Int)
    /// A certificate of the chain is not signed by the next one.
    case chainBroken(place: Int)
    /// The key is not a private key in PEM, or it is encrypted.
    case keyUnreadable(detail: String?)
    /// The key is not on the curve P-256, which ES256 requires.
    case keyType(found: String)
    /// The key is not the leaf's.
    case keyMismatch
    /// OpenSSL could not do something.
    case cryptography(action: String, detail: String?)
  }

  /// The reason.
  public var reason: Reason
  /// The file or folder; empty for an identity in memory.
  public var path: String

  init(_ reason: Reason, path: String = "") { (self.reason, self.path) = (reason, path) }

  /// One line: what was expected, what was found, what to do.
  public var description: String { (path.isEmpty ? "" : "\(path): ") + message }

  private var message: String {
    switch reason {
    case .exists: "is there already, and is not overwritten; name another folder"
    case .system(let action, let number): "cannot \(action): \(Platform.reason(number))"
    case .tooLarge: "expected a few kilobytes, found a much larger file"
    case .chainUnreadable(let detail): "expected certificates in PEM: \(detail)"
    case .chainLength(let found):
      "expected three certificates (leaf, intermediate, root), found \(found); slipcast identity makes such a chain"
    case .chainBroken(let place):
      "expected leaf, intermediate, root, each signed by the next one; "
        + (place == 0 ? "the first is not signed by the second" : "the second is not signed by the third")
    case .keyUnreadable(let detail):
      "expected a private key in PEM (PKCS #8), without a passphrase" + (detail.map { ": \($0)" } ?? "")
    case .keyType(let found): "expected a key on the curve P-256, which ES256 requires, found \(found)"
    case .keyMismatch: "the key does not belong to the first certificate of chain.pem"
    case .cryptography(let action, let detail): "OpenSSL could not \(action)" + (detail.map { ": \($0)" } ?? "")
    }
  }
}
