@_spi(Slipcast) import SlipcastWire

@testable import SlipcastBulk

/// Records that are no JSON; the receipts are made up: a head like that of real ones, then JSON.
enum TextSample {
  /// A line that looks like a signed token.
  static func token(_ number: Int, length: Int = 200) -> String {
    let head = "eyJhbGciOiJFUzI1NiJ9." + Base64.encodeURL(#"{"transactionId":"\#(number)"}"#.utf8) + "."
    return head + String(repeating: "A-_z", count: max(0, length - head.utf8.count) / 4 + 1)
  }

  private static let mark: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]

  /// The bytes of an app receipt that says a record.
  static func receipt(_ record: String) -> [UInt8] {
    let content = mark + Array(withoutSecret(record).utf8)
    let length = [16, 8, 0].map { UInt8(content.count >> $0 & 255) }
    let size = content.count < 256 ? 1 : content.count < 65_536 ? 2 : 3
    return [0x30, 0x80 + UInt8(size)] + length.suffix(size) + content
  }

  /// Receipts contain no shared secret.
  private static func withoutSecret(_ record: String) -> String {
    record.replacing(#/"password"\s*:\s*"[^"]*",?\s*/#, with: "")
  }

  /// An app receipt in base64, on one line.
  static func base64(_ record: String) -> String { Base64.encode(receipt(record)) }

  /// An iOS 6 receipt begins as these property lists do; here the record follows.
  private static func oldHead(_ space: String) -> String {
    "{\(space)\"signature\" = \"\"; \"purchase-info\" = \"\";\n}"
  }

  /// An iOS 6 receipt in base64.
  static func old(_ record: String) -> String {
    Base64.encode((oldHead(record.hasPrefix("{ ") ? " " : "\n") + withoutSecret(record)).utf8)
  }

  static func wrapped(_ text: String, _ width: Int, feed: String = "\n") -> String {
    let bytes = Array(text.utf8)
    return stride(from: 0, to: bytes.count, by: width).map { start in
      String(decoding: bytes[start..<min(start + width, bytes.count)], as: UTF8.self)
    }.joined(separator: feed)
  }

  /// Reads the receipts of this file.
  static let source: RowReader.ReceiptReading = { bytes throws(RecordFault) in
    let binary = bytes.first == 0x30 ? Array(bytes) : Base64.decode(bytes) ?? []
    for head in [oldHead(" "), oldHead("\n")] where binary.starts(with: head.utf8) {
      return Array(binary.dropFirst(head.utf8.count))
    }
    let head = 2 + Int(binary.count > 1 ? binary[1] & 15 : 0)
    guard binary.count > head + mark.count, Array(binary[head..<head + mark.count]) == mark else {
      throw RecordFault(stage: .row, code: "receiptBroken", path: "content", offset: 7, message: "no receipt")
    }
    return Array(binary[(head + mark.count)...])
  }
}
