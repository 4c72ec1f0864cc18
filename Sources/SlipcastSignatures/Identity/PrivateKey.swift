// Unsafe on purpose: a key is OpenSSL's; see `OpenSSLHandle`.
internal import CSlipcastCrypto

struct PrivateKey: Sendable {
  let handle: OpenSSLHandle

  /// Generates a key on a curve: `P-256`, `P-384`.
  static func make(curve: String) throws(IdentityError) -> PrivateKey {
    var key: OpaquePointer?
    let context = OpenSSLHandle(EVP_PKEY_CTX_new_from_name(nil, "EC", nil), free: { EVP_PKEY_CTX_free($0) })
    guard let context, EVP_PKEY_keygen_init(context.pointer) == 1,
      EVP_PKEY_CTX_set_group_name(context.pointer, curve) == 1, EVP_PKEY_generate(context.pointer, &key) == 1,
      let handle = OpenSSLHandle(key, free: { EVP_PKEY_free($0) })
    else { throw IdentityError(.cryptography(action: "make a key", detail: OpenSSLErrors.take())) }
    return PrivateKey(handle: handle)
  }

  private init(handle: OpenSSLHandle) { self.handle = handle }

  /// Reads a private key in PEM; `nil` for anything else, and for an encrypted one.
  init?(pem: [UInt8]) {
    // Without this callback OpenSSL would ask for a passphrase on the terminal.
    let key = OpenSSLValue.read(pem) { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }
    guard let handle = OpenSSLHandle(key, free: { EVP_PKEY_free($0) }) else { return nil }
    self.handle = handle
  }

  /// The key in PEM: PKCS #8, not encrypted (RFC 5958, RFC 7468 section 10).
  func pem() throws(IdentityError) -> [UInt8] {
    let text = OpenSSLValue.written { PEM_write_bio_PKCS8PrivateKey($0, handle.pointer, nil, nil, 0, nil, nil) == 1 }
    guard let text else { throw IdentityError(.cryptography(action: "write the key", detail: OpenSSLErrors.take())) }
    return text
  }

  /// The kind of key, for messages: `prime256v1`, `RSA`.
  var kind: String {
    OpenSSLValue.curve(of: handle.pointer)
      ?? EVP_PKEY_get0_type_name(handle.pointer).map { String(cString: $0) } ?? "another one"
  }

  /// True for the curve of ES256 (RFC 7518 section 3.4).
  var isP256: Bool { kind == "prime256v1" || kind == "P-256" }
}

extension Certificate {
  func pem() throws(IdentityError) -> [UInt8] {
    guard let text = OpenSSLValue.written({ PEM_write_bio_X509($0, handle.pointer) == 1 }) else {
      throw IdentityError(.cryptography(action: "write a certificate", detail: OpenSSLErrors.take()))
    }
    return text
  }

  /// True when another certificate's key made the signature of this one.
  func isSigned(by issuer: Certificate) -> Bool {
    defer { _ = OpenSSLErrors.take() }
    guard let key = X509_get0_pubkey(issuer.handle.pointer) else { return false }
    return X509_verify(handle.pointer, key) == 1
  }

  func belongs(to key: PrivateKey) -> Bool {
    defer { _ = OpenSSLErrors.take() }
    return X509_check_private_key(handle.pointer, key.handle.pointer) == 1
  }
}
