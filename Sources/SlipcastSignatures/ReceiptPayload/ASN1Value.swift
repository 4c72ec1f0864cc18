// Unsafe on purpose: OpenSSL reads headers in place; every position is compared with the end of the bytes.
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
    var (length, tag, kind): (Int, Int32, Int32) = (0, 0, 0)
    let read = bytes.extracting(range).withUnsafeBufferPointer { part -> (form: Int32, start: Int)? in
      var place = part.baseAddress
      let form = ASN1_get_object(&place, &length, &tag, &kind, part.count)
      guard form & 0x80 == 0, let place, let base = part.baseAddress else { return nil }
      return (form, range.lowerBound + (place - base))
    }
    guard let read, length >= 0, length <= range.upperBound - read.start else {
      _ = OpenSSLErrors.take()
      return nil
    }
    (self.kind, self.tag, start) = (kind, tag, range.lowerBound)
    isConstructed = read.form & V_ASN1_CONSTRUCTED != 0
    isIndefinite = read.form & 1 != 0
    content = read.start..<(isIndefinite ? range.upperBound : read.start + length)
  }
}
