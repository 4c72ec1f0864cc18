internal import SlipcastSignatures
internal import SlipcastWire
internal import Synchronization

/// The tokens of requests, one for each app, used again until they are old.
final class TokenStore: Sendable {
  private struct Entry {
    var token: String
    var issued: Int64
  }

  private let key: APIKey
  private let entries = Mutex<[String: Entry]>([:])
  /// Seconds after which a token is replaced; it is valid for longer.
  private static let age: Int64 = 600

  init(_ key: APIKey) { self.key = key }

  /// The token of an app.
  ///
  /// - Parameter refused: a token that the server refused; another one is made.
  func token(for bundleId: String, insteadOf refused: String? = nil) throws(SigningError) -> String {
    let now = Timestamp.now
    let kept = entries.withLock { $0[bundleId] }
    if let kept, kept.token != refused, abs(now.milliseconds - kept.issued) < Self.age * 1000 { return kept.token }
    let token = try key.token(bundleId: bundleId, at: now)
    entries.withLock { $0[bundleId] = Entry(token: token, issued: now.milliseconds) }
    return token
  }
}
