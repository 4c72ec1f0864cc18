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
      let raw = Self.raw(der[..<count])
    else { throw SigningError(.cryptography(detail: OpenSSLErrors.take())) }
    return raw
  }

  /// The signature of a text.
  func signature(of input: [UInt8]) throws(SigningError) -> [UInt8] {
    try signature(of: input.span)
  }

  /// The two numbers of a signature in DER (RFC 3279 section 2.2.3), 32 bytes each; `nil` for other bytes.
  private static func raw(_ der: ArraySlice<UInt8>) -> [UInt8]? {
    guard der.count > 2, der[0] == 0x30, Int(der[1]) == der.count - 2 else { return nil }
    var at = 2
    var raw = [UInt8](repeating: 0, count: 64)
    for end in [32, 64] {
      guard at + 2 <= der.count, der[at] == 2, at + 2 + Int(der[at + 1]) <= der.count else { return nil }
      var number = der[(at + 2)..<(at + 2 + Int(der[at + 1]))]
      at = number.endIndex
      // A sign byte precedes a number whose first bit is set.
      while number.count > 32, number.first == 0 { number = number.dropFirst() }
      guard number.count <= 32 else { return nil }
      raw.replaceSubrange(end - number.count..<end, with: number)
    }
    return at == der.count ? raw : nil
  }
}
