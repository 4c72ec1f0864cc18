internal import SlipcastWire

/// What the first bytes of a broken message show about the damage.
package struct MessageDamage: CustomStringConvertible {
  /// The number of bytes of the whole message according to its header.
  private let stated: Int?
  private let count: Int

  /// Compares the length in the header with the bytes that are there; `nil` for bytes that begin unlike a message, and
  /// for a length that is not larger.
  package init?(_ bytes: [UInt8]) {
    // No receipt is short, or so long that its length has more than four bytes: such a header is broken.
    guard bytes.first == 0x30, let head = ASN1Head(bytes.span), head.isLong else { return nil }
    count = bytes.count
    stated = head.whole
    if let stated, stated <= count { return nil }
  }

  /// The numbers of bytes.
  package var description: String {
    stated.map { "cut off: its header states \($0) bytes, \(count) of them are there" }
      ?? "cut off within its header, after \(count) bytes"
  }

  /// Describes bytes that cannot be parsed.
  ///
  /// - Parameter reason: that of the parser.
  package static func detail(_ bytes: [UInt8], _ reason: String? = nil) -> String? {
    guard bytes.count > 1, bytes[0] == 0x30, bytes[1] >= 0x80 else { return reason }
    if let damage = MessageDamage(bytes) { return "a binary receipt that is \(damage)" }
    return "it begins like a binary receipt, in DER or BER, and is broken" + (reason.map { ": \($0)" } ?? "")
  }
}
