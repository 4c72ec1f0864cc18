// Unsafe on purpose: contexts are OpenSSL's; see `OpenSSLHandle`.
internal import CSlipcastCrypto

/// Signs with a private key on P-256 as the algorithm ES256 requires; for one thread at a time.
final class ES256Signer {
  private let context: OpenSSLHandle?
  /// The digest of the common start of all texts, and a copy of it that continues with one text.
  private let (start, digest): (OpenSSLHandle?, OpenSSLHandle?)
  private static let (hashSize, derSize) = (32, 128)

  /// - Parameter start: how all texts start that will be signed; it is digested once.
  init(_ key: PrivateKey, start: [UInt8] = []) {
    let context = OpenSSLHandle(
      EVP_PKEY_CTX_new_from_pkey(nil, key.handle.pointer, nil), free: { EVP_PKEY_CTX_free($0) })
    let isReady =
      context.map {
        EVP_PKEY_sign_init($0.pointer) == 1 && EVP_PKEY_CTX_set_signature_md($0.pointer, EVP_sha256()) == 1
      } ?? false
    self.context = isReady ? context : nil
    let state = OpenSSLHandle(EVP_MD_CTX_new(), free: { EVP_MD_CTX_free($0) })
    let isStarted =
      state.map {
        EVP_DigestInit_ex($0.pointer, EVP_sha256(), nil) == 1 && EVP_DigestUpdate($0.pointer, start, start.count) == 1
      } ?? false
    self.start = isStarted ? state : nil
    digest = OpenSSLHandle(EVP_MD_CTX_new(), free: { EVP_MD_CTX_free($0) })
  }

  /// ECDSA on P-256 with SHA-256, as the 64 bytes r ‖ s (RFC 7518 section 3.4).
  ///
  /// - Parameter rest: the text after its common start.
  func signature(of rest: Span<UInt8>) throws(SigningError) -> [UInt8] {
    var (hash, der) = ([UInt8](repeating: 0, count: Self.hashSize), [UInt8](repeating: 0, count: Self.derSize))
    var count = Self.derSize
    guard let context, let start, let digest, EVP_MD_CTX_copy_ex(digest.pointer, start.pointer) == 1,
      OpenSSLValue.add(rest, to: digest),
      EVP_DigestFinal_ex(digest.pointer, &hash, nil) == 1,
      EVP_PKEY_sign(context.pointer, &der, &count, hash, Self.hashSize) == 1,
      let raw = Self.raw(Array(der[..<count]))
    else { throw SigningError(.cryptography(detail: OpenSSLErrors.take())) }
    return raw
  }

  func signature(of input: [UInt8]) throws(SigningError) -> [UInt8] {
    try signature(of: input.span)
  }

  /// The two numbers of a signature in DER (RFC 3279 section 2.2.3), 32 bytes each; `nil` for other bytes.
  private static func raw(_ der: [UInt8]) -> [UInt8]? {
    let parsed = OpenSSLValue.parse(der) { d2i_ECDSA_SIG(nil, $0, $1) }
    guard let signature = OpenSSLHandle(parsed.object, free: { ECDSA_SIG_free($0) }), parsed.rest == 0 else {
      return nil
    }
    defer { withExtendedLifetime(signature) {} }
    var (r, s) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
    guard BN_bn2binpad(ECDSA_SIG_get0_r(signature.pointer), &r, 32) == 32,
      BN_bn2binpad(ECDSA_SIG_get0_s(signature.pointer), &s, 32) == 32
    else { return nil }
    return r + s
  }
}
