internal import CSlipcastCrypto

/// Reads ASN.1 values one after another (X.690): definite lengths, and octet strings in one piece or in parts.
///
/// Its errors are refusals (`receiptMalformed`) with the byte at fault and what was expected.
struct ASN1Reader {
  private let bytes: ArraySlice<UInt8>
  private var at: Int
  private let end: Int

  init(_ bytes: ArraySlice<UInt8>) { self.init(bytes, 0..<bytes.count) }

  /// Reads the values in a part of the bytes.
  private init(_ bytes: ArraySlice<UInt8>, _ range: Range<Int>) {
    self.bytes = bytes
    (at, end) = (range.lowerBound, range.upperBound)
  }

  var isAtEnd: Bool { at >= end }

  func requireEnd(_ expected: String) throws(Refusal) {
    guard isAtEnd else { throw Self.fault(at, expected) }
  }

  private static func fault(_ offset: Int, _ expected: String) -> Refusal {
    Refusal(.receiptMalformed, "byte \(offset): expected \(expected)")
  }

  /// The next value of any type; only an octet string in parts may have an indefinite length.
  mutating func next() throws(Refusal) -> ASN1Value {
    let value = try head()
    guard !value.isIndefinite else {
      throw Self.fault(value.start, "a value of definite length inside its container")
    }
    at = value.content.upperBound
    return value
  }

  /// Tag and length of the next value; the reader stays before it.
  private func head() throws(Refusal) -> ASN1Value {
    guard !isAtEnd else { throw Self.fault(at, "a value") }
    guard let value = ASN1Value(bytes.span, at..<end), value.kind == V_ASN1_UNIVERSAL else {
      throw Self.fault(at, "a value of definite length inside its container")
    }
    return value
  }

  /// True when the next value is an octet string, in one piece or in parts.
  var isAtOctets: Bool { (try? head())?.tag == V_ASN1_OCTET_STRING }

  /// The content of the next value, which must be an octet string, in one piece or in parts of one piece each.
  mutating func octets(_ expected: String) throws(Refusal) -> ArraySlice<UInt8> {
    guard !isAtEnd else { throw Self.fault(at, expected) }
    let value = try head()
    guard value.tag == V_ASN1_OCTET_STRING else { throw Self.fault(at, expected) }
    guard value.isConstructed else {
      at = value.content.upperBound
      return content(of: value)
    }
    // Nested parts are legal, but do not occur: rejecting them avoids recursion.
    var parts = members(of: value)
    var octets: [UInt8] = []
    while !(value.isIndefinite ? parts.takeEnd() : parts.isAtEnd) {
      octets += content(of: try parts.next(V_ASN1_OCTET_STRING, constructed: false, "a part of an OCTET STRING"))
    }
    at = parts.at
    return octets[...]
  }

  /// Skips the two zero bytes that end an indefinite length, if they are next.
  private mutating func takeEnd() -> Bool {
    guard end - at >= 2, bytes.span[at] == 0, bytes.span[at + 1] == 0 else { return false }
    at += 2
    return true
  }

  mutating func next(_ tag: Int32, constructed: Bool, _ expected: String) throws(Refusal) -> ASN1Value {
    guard !isAtEnd else { throw Self.fault(at, expected) }
    let start = at
    let value = try next()
    guard value.tag == tag, value.isConstructed == constructed else { throw Self.fault(start, expected) }
    return value
  }

  /// The next value, which must be an INTEGER of at most eight bytes.
  mutating func integer(_ expected: String) throws(Refusal) -> Int64 {
    let value = try next(V_ASN1_INTEGER, constructed: false, expected)
    guard let number = Self.integer(content(of: value)) else { throw Self.fault(value.start, expected) }
    return number
  }

  /// A number of one to eight bytes, two's complement (X.690 section 8.3); more digits than needed are allowed.
  static func integer(_ content: ArraySlice<UInt8>) -> Int64? {
    guard let first = content.first, content.count <= 8 else { return nil }
    return content.reduce(first >= 0x80 ? -1 : 0) { $0 << 8 | Int64($1) }
  }

  /// A reader of the values in a value of this reader.
  func members(of value: ASN1Value) -> ASN1Reader { ASN1Reader(bytes, value.content) }

  func content(of value: ASN1Value) -> ArraySlice<UInt8> {
    bytes[(bytes.startIndex + value.content.lowerBound)..<(bytes.startIndex + value.content.upperBound)]
  }
}
