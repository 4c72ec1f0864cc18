internal import CSlipcastCrypto

/// A digest that OpenSSL computes of bytes in pieces; for one thread.
final class DigestContext {
  private let context: OpaquePointer
  private let algorithm: OpaquePointer

  init(_ name: String) {
    guard let context = EVP_MD_CTX_new(), let algorithm = EVP_MD_fetch(nil, name, nil) else {
      fatalError("OpenSSL has no \(name), or no memory for it")
    }
    (self.context, self.algorithm) = (context, algorithm)
    begin()
  }

  deinit {
    EVP_MD_CTX_free(context)
    EVP_MD_free(algorithm)
  }

  /// Starts again.
  func begin() { check(EVP_DigestInit_ex(context, algorithm, nil)) }

  func add(_ bytes: Span<UInt8>) {
    check(bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) })
  }

  /// The first 16 bytes of the digest as two numbers; then `begin` has to come.
  func finish() -> (high: UInt64, low: UInt64) {
    var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    check(
      withUnsafeMutableBytes(of: &digest) { raw in
        EVP_DigestFinal_ex(context, raw.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
      })
    return (UInt64(bigEndian: digest.0), UInt64(bigEndian: digest.1))
  }

  /// The digest so far; more may follow.
  var bytes: [UInt8] {
    guard let copy = EVP_MD_CTX_new() else { fatalError("no memory for a digest") }
    defer { EVP_MD_CTX_free(copy) }
    var bytes = [UInt8](repeating: 0, count: Int(EVP_MD_get_size(algorithm)))
    check(EVP_MD_CTX_copy_ex(copy, context))
    check(EVP_DigestFinal_ex(copy, &bytes, nil))
    return bytes
  }

  private func check(_ result: Int32) {
    guard result == 1 else { fatalError("OpenSSL could not compute a digest") }
  }
}
