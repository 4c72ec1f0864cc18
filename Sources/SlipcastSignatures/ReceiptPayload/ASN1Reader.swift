internal import CSlipcastCrypto

/// Reads ASN.1 values one after another (X.690): definite lengths, and octet strings in one piece or in parts.
struct ASN1Reader {
  /// One value: its tag and content.
  struct Value {
    var tag: Int32
    var isConstructed: Bool
    /// The length is indefinite; the content is then all remaining bytes.
    var isIndefinite: Bool
    /// The range of the content in the reader's bytes.
    var content: Range<Int>
    /// The start of the value.
    var start: Int
  }

  /// The fault and its position.
  struct Fault: Error {
    var offset: Int
    var expected: String
  }

  let bytes: ArraySlice<UInt8>
  private(set) var at: Int
  let end: Int

  init(_ bytes: ArraySlice<UInt8>) { self.init(bytes, 0..<bytes.count) }

  /// Reads the values in a part of the bytes.
  init(_ bytes: ArraySlice<UInt8>, _ range: Range<Int>) {
    self.bytes = bytes
    (at, end) = (range.lowerBound, range.upperBound)
  }

  var isAtEnd: Bool { at >= end }

  /// The next value of any type; only an octet string in parts may have an indefinite length.
  mutating func next() throws(Fault) -> Value {
    let value = try head()
    guard !value.isIndefinite else {
      throw Fault(offset: value.start, expected: "a value of definite length inside its container")
    }
    at = value.content.upperBound
    return value
  }

  /// Tag and length of the next value; the reader stays before it.
  private func head() throws(Fault) -> Value {
    guard at < end else { throw Fault(offset: at, expected: "a value") }
    guard let header = ASN1Header(bytes.span, at..<end), header.kind == V_ASN1_UNIVERSAL else {
      throw Fault(offset: at, expected: "a value of definite length inside its container")
    }
    let (start, length) = (header.start, header.length)
    guard length <= end - start else { throw Fault(offset: at, expected: "a value that ends in time") }
    return Value(
      tag: header.tag, isConstructed: header.isConstructed, isIndefinite: header.isIndefinite,
      content: start..<(header.isIndefinite ? end : start + length), start: at)
  }

  /// True when the next value is an octet string, in one piece or in parts.
  var isAtOctets: Bool {
    guard let value = try? head() else { return false }
    return value.tag == V_ASN1_OCTET_STRING
  }

  /// The content of an octet string.
  enum Octets {
    /// In one piece, at these positions.
    case whole(Range<Int>)
    /// In parts, which are joined here.
    case joined([UInt8])
  }

  /// The content of the next value, which must be an octet string, in one piece or in parts of one piece each.
  mutating func octets(_ expected: String) throws(Fault) -> Octets {
    guard !isAtEnd else { throw Fault(offset: at, expected: expected) }
    let value = try head()
    guard value.tag == V_ASN1_OCTET_STRING else { throw Fault(offset: at, expected: expected) }
    guard value.isConstructed else {
      at = value.content.upperBound
      return .whole(value.content)
    }
    // Nested parts are legal, but do not occur: rejecting them avoids recursion.
    var parts = ASN1Reader(bytes, value.content)
    var octets: [UInt8] = []
    while !(value.isIndefinite ? parts.takeEnd() : parts.isAtEnd) {
      octets += bytes.part(try parts.next(V_ASN1_OCTET_STRING, constructed: false, "a part of an OCTET STRING").content)
    }
    at = parts.at
    return .joined(octets)
  }

  /// Skips the two zero bytes that end an indefinite length, if they are next.
  private mutating func takeEnd() -> Bool {
    guard end - at >= 2, bytes.span[at] == 0, bytes.span[at + 1] == 0 else { return false }
    at += 2
    return true
  }

  /// The next value, which must have a tag.
  mutating func next(_ tag: Int32, constructed: Bool, _ expected: String) throws(Fault) -> Value {
    guard !isAtEnd else { throw Fault(offset: at, expected: expected) }
    let start = at
    let value = try next()
    guard value.tag == tag, value.isConstructed == constructed else { throw Fault(offset: start, expected: expected) }
    return value
  }

  /// The next value, which must be an INTEGER of at most eight bytes.
  mutating func integer(_ expected: String) throws(Fault) -> Int64 {
    let value = try next(V_ASN1_INTEGER, constructed: false, expected)
    guard let number = ASN1Text.integer(bytes.part(value.content)) else {
      throw Fault(offset: value.start, expected: expected)
    }
    return number
  }
}

extension ArraySlice<UInt8> {
  /// The bytes at positions that are counted from the start of the slice.
  func part(_ range: Range<Int>) -> ArraySlice<UInt8> {
    self[(startIndex + range.lowerBound)..<(startIndex + range.upperBound)]
  }
}

/// Values of single ASN.1 types.
package enum ASN1Text {
  /// A number of one to eight bytes, two's complement (X.690 section 8.3); more digits than needed are allowed.
  package static func integer(_ content: some Collection<UInt8>) -> Int64? {
    guard let first = content.first, content.count <= 8 else { return nil }
    return content.reduce(first >= 0x80 ? -1 : 0) { $0 << 8 | Int64($1) }
  }
}
