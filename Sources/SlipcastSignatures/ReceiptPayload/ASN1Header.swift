// Unsafe on purpose: OpenSSL reads headers in place; every position is compared with the end of the bytes.
internal import CSlipcastCrypto

/// Tag and length at the start of an ASN.1 value (X.690 section 8.1).
struct ASN1Header {
  /// The class: universal, context-specific.
  let kind: Int32
  let tag: Int32
  let isConstructed: Bool
  let isIndefinite: Bool
  /// The start of the content.
  let start: Int
  /// The length of the content, which may be longer than what is there; 0 for an indefinite one.
  let length: Int

  /// Reads the header at the start of a range; `nil` for broken ones.
  init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    guard !range.isEmpty else { return nil }
    var (length, tag, kind): (Int, Int32, Int32) = (0, 0, 0)
    let read = bytes.extracting(range).withUnsafeBufferPointer { part -> (form: Int32, start: Int)? in
      var place = part.baseAddress
      let form = ASN1_get_object(&place, &length, &tag, &kind, part.count)
      guard form & 0x80 == 0, let place, let base = part.baseAddress else { return nil }
      return (form, range.lowerBound + (place - base))
    }
    guard let read, length >= 0 else {
      _ = OpenSSLErrors.take()
      return nil
    }
    (self.kind, self.tag, self.length, start) = (kind, tag, length, read.start)
    isConstructed = read.form & V_ASN1_CONSTRUCTED != 0
    isIndefinite = read.form & 1 != 0
  }
}
