internal import CSlipcastCrypto

/// The tag of an ASN.1 value and its position in some bytes (X.690 section 8.1).
struct ASN1Value {
  let kind: Int32
  let tag: Int32
  let isConstructed: Bool
  /// The length is indefinite; the content is then all bytes up to the end of the range.
  let isIndefinite: Bool
  let start: Int
  let content: Range<Int>

  /// Reads the value at the start of a range; `nil` for a broken header, and for a value beyond the range.
  init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    guard !range.isEmpty else { return nil }
    guard let header = OpenSSLValue.header(of: bytes.extracting(range)), header.length >= 0,
      header.length <= range.count - header.size
    else {
      _ = OpenSSLErrors.take()
      return nil
    }
    (kind, tag, start) = (header.kind, header.tag, range.lowerBound)
    isConstructed = header.form & V_ASN1_CONSTRUCTED != 0
    isIndefinite = header.form & 1 != 0
    let first = range.lowerBound + header.size
    content = first..<(isIndefinite ? range.upperBound : first + header.length)
  }
}
