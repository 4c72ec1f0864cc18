/// What the first bytes of a source tell about the whole of it.
enum SourceHead {
  /// So many bytes tell all that can be told.
  static let size = 40

  /// The object identifier of signed data (PKCS #7), which stands near the beginning of every app receipt.
  private static let signedData: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]

  /// No text: control characters that no text begins with, or what begins like ASN.1.
  static func isBinary(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if text.count > 1, text[0] == 0x30, text[1] >= 0x80 { return true }
    return text.prefix(size).contains { $0 < 0x09 || (0x0E..<0x20).contains($0) }
  }

  /// An app receipt in its bytes: an ASN.1 sequence that holds signed data.
  static func isReceipt(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count > 2 + signedData.count, text[0] == 0x30, text[1] >= 0x80 else { return false }
    return (2...min(25, text.count - signedData.count)).contains { place in
      text[place...].starts(with: signedData)
    }
  }
}
