internal import SlipcastReceipts
internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

extension RejectText {
  /// Whether a text is a receipt or a token, read from its first byte to its last: it consists of what Apple's consist
  /// of, and nothing else.
  ///
  /// - A CMS message with a receipt, whose stated length is that of the bytes.
  /// - A property list with the keys of a receipt of iOS 6.
  /// - A compact JWS whose payload has known members only.
  static func isComplete(_ text: Span<UInt8>) -> Bool {
    let bytes = Array(text)
    if isToken(bytes) { return true }
    guard let receipt = try? ReceiptText(bytes) else { return false }
    switch receipt.form {
    case .appReceipt: return isWhole(receipt.bytes) && holdsReceipt(receipt.bytes)
    case .transactionReceipt:
      guard case .dictionary(let members) = try? OldStylePropertyList(receipt.bytes) else { return false }
      return members.allSatisfy { receiptKeys.contains($0.key) }
    }
  }

  private static let receiptKeys: Set<String> = ["signature", "purchase-info", "environment", "pod", "signing-status"]

  /// The length that the bytes state is theirs.
  private static func isWhole(_ bytes: [UInt8]) -> Bool { ASN1Head(bytes.span)?.whole == bytes.count }

  /// The content is a set of attributes (ASN.1), as receipts are.
  private static func holdsReceipt(_ bytes: [UInt8]) -> Bool {
    guard let content = try? SignedMessage(bytes).content else { return false }
    return content.first == 0x31 && isWhole(content)
  }

  private static func isToken(_ bytes: [UInt8]) -> Bool {
    guard TextRecord.form(of: bytes.span) == .token, let token = CompactJWS(bytes.span)
    else { return false }
    return JSONReader(names: []).parse(JSONBuffer(token.payload)) { root in
      root.kind == .object && root.children.allSatisfy { KnownNames.contains($0.name) }
    } ?? false
  }
}
