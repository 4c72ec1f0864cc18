// Unsafe on purpose: OpenSSL writes the digest into an array of its size.
internal import CSlipcastCrypto

/// Digests, by OpenSSL.
enum Digest {
  /// SHA-256 (FIPS 180-4).
  static func sha256(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha256(), 32) }

  /// SHA-1 (FIPS 180-4): for the device hash and the signatures of old receipts only.
  static func sha1(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha1(), 20) }

  private static func digest(_ bytes: [UInt8], _ algorithm: OpaquePointer?, _ size: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { buffer, used in
      let isDone = bytes.withUnsafeBytes { text in
        EVP_Digest(text.baseAddress, text.count, buffer.baseAddress, nil, algorithm, nil) == 1
      }
      guard isDone else { fatalError("OpenSSL could not compute a digest") }
      used = size
    }
  }
}
