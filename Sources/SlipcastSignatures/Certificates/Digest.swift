// Unsafe on purpose: OpenSSL reads the text in place and writes the digest into an array of its size.
internal import CSlipcastCrypto

/// Digests, by OpenSSL.
enum Digest {
  private static let algorithm256 = algorithm("SHA256")
  private static let algorithm1 = algorithm("SHA1")

  private static func algorithm(_ name: String) -> OpenSSLHandle {
    guard let algorithm = OpenSSLHandle(EVP_MD_fetch(nil, name, nil), free: { EVP_MD_free($0) }) else {
      fatalError("OpenSSL has no \(name)")
    }
    return algorithm
  }

  /// SHA-256 (FIPS 180-4).
  static func sha256(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBufferPointer { sha256($0) } }

  /// SHA-256 (FIPS 180-4).
  static func sha256(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] { digest(text, algorithm256, 32) }

  /// SHA-1 (FIPS 180-4): for the device hash and the signatures of old receipts only.
  static func sha1(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBufferPointer { digest($0, algorithm1, 20) } }

  private static func digest(_ text: UnsafeBufferPointer<UInt8>, _ algorithm: OpenSSLHandle, _ size: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { buffer, used in
      guard EVP_Digest(text.baseAddress, text.count, buffer.baseAddress, nil, algorithm.pointer, nil) == 1 else {
        fatalError("OpenSSL could not compute a digest")
      }
      used = size
    }
  }
}
