// Unsafe on purpose: keys and contexts are OpenSSL's; each has one owner. Use a key on one thread only, because its
// context changes.
internal import CSlipcastCrypto

/// A public key on P-256, ready to check signatures of the algorithm ES256 (RFC 7518 section 3.4).
package final class ES256Key {
  private let key: OpenSSLHandle
  private let context: OpenSSLHandle

  /// The key of a certificate.
  ///
  /// - Throws: `Refusal` (`keyType`) for a key that is not on P-256.
  convenience init(of certificate: Certificate) throws(Refusal) {
    try self.init(OpenSSLHandle(X509_get_pubkey(certificate.handle.pointer), free: { EVP_PKEY_free($0) }))
  }

  /// A key without a certificate, in DER (SubjectPublicKeyInfo, RFC 5280 section 4.1).
  ///
  /// - Throws: `Refusal` (`keyType`) for other bytes or a key that is not on P-256.
  package convenience init(publicKey der: [UInt8]) throws(Refusal) {
    let key = OpenSSLValue.parse(der) { d2i_PUBKEY(nil, $0, $1) }.object
    try self.init(OpenSSLHandle(key, free: { EVP_PKEY_free($0) }))
  }

  private init(_ key: OpenSSLHandle?) throws(Refusal) {
    guard let key else { throw OpenSSLErrors.refusal(.keyType, "the key cannot be read") }
    guard EVP_PKEY_get_base_id(key.pointer) == EVP_PKEY_EC, OpenSSLValue.curve(of: key.pointer) == "prime256v1" else {
      throw Refusal(.keyType, "expected P-256")
    }
    guard let context = OpenSSLHandle(EVP_PKEY_CTX_new(key.pointer, nil), free: { EVP_PKEY_CTX_free($0) }),
      EVP_PKEY_verify_init(context.pointer) == 1
    else { fatalError("OpenSSL cannot verify with P-256") }
    (self.key, self.context) = (key, context)
  }

  /// Checks a signature over a text.
  ///
  /// - Parameter signature: r and s, 32 bytes each, big endian (RFC 7518 section 3.4).
  /// - Throws: `Refusal` (`signatureMalformed`, `signatureMismatch`).
  package func check(_ signature: [UInt8], over text: Span<UInt8>) throws(Refusal) {
    guard signature.count == 64 else {
      throw Refusal(
        signature.isEmpty ? .signatureMissing : .signatureMalformed, "expected 64 bytes, found \(signature.count)")
    }
    let digest = Digest.sha256(text)
    let encoded = Self.encode(signature)
    let outcome = EVP_PKEY_verify(context.pointer, encoded, encoded.count, digest, digest.count)
    guard outcome == 1 else { throw OpenSSLErrors.refusal(.signatureMismatch) }
  }

  /// The DER form (RFC 3279 section 2.2.3) that OpenSSL expects.
  private static func encode(_ signature: [UInt8]) -> [UInt8] {
    guard let made = ECDSA_SIG_new() else { fatalError("OpenSSL has no memory for a signature") }
    defer { ECDSA_SIG_free(made) }
    let (r, s) = (BN_bin2bn(Array(signature[..<32]), 32, nil), BN_bin2bn(Array(signature[32...]), 32, nil))
    guard ECDSA_SIG_set0(made, r, s) == 1, let der = OpenSSLValue.der({ i2d_ECDSA_SIG(made, $0) }) else {
      fatalError("OpenSSL has no memory for a signature")
    }
    return der
  }
}
