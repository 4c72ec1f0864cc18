internal import CSlipcastCrypto

/// The SHA-256 (FIPS 180-4) of bytes that arrive in pieces, computed by OpenSSL.
package final class SHA256Stream {
  private let context: OpaquePointer
  private let algorithm: OpaquePointer

  package init() {
    guard let context = EVP_MD_CTX_new(), let algorithm = EVP_MD_fetch(nil, "SHA256", nil),
      EVP_DigestInit_ex(context, algorithm, nil) == 1
    else { fatalError("OpenSSL has no SHA-256, or no memory for it") }
    (self.context, self.algorithm) = (context, algorithm)
  }

  deinit {
    EVP_MD_CTX_free(context)
    EVP_MD_free(algorithm)
  }

  package func add(_ bytes: Span<UInt8>) {
    guard bytes.withUnsafeBytes({ EVP_DigestUpdate(context, $0.baseAddress, $0.count) }) == 1 else {
      fatalError("OpenSSL could not compute a digest")
    }
  }

  package func add(_ text: String) {
    var text = text
    text.withUTF8 { add($0.span) }
  }

  /// The digest of some words and their lengths, in lower-case hexadecimal.
  package static func hexadecimal(of words: [String]) -> String {
    hexadecimal(of: words.flatMap { Array("\($0.utf8.count)\n\($0)".utf8) })
  }

  /// The digest of some bytes, in lower-case hexadecimal.
  package static func hexadecimal(of bytes: [UInt8]) -> String { hexadecimal(of: bytes.span) }

  /// The number of these digits.
  package static let digits = 64

  /// The digest of some bytes, in lower-case hexadecimal.
  package static func hexadecimal(of bytes: Span<UInt8>) -> String {
    let digest = SHA256Stream()
    digest.add(bytes)
    return digest.hexadecimal
  }

  /// The digest of all bytes so far, in lower-case hexadecimal; more may follow.
  package var hexadecimal: String {
    guard let copy = EVP_MD_CTX_new() else { fatalError("no memory for a digest") }
    defer { EVP_MD_CTX_free(copy) }
    var bytes = [UInt8](repeating: 0, count: 32)
    guard EVP_MD_CTX_copy_ex(copy, context) == 1, EVP_DigestFinal_ex(copy, &bytes, nil) == 1 else {
      fatalError("OpenSSL could not compute a digest")
    }
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
