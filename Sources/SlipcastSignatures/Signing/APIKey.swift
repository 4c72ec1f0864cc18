@_spi(Slipcast) public import SlipcastWire

/// A private key of App Store Connect, with which a program makes the tokens of its requests.
///
/// Source: Apple, "Creating API keys to authorize API requests" and "Generating JSON Web Tokens for API requests".
public struct APIKey: Sendable {
  /// The key's id in App Store Connect.
  public let keyId: String
  /// The id of the issuer, from the page of the keys.
  public let issuerId: String
  private let key: PrivateKey

  /// Reads a key.
  ///
  /// - Parameters:
  ///   - pem: the content of Apple's file `AuthKey_….p8`: PKCS #8 in PEM, not encrypted, on the curve P-256.
  ///   - keyId: the key's id.
  ///   - issuerId: the issuer's id.
  /// - Throws: `APIKeyError` for anything else.
  public init(pem: [UInt8], keyId: String, issuerId: String) throws(APIKeyError) {
    func check(_ id: String, _ reason: APIKeyError.Reason) throws(APIKeyError) {
      let isPlain = id.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
      guard !id.isEmpty, id.utf8.count <= 128, isPlain else { throw APIKeyError(reason: reason) }
    }
    try check(keyId, .keyId)
    try check(issuerId, .issuerId)
    guard let key = PrivateKey(pem: pem) else {
      let detail = OpenSSLErrors.take()
      let text = String(decoding: pem.prefix(4096), as: UTF8.self)
      if text.contains("BEGIN ENCRYPTED") || text.contains("4,ENCRYPTED") { throw APIKeyError(reason: .encrypted) }
      if text.contains("BEGIN PUBLIC KEY") || text.contains("BEGIN CERTIFICATE") {
        throw APIKeyError(reason: .notPrivate)
      }
      throw APIKeyError(reason: .unreadable(detail: Self.found(text, detail)))
    }
    guard key.isP256 else { throw APIKeyError(reason: .curve(found: key.kind)) }
    (self.key, self.keyId, self.issuerId) = (key, keyId, issuerId)
  }

  /// What a file contains instead of a key.
  private static func found(_ text: String, _ detail: String?) -> String {
    guard text.contains("-----BEGIN ") else { return "no PEM" }
    return "PEM that cannot be decoded" + (detail.map { " (\($0))" } ?? "")
  }

  /// Makes the token of requests about an app.
  ///
  /// - Parameters:
  ///   - bundleId: the app.
  ///   - time: when it is issued.
  ///   - lifetime: how long it is valid, in seconds; at most an hour, as Apple accepts.
  /// - Throws: `SigningError` when OpenSSL cannot sign.
  public func token(bundleId: String, at time: Timestamp, lifetime: Int64 = 1200) throws(SigningError) -> String {
    let header = JSONWriter.object(capacity: 128) { header in
      header.member("alg", "ES256")
      header.member("kid", keyId)
      header.member("typ", "JWT")
    }
    let seconds = time.milliseconds.floorDivided(by: 1000)
    let claims = JSONWriter.object(capacity: 256) { claims in
      claims.member("iss", issuerId)
      claims.member("iat", seconds)
      claims.member("exp", seconds + min(max(lifetime, 0), 3600))
      claims.member("aud", "appstoreconnect-v1")
      claims.member("bid", bundleId)
    }
    let text = Base64.encodeURL(header.bytes) + "." + Base64.encodeURL(claims.bytes)
    let signature = try ES256Signer(key).signature(of: Array(text.utf8))
    return text + "." + Base64.encodeURL(signature)
  }
}

/// Why a key of App Store Connect cannot be used; never a part of the key.
public struct APIKeyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One kind of fault.
  public enum Reason: Hashable, Sendable {
    /// The key's id is empty or contains blanks.
    case keyId
    /// The issuer's id is empty or contains blanks.
    case issuerId
    /// The key has a passphrase.
    case encrypted
    /// A public key or a certificate.
    case notPrivate
    /// No private key in PEM.
    case unreadable(detail: String?)
    /// A key of another kind than P-256.
    case curve(found: String)
  }

  /// The reason.
  public var reason: Reason

  /// One line: what was expected, what was found, what to do.
  public var description: String {
    switch reason {
    case .keyId:
      "expected the key's id, such as 2X9R4HXF34, without blanks; App Store Connect shows it next to the key "
        + "(Users and Access, Integrations)"
    case .issuerId:
      "expected the issuer's id, a UUID, without blanks; App Store Connect shows it above the list of keys"
    case .encrypted:
      "the key is encrypted; Apple's .p8 files are not. Remove the passphrase: openssl pkcs8 -in KEY -out AuthKey.p8"
    case .notPrivate: "expected a private key (BEGIN PRIVATE KEY), found a public key or a certificate"
    case .unreadable(let detail):
      "expected the .p8 file of App Store Connect, a private key in PEM (BEGIN PRIVATE KEY)"
        + (detail.map { "; found \($0)" } ?? "")
    case .curve(let found):
      "expected a key on the curve P-256, found \(found); make an In-App Purchase key in App Store Connect"
    }
  }
}
