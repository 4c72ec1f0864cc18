// Unsafe on purpose: OpenSSL signs from and into buffers of this object; see `OpenSSLHandle`.
internal import CSlipcastCrypto

/// Signs with a private key on P-256 as the algorithm ES256 requires; for one thread at a time.
final class ES256Signer {
  private let context: OpenSSLHandle?
  /// The digest of the common start of all texts, and a copy of it that continues with one text.
  private let (start, digest): (OpenSSLHandle?, OpenSSLHandle?)
  private let hash = UnsafeMutablePointer<UInt8>.allocate(capacity: hashSize)
  private let der = UnsafeMutablePointer<UInt8>.allocate(capacity: derSize)
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

  deinit {
    hash.deallocate()
    der.deallocate()
  }

  /// ECDSA on P-256 with SHA-256, as the 64 bytes r ‖ s (RFC 7518 section 3.4).
  ///
  /// - Parameter rest: the text after its common start.
  func signature(of rest: UnsafeBufferPointer<UInt8>) throws(SigningError) -> [UInt8] {
    var count = Self.derSize
    guard let context, let start, let digest, EVP_MD_CTX_copy_ex(digest.pointer, start.pointer) == 1,
      EVP_DigestUpdate(digest.pointer, rest.baseAddress, rest.count) == 1,
      EVP_DigestFinal_ex(digest.pointer, hash, nil) == 1,
      EVP_PKEY_sign(context.pointer, der, &count, hash, Self.hashSize) == 1,
      let raw = Self.raw(UnsafeBufferPointer(start: der, count: count))
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

  /// The two numbers of a signature in DER (RFC 3279 section 2.2.3), 32 bytes each; `nil` for other bytes.
  private static func raw(_ der: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard der.count > 2, der[0] == 0x30, Int(der[1]) == der.count - 2 else { return nil }
    var at = 2
    var isWhole = true
    let raw = [UInt8](unsafeUninitializedCapacity: 64) { buffer, used in
      buffer.initialize(repeating: 0)
      used = 64
      for end in [32, 64] {
        guard at + 2 <= der.count, der[at] == 2, at + 2 + Int(der[at + 1]) <= der.count else { return isWhole = false }
        var number = der[(at + 2)..<(at + 2 + Int(der[at + 1]))]
        at = number.endIndex
        // A sign byte precedes a number whose first bit is set.
        while number.count > 32, number.first == 0 { number = number.dropFirst() }
        guard number.count <= 32 else { return isWhole = false }
        for (offset, byte) in number.enumerated() { buffer[end - number.count + offset] = byte }
      }
    }
    return isWhole && at == der.count ? raw : nil
  }
}
