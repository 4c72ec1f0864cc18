// Unsafe on purpose: OpenSSL signs from and into buffers of this object; see `OpenSSLHandle`.
internal import CSlipcastCrypto

/// Signs with a private key on P-256 as the algorithm ES256 requires; for one thread at a time.
final class ES256Signer {
  private let context: OpenSSLHandle?

  init(_ key: PrivateKey) {
    let context = OpenSSLHandle(
      EVP_PKEY_CTX_new_from_pkey(nil, key.handle.pointer, nil), free: { EVP_PKEY_CTX_free($0) })
    let isReady =
      context.map {
        EVP_PKEY_sign_init($0.pointer) == 1 && EVP_PKEY_CTX_set_signature_md($0.pointer, EVP_sha256()) == 1
      } ?? false
    self.context = isReady ? context : nil
  }

  /// ECDSA on P-256 with SHA-256, as the 64 bytes r ‖ s (RFC 7518 section 3.4).
  func signature(of input: UnsafeBufferPointer<UInt8>) throws(SigningError) -> [UInt8] {
    var (digest, der) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 128))
    var count = der.count
    guard let context, EVP_Digest(input.baseAddress, input.count, &digest, nil, EVP_sha256(), nil) == 1,
      EVP_PKEY_sign(context.pointer, &der, &count, digest, digest.count) == 1,
      let raw = Self.raw(der.prefix(count))
    else { throw SigningError(.cryptography(detail: OpenSSLErrors.take())) }
    return raw
  }

  /// The signature of a text.
  func signature(of input: [UInt8]) throws(SigningError) -> [UInt8] {
    var result: Result<[UInt8], SigningError> = .failure(SigningError(.cryptography(detail: nil)))
    input.withUnsafeBufferPointer { buffer in
      do throws(SigningError) { result = .success(try signature(of: buffer)) } catch { result = .failure(error) }
    }
    return try result.get()
  }

  /// The two numbers of a signature in DER, 32 bytes each.
  private static func raw(_ der: ArraySlice<UInt8>) -> [UInt8]? {
    let parsed = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var place = bytes.baseAddress
      return d2i_ECDSA_SIG(nil, &place, bytes.count)
    }
    guard let pair = OpenSSLHandle(parsed, free: { ECDSA_SIG_free($0) }) else { return nil }
    return withExtendedLifetime(pair) {
      var isWhole = false
      let raw = [UInt8](unsafeUninitializedCapacity: 64) { buffer, used in
        guard let base = buffer.baseAddress else { return }
        isWhole =
          BN_bn2binpad(ECDSA_SIG_get0_r(pair.pointer), base, 32) == 32
          && BN_bn2binpad(ECDSA_SIG_get0_s(pair.pointer), base + 32, 32) == 32
        used = isWhole ? 64 : 0
      }
      return isWhole ? raw : nil
    }
  }
}
