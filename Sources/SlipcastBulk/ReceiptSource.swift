internal import SlipcastMapping
internal import SlipcastReceipts
internal import SlipcastSignatures
internal import SlipcastWire

/// Makes the legacy JSON of a receipt.
struct ReceiptSource: Sendable {
  /// Reads a receipt: its bytes, base64 that may be wrapped, or an iOS 6 receipt in base64.
  ///
  /// The error's path and offset are relative to the receipt; the caller adds the receipt's own position.
  private let decode: @Sendable (Span<UInt8>) throws(RowError) -> [UInt8]

  /// Reads receipts with these rules.
  init(rules: RuleSet) {
    let decoder = ReceiptDecoder(rules: rules)
    decode = { bytes throws(RowError) in
      do throws(Refusal) {
        return try decoder.answer(Array(bytes))
      } catch {
        throw RowError(code: error.reason.rawValue, path: "", offset: 0, description: error.description)
      }
    }
  }

  init(decode: @escaping @Sendable (Span<UInt8>) throws(RowError) -> [UInt8]) { self.decode = decode }

  /// The `verifyReceipt` response, as far as the receipt contains it.
  func legacyJSON(of bytes: Span<UInt8>) throws(RowError) -> [UInt8] { try decode(bytes) }
}
