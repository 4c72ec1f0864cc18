internal import CSlipcastCrypto

/// One attribute of a receipt: `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
///
/// Source: Apple, "Validating receipts on the device".
package struct ReceiptAttribute: Hashable, Sendable {
  package var type: Int64
  package var version: Int64
  /// The bytes of the value: mostly another ASN.1 value; a part of the bytes that were read, where they are in one piece.
  package var value: ArraySlice<UInt8>

  /// Visits the attributes of a receipt's content or of a purchase inside it, in their order: a receipt may have a million
  /// of them.
  ///
  /// - Throws: `Refusal` (`receiptMalformed`) with the byte at fault and what was expected, and the errors of the function.
  package static func forEach(
    in content: ArraySlice<UInt8>, _ visit: (ReceiptAttribute) throws(Refusal) -> Void
  ) throws(Refusal) {
    var reader = ASN1Reader(content)
    guard reader.isAtOctets else { return try visitSet(content, visit) }
    // Observed in real receipts: the set inside one more octet string.
    let inner = try reader.octets("a SET of attributes")
    try reader.requireEnd("the end of the attributes")
    try visitSet(inner, visit)
  }

  private static func visitSet(
    _ content: ArraySlice<UInt8>, _ visit: (ReceiptAttribute) throws(Refusal) -> Void
  ) throws(Refusal) {
    var reader = ASN1Reader(content)
    let set = try reader.next(V_ASN1_SET, constructed: true, "a SET of attributes")
    try reader.requireEnd("the end of the attributes")
    var items = reader.members(of: set)
    while !items.isAtEnd {
      let item = try items.next(V_ASN1_SEQUENCE, constructed: true, "an attribute, a SEQUENCE")
      var members = items.members(of: item)
      let type = try members.integer("the type of an attribute, an INTEGER of at most 8 bytes")
      let version = try members.integer("the version of an attribute, an INTEGER of at most 8 bytes")
      let value = try members.octets("the value of an attribute, an OCTET STRING")
      try members.requireEnd("the end of the attribute")
      try visit(ReceiptAttribute(type: type, version: version, value: value))
    }
  }

  /// The value as one ASN.1 text or number; `nil` for other bytes, or trailing bytes.
  package var decoded: Decoded? {
    var reader = ASN1Reader(value)
    guard let inner = try? reader.next(), reader.isAtEnd, !inner.isConstructed else { return nil }
    let content = reader.content(of: inner)
    switch inner.tag {
    case V_ASN1_UTF8STRING: return .utf8(Array(content))
    case V_ASN1_IA5STRING: return .ia5(Array(content))
    case V_ASN1_INTEGER: return ASN1Reader.integer(content).map(Decoded.integer)
    default: return nil
    }
  }

  package enum Decoded: Hashable, Sendable {
    /// UTF8String; its bytes may still be no UTF-8.
    case utf8([UInt8])
    /// IA5String.
    case ia5([UInt8])
    /// INTEGER.
    case integer(Int64)

    /// The text, without NUL and in UTF-8 or, for IA5String, ASCII; `nil` for numbers and other bytes.
    package var text: String? {
      switch self {
      case .integer: nil
      case .utf8(let bytes): bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
      case .ia5(let bytes): bytes.allSatisfy { 1...0x7F ~= $0 } ? String(decoding: bytes, as: UTF8.self) : nil
      }
    }
  }
}
