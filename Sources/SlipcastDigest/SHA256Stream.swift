/// The SHA-256 (FIPS 180-4) of bytes that arrive in pieces, computed by OpenSSL.
package final class SHA256Stream {
  private let digest = DigestContext("SHA256")

  package init() {}

  package func add(_ bytes: Span<UInt8>) { digest.add(bytes) }

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
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: digest.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
