internal import CSlipcastCrypto

/// Digests, by OpenSSL.
package enum Digest {
  private static let algorithm256 = algorithm("SHA256")
  private static let algorithm1 = algorithm("SHA1")

  private static func algorithm(_ name: String) -> OpenSSLHandle {
    guard let algorithm = OpenSSLHandle(EVP_MD_fetch(nil, name, nil), free: { EVP_MD_free($0) }) else {
      fatalError("OpenSSL has no \(name)")
    }
    return algorithm
  }

  static func sha256(_ bytes: [UInt8]) -> [UInt8] { sha256(bytes.span) }

  static func sha256(_ text: Span<UInt8>) -> [UInt8] { OpenSSLValue.digest(text, algorithm256, size: 32) }

  /// SHA-1 (FIPS 180-4): for the device hash and the signatures of old receipts only.
  package static func sha1(_ bytes: [UInt8]) -> [UInt8] { OpenSSLValue.digest(bytes.span, algorithm1, size: 20) }
}
