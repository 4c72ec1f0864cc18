internal import CSlipcastCrypto

/// One attribute of a receipt: `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
///
/// Source: Apple, "Validating receipts on the device".
package struct ReceiptAttribute: Hashable, Sendable {
  /// The attribute's number.
  package var type: Int64
  /// The version of its form.
  package var version: Int64
  /// The bytes of the value: mostly another ASN.1 value; a part of the bytes that were read, where they are in one piece.
  package var value: ArraySlice<UInt8>

  /// The attributes of a receipt's content or of a purchase inside it, in their order.
  ///
  /// - Throws: `Refusal` (`receiptMalformed`) with the byte at fault and what was expected.
  package static func all(in content: [UInt8]) throws(Refusal) -> [ReceiptAttribute] {
    var attributes: [ReceiptAttribute] = []
    try forEach(in: content[...]) { attribute throws(Refusal) in attributes.append(attribute) }
    return attributes
  }

  /// Visits the attributes one after another: a receipt may have a million of them.
  ///
  /// - Throws: as `all`, and the errors of the function.
  package static func forEach(
    in content: ArraySlice<UInt8>, _ visit: (ReceiptAttribute) throws(Refusal) -> Void
  ) throws(Refusal) {
    let inner: ASN1Reader.Octets? = try parse(content) { reader throws(ASN1Reader.Fault) in
      guard reader.isAtOctets else { return nil }
      // Observed in real receipts: the set inside one more octet string.
      let inner = try reader.octets("a SET of attributes")
      guard reader.isAtEnd else { throw ASN1Reader.Fault(offset: reader.at, expected: "the end of the attributes") }
      return inner
    }
    switch inner {
    case nil: try visitSet(content, visit)
    case .whole(let range): try visitSet(content.part(range), visit)
    case .joined(let octets): try visitSet(octets[...], visit)
    }
  }

  private static func visitSet(
    _ content: ArraySlice<UInt8>, _ visit: (ReceiptAttribute) throws(Refusal) -> Void
  ) throws(Refusal) {
    var rest: Range<Int> = try parse(content) { reader throws(ASN1Reader.Fault) in
      let set = try reader.next(V_ASN1_SET, constructed: true, "a SET of attributes")
      guard reader.isAtEnd else { throw ASN1Reader.Fault(offset: reader.at, expected: "the end of the attributes") }
      return set.content
    }
    while !rest.isEmpty {
      try visit(
        try parse(content) { reader throws(ASN1Reader.Fault) in
          var items = ASN1Reader(reader.bytes, rest)
          defer { rest = items.at..<items.end }
          return try next(&items, in: content)
        })
    }
  }

  private static func next(
    _ items: inout ASN1Reader, in content: ArraySlice<UInt8>
  ) throws(ASN1Reader.Fault) -> ReceiptAttribute {
    let item = try items.next(V_ASN1_SEQUENCE, constructed: true, "an attribute, a SEQUENCE")
    var members = ASN1Reader(items.bytes, item.content)
    let type = try members.integer("the type of an attribute, an INTEGER of at most 8 bytes")
    let version = try members.integer("the version of an attribute, an INTEGER of at most 8 bytes")
    let octets = try members.octets("the value of an attribute, an OCTET STRING")
    guard members.isAtEnd else { throw ASN1Reader.Fault(offset: members.at, expected: "the end of the attribute") }
    let value: ArraySlice<UInt8>
    switch octets {
    case .whole(let range): value = content.part(range)
    case .joined(let octets): value = octets[...]
    }
    return ReceiptAttribute(type: type, version: version, value: value)
  }

  /// Reads from the start of some bytes.
  private static func parse<Result>(
    _ content: ArraySlice<UInt8>, _ read: (inout ASN1Reader) throws(ASN1Reader.Fault) -> Result
  ) throws(Refusal) -> Result {
    do throws(ASN1Reader.Fault) {
      var reader = ASN1Reader(content)
      return try read(&reader)
    } catch {
      throw Refusal(.receiptMalformed, "byte \(error.offset): expected \(error.expected)")
    }
  }

  /// The value as one ASN.1 text or number; `nil` for other bytes, or trailing bytes.
  package var decoded: Decoded? {
    var reader = ASN1Reader(value)
    guard let inner = try? reader.next(), reader.isAtEnd, !inner.isConstructed else { return nil }
    let content = value.part(inner.content)
    switch inner.tag {
    case V_ASN1_UTF8STRING: return .utf8(Array(content))
    case V_ASN1_IA5STRING: return .ia5(Array(content))
    case V_ASN1_INTEGER: return ASN1Text.integer(content).map(Decoded.integer)
    default: return nil
    }
  }

  /// The content of the value.
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
