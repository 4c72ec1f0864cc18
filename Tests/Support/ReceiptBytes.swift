/// Builds the content of app receipts by hand, in DER.
package enum ReceiptBytes {
  /// Tag, length in as few bytes as can be, content.
  package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
    let digits = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: content.count >> $0) }
    let length = Array(digits.drop { $0 == 0 })
    return [tag, 0x80 | UInt8(length.count)] + length + content
  }

  /// An INTEGER of as few bytes as can be.
  package static func integer(_ value: Int64) -> [UInt8] {
    var bytes = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    while bytes.count > 1, (bytes[0] == 0 && bytes[1] < 0x80) || (bytes[0] == 0xFF && bytes[1] >= 0x80) {
      bytes.removeFirst()
    }
    return element(0x02, bytes)
  }

  package static func utf8(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }
  package static func ia5(_ text: String) -> [UInt8] { element(0x16, Array(text.utf8)) }
  package static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }

  /// `SEQUENCE { type, version, value }`.
  package static func attribute(_ type: Int64, _ value: [UInt8], version: Int64 = 1) -> [UInt8] {
    element(0x30, integer(type) + integer(version) + octets(value))
  }

  /// `SET OF` attributes.
  package static func set(_ attributes: [[UInt8]]) -> [UInt8] { element(0x31, attributes.flatMap(\.self)) }

  /// One purchase with everything that a receipt can say of it.
  package static func purchase(
    product: String = "com.example.monthly", id: String = "500000000000012", type: Int64? = 3, lineItem: Int64 = 77,
    leavingOut: Set<Int64> = [], adding: [[UInt8]] = []
  ) -> [UInt8] {
    var values: [(Int64, [UInt8])] = [
      (1708, ia5("2022-04-08T09:00:00Z")), (1709, utf8("")), (1712, ia5("")), (1701, integer(1)), (1713, integer(0)),
      (1710, integer(0)), (1719, integer(1)), (1711, integer(lineItem)), (1703, utf8(id)),
      (1705, utf8("500000000000011")), (1704, ia5("2022-03-08T09:00:00Z")), (1706, ia5("2022-03-01T09:00:01Z")),
      (1702, utf8(product)),
    ]
    if let type { values.append((1707, integer(type))) }
    let kept = values.filter { !leavingOut.contains($0.0) }.map { attribute($0.0, $0.1) }
    return attribute(17, set(kept + adding))
  }

  /// The content as signed data without a signer (RFC 5652 section 5.1): it can be read and never be trusted.
  package static func message(_ content: [UInt8]) -> [UInt8] {
    func name(_ last: UInt8) -> [UInt8] { element(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, last]) }
    let inner = element(0x30, name(1) + element(0xA0, octets(content)))
    let signed = element(0x30, integer(1) + element(0x31, []) + inner + element(0x31, []))
    return element(0x30, name(2) + element(0xA0, signed))
  }

  package static let opaque: [UInt8] = Array(0x10..<0x20)

  /// A whole receipt.
  package static func receipt(
    type: String = "ProductionSandbox", leavingOut: Set<Int64> = [], adding: [[UInt8]] = []
  ) -> [UInt8] {
    let values: [(Int64, [UInt8])] = [
      (8, ia5("")), (20, utf8("")), (1, integer(0)), (3, utf8("42")), (15, integer(0)), (16, integer(0)),
      (10, ia5("4+")), (19, utf8("1.0")), (0, utf8(type)), (5, [UInt8](repeating: 0xA5, count: 20)),
      (2, utf8("com.example.slipcast")), (12, ia5("2022-03-21T10:00:00Z")), (18, ia5("2013-08-01T07:00:00Z")),
    ]
    let kept = values.filter { !leavingOut.contains($0.0) }.map { attribute($0.0, $0.1) }
    let salt = leavingOut.contains(4) ? [] : [attribute(4, opaque, version: 2)]
    return set(kept + salt + adding)
  }
}
