internal import SlipcastReceipts
internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// A receipt or a token, read from its first byte to its last: it consists of what Apple's consist of, and nothing else.
enum CompleteText {
  /// A CMS message with a receipt, whose stated length is that of the bytes.
  case appReceipt
  /// A property list with the keys of a receipt of iOS 6.
  case transactionReceipt
  /// A compact JWS whose payload has known members only.
  case token

  init?(_ text: Span<UInt8>) {
    let bytes = Array(text)
    if Self.isToken(bytes) {
      self = .token
      return
    }
    guard let receipt = try? ReceiptText(bytes) else { return nil }
    switch receipt.form {
    case .appReceipt:
      guard Self.statedLength(receipt.bytes) == receipt.bytes.count, Self.holdsReceipt(receipt.bytes) else {
        return nil
      }
      self = .appReceipt
    case .transactionReceipt:
      guard case .dictionary(let members) = try? OldStylePropertyList(receipt.bytes),
        members.allSatisfy({ Self.keys.contains($0.key) })
      else { return nil }
      self = .transactionReceipt
    }
  }

  private static let keys: Set<String> = ["signature", "purchase-info", "environment", "pod", "signing-status"]

  /// The content is a set of attributes (ASN.1), as receipts are.
  private static func holdsReceipt(_ bytes: [UInt8]) -> Bool {
    guard let content = try? SignedMessage(bytes).content else { return false }
    return content.first == 0x31 && statedLength(content) == content.count
  }

  private static func isToken(_ bytes: [UInt8]) -> Bool {
    guard TextRecord.form(of: bytes.span) == .token, let token = CompactJWS(String(decoding: bytes, as: UTF8.self))
    else { return false }
    return JSONReader(names: []).parse(JSONBuffer(token.payload)) { root in
      root.kind == .object && root.children.allSatisfy { KnownNames.contains($0.name) }
    } ?? false
  }

  /// The length of an ASN.1 value with its head, where it is stated.
  private static func statedLength(_ bytes: [UInt8]) -> Int? {
    guard bytes.count > 1 else { return nil }
    let digits = Int(bytes[1]) - 0x80
    guard digits > 0 else { return digits < 0 ? 2 + Int(bytes[1]) : nil }
    guard digits <= 4, bytes.count >= 2 + digits else { return nil }
    return 2 + digits + bytes[2..<2 + digits].reduce(0) { $0 << 8 | Int($1) }
  }
}
