/// Where the legacy JSON of a receipt comes from.
struct ReceiptSource: Sendable {
  /// Reads a receipt: its bytes, base64 that may be wrapped, or an iOS 6 receipt in base64.
  ///
  /// The error's path and offset are those inside the receipt; the caller says where the receipt itself stands.
  var decode: @Sendable (UnsafeBufferPointer<UInt8>) throws(RowError) -> [UInt8] = {
    _ throws(RowError) in
    throw RowError(
      code: "receiptUnsupported", path: "", offset: 0,
      description: "expected JSON, found an app receipt; receipts cannot be read yet")
  }

  /// What `verifyReceipt` would have answered, as far as the receipt tells it.
  func legacyJSON(of bytes: UnsafeBufferPointer<UInt8>) throws(RowError) -> [UInt8] { try decode(bytes) }
}
