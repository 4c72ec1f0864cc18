/// Makes name-based UUIDs, version 5 (RFC 9562 section 5.5), with OpenSSL's SHA-1; use it on one thread only.
package final class SHA1UUID {
  private let digest = DigestContext("SHA1")
  private let namespace: [UInt8]

  /// - Parameter namespace: the 16 bytes of the namespace UUID.
  package init(namespace: [UInt8]) {
    precondition(namespace.count == 16, "a namespace is a UUID of 16 bytes")
    self.namespace = namespace
  }

  /// The 16 bytes of the UUID for a name in this namespace.
  package func bytes(of name: Span<UInt8>) -> (high: UInt64, low: UInt64) {
    let namespace = namespace
    digest.begin()
    digest.add(namespace.span)
    digest.add(name)
    let (high, low) = digest.finish()
    return (high & ~0xF000 | 0x5000, low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}
