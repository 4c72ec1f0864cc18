package import SlipcastSignatures
internal import SlipcastWire

/// A text that begins like an app receipt and is in no form that can be read.
package enum ReceiptLikeness: CustomStringConvertible {
  /// The bytes of a receipt, and what is wrong with them.
  case bytes(String)
  /// The bytes of a receipt in hexadecimal digits.
  case hexadecimal
  /// Base64 of a receipt with a character that base64 does not have.
  case damagedBase64(place: Int)
  /// Base64 that ends within a group of four characters.
  case cutOffBase64(String?)

  /// Shorter texts resemble too much.
  private static let shortest = 16

  /// Recognizes a text by its beginning; `nil` for all others.
  package init?(_ text: [UInt8]) {
    if text.count > 1, text[0] == 0x30, 0x80..<0xC0 ~= text[1] || text[1] == 0xFF {
      // No text in UTF-8 has such a byte after a digit.
      guard let damage = MessageDamage.detail(text) else { return nil }
      self = .bytes(damage)
      return
    }
    let start = text.drop(while: \.isBlank)
    guard start.count >= Self.shortest else { return nil }
    if Self.isHexadecimal(start) {
      self = .hexadecimal
      return
    }
    // Words with spaces between them are other text.
    guard start.starts(with: "MI".utf8), start.prefix(Self.shortest).allSatisfy(Base64.isCharacter) else { return nil }
    if let place = start.firstIndex(where: { !Base64.isCharacter($0) && !$0.isBlank }) {
      self = .damagedBase64(place: place)
    } else {
      let letters = start.filter { !$0.isBlank }
      let whole = Base64.decode(letters.prefix(letters.count / 4 * 4).prefix { $0 != UInt8(ascii: "=") })
      self = .cutOffBase64(whole.flatMap { MessageDamage($0)?.description })
    }
  }

  /// The fault of a record that looks so.
  package var refusal: Refusal {
    if case .bytes = self { return Refusal(.messageUnreadable, description) }
    return Refusal(.unrecognized, description)
  }

  /// What it looks like, and what to do.
  package var description: String {
    switch self {
    case .bytes(let damage): damage
    case .hexadecimal:
      "it looks like an app receipt in hexadecimal digits; expected base64 or the bytes: xxd -r -p FILE > receipt.der"
    case .damagedBase64(let place):
      "it looks like an app receipt in base64, but byte \(place) is not a character of base64"
    case .cutOffBase64(let damage):
      "it looks like an app receipt in base64 that is \(damage ?? "damaged or cut off")"
    }
  }

  /// Two digits for each byte, which may follow `0x` or `\x`, and the first byte of an ASN.1 sequence.
  private static func isHexadecimal(_ text: ArraySlice<UInt8>) -> Bool {
    var digits = text
    if text.starts(with: "0x".utf8) || text.starts(with: "\\x".utf8) { digits = text.dropFirst(2) }
    return ["3080", "3081", "3082", "3083", "3084"].contains { digits.starts(with: $0.utf8) }
      && digits.allSatisfy { $0.hexadecimalValue != nil || $0.isBlank }
  }
}
