internal import CSlipcastCrypto

/// Makes name-based UUIDs, version 5 (RFC 9562 section 5.5), with OpenSSL's SHA-1; use it on one thread only.
package final class SHA1UUID {
  private let context: OpaquePointer
  private let algorithm: OpaquePointer
  private let namespace: [UInt8]

  /// - Parameter namespace: the 16 bytes of the namespace UUID.
  package init(namespace: [UInt8]) {
    precondition(namespace.count == 16, "a namespace is a UUID of 16 bytes")
    guard let context = EVP_MD_CTX_new(), let algorithm = EVP_MD_fetch(nil, "SHA1", nil) else {
      fatalError("OpenSSL has no SHA-1, or no memory for it")
    }
    self.context = context
    self.algorithm = algorithm
    self.namespace = namespace
  }

  deinit {
    EVP_MD_CTX_free(context)
    EVP_MD_free(algorithm)
  }

  /// The 16 bytes of the UUID for a name in this namespace.
  package func bytes(of name: Span<UInt8>) -> (high: UInt64, low: UInt64) {
    var digest: (UInt64, UInt64, UInt64) = (0, 0, 0)
    let done = withUnsafeMutableBytes(of: &digest) { raw in
      EVP_DigestInit_ex(context, algorithm, nil) == 1
        && EVP_DigestUpdate(context, namespace, namespace.count) == 1
        && name.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1 }
        && EVP_DigestFinal_ex(context, raw.baseAddress?.assumingMemoryBound(to: UInt8.self), nil) == 1
    }
    guard done else { fatalError("OpenSSL could not compute SHA-1") }
    let high = UInt64(bigEndian: digest.0) & ~0xF000 | 0x5000
    let low = UInt64(bigEndian: digest.1) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return (high, low)
  }
}
