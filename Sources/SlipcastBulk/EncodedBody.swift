@_spi(Slipcast) internal import SlipcastWire

/// JSON in base64, where a record or a receipt is expected.
enum EncodedBody {
  /// The kind of the base64's content; `nil` for a signed object, a receipt or anything else.
  static func fault(_ text: UnsafeBufferPointer<UInt8>, path: String) -> RowError? {
    guard !text.contains(UInt8(ascii: ".")), let found = content(text) else { return nil }
    return RowError(
      code: "encodedBody", path: path, offset: 0,
      description: "expected a record as JSON, found \(found) in base64; decode it first, for example with base64 -d")
  }

  private static func content(_ text: UnsafeBufferPointer<UInt8>) -> String? {
    let bytes = EncodedRuns.decode(text.filter { EncodedRuns.isLetter($0) }[...])
    guard bytes.first(where: { !BlockReader.isSpace($0) }) == UInt8(ascii: "{") else { return nil }
    func names(_ key: String) -> Bool { bytes.firstRange(of: "\"\(key)\"".utf8) != nil }
    // Receipts of iOS 6 are property lists, which start with a brace too.
    if names("signature"), names("purchase-info") { return nil }
    if names("notification_type") { return "a version 1 notification" }
    if names("signedPayload") { return "a version 2 notification" }
    if names("latest_receipt_info") || names("receipt") { return "a verifyReceipt response" }
    return names("alg") ? nil : "JSON"
  }
}
