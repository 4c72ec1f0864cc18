// Unsafe on purpose: OpenSSL reads arrays in place; the context has one owner.
internal import CSlipcastCrypto

/// Signatures of receipts: RSA PKCS #1 v1.5 (RFC 8017 section 8.2).
enum RSASignature {
  enum Digest {
    case sha1, sha256
  }

  /// Checks a signature with the key of a certificate.
  ///
  /// - Throws: `Refusal` (`keyType`, `signatureMismatch`).
  static func check(
    _ signature: [UInt8], over text: [UInt8], by certificate: Certificate, _ digest: Digest
  ) throws(Refusal) {
    let key = try key(of: certificate)
    guard let context = OpenSSLHandle(EVP_MD_CTX_new(), free: { EVP_MD_CTX_free($0) }),
      EVP_DigestVerifyInit(context.pointer, nil, digest == .sha1 ? EVP_sha1() : EVP_sha256(), nil, key) == 1
    else { throw Refusal(.keyType, OpenSSLErrors.take()) }
    let outcome = EVP_DigestVerify(context.pointer, signature, signature.count, text, text.count)
    guard outcome == 1 else { throw OpenSSLErrors.refusal(.signatureMismatch) }
  }

  /// The key of a certificate, which owns it.
  ///
  /// - Throws: `Refusal` (`keyType`) for a key that is not RSA.
  static func key(of certificate: Certificate) throws(Refusal) -> OpaquePointer {
    guard let key = X509_get0_pubkey(certificate.handle.pointer), EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
      throw OpenSSLErrors.refusal(.keyType, "expected RSA")
    }
    return key
  }
}
