package import SlipcastMapping
public import SlipcastSignatures
internal import SlipcastWire

/// A receipt in any of its forms: binary, base64 with or without line ends, a property list.
public struct ReceiptText: Sendable {
  /// The format of the bytes.
  public enum Form: Sendable {
    /// CMS in DER or BER.
    case appReceipt
    /// An old-style property list.
    case transactionReceipt
  }

  /// The format of the bytes.
  public let form: Form
  /// The receipt itself, without base64 around it.
  public let bytes: [UInt8]

  /// Recognizes a receipt; it decodes only the base64.
  ///
  /// - Throws: `Refusal` (`empty`, `tooLarge`, `unrecognized`) for anything else.
  public init(_ text: [UInt8]) throws(Refusal) {
    let text = Array(text.dropFirst(ByteOrderMark.count(in: text)))
    guard !text.isEmpty else { throw Refusal(.empty) }
    guard text.count <= 2 * SignedMessage.limit else {
      throw Refusal(.tooLarge, "expected \(SignedMessage.limit >> 20) MiB at most")
    }
    if let form = Self.form(of: text) {
      (self.form, bytes) = (form, text)
    } else if let decoded = Base64.decode(text) ?? Base64.decode(text, .either), let form = Self.form(of: decoded) {
      (self.form, bytes) = (form, decoded)
    } else if let decoded = Self.bytes(ofDigits: text), let form = Self.form(of: decoded) {
      (self.form, bytes) = (form, decoded)
    } else {
      throw Refusal(.unrecognized, ReceiptLikeness(text)?.description)
    }
  }

  /// What a database prints as hexadecimal digits behind `\x` or `0x`.
  private static func bytes(ofDigits text: [UInt8]) -> [UInt8]? {
    let start = text.drop(while: \.isBlank)
    guard let sign = ["\\x", "\\\\x", "0x"].first(where: { start.starts(with: $0.utf8) }) else { return nil }
    let digits = start.dropFirst(sign.utf8.count)
    let solid = Array(digits.dropLast(digits.reversed().prefix(while: \.isBlank).count))
    return Hexadecimal.decode(solid.span)
  }

  private static func form(of bytes: [UInt8]) -> Form? {
    // An ASN.1 SEQUENCE in the long or the indefinite form: no text starts with a digit and such a byte.
    if bytes.count > 1, bytes[0] == 0x30, bytes[1] >= 0x80 { return .appReceipt }
    return OldStylePropertyList.isDictionary(bytes) ? .transactionReceipt : nil
  }
}

package struct ReceiptDecoder: Sendable {
  let table: ReceiptAttributeTable

  package init(rules: RuleSet) { table = ReceiptAttributeTable(rules) }

  /// The receipt as a verifyReceipt response: JSON for the legacy reader.
  ///
  /// - Throws: `Refusal` for a receipt that cannot be decoded.
  package func answer(_ text: [UInt8]) throws(Refusal) -> [UInt8] {
    let receipt = try ReceiptText(text)
    switch receipt.form {
    case .appReceipt: return try answer(content: try SignedMessage(receipt.bytes).content)
    case .transactionReceipt: return try TransactionReceipt(receipt.bytes).answer
    }
  }

  /// The same of the signed content of an app receipt.
  ///
  /// - Throws: `Refusal` for content that cannot be decoded.
  package func answer(content: [UInt8]) throws(Refusal) -> [UInt8] {
    try AppReceipt(content: content, table: table).answer
  }
}
