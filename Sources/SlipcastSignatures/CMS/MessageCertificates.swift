internal import CSlipcastCrypto

/// The certificates of a signed message, and the message without them.
///
/// OpenSSL 3.0 decodes the key of every certificate that it reads. This takes several times as long as the rest of a
/// receipt, and receipts of one signer contain the same certificates. So the certificates are read once, and
/// separately. They are not part of the signed content (RFC 5652 section 5.4).
struct MessageCertificates {
  /// The content of the field `certificates`: certificates one after another, in DER.
  let certificates: [UInt8]
  let message: [UInt8]

  /// `nil` for a message without certificates, or not in DER as App Store receipts are: it is to be read as it is.
  ///
  /// ContentInfo `SEQUENCE { OID, [0] SEQUENCE { INTEGER, SET, SEQUENCE, [0] certificates, … } }` (RFC 5652 section 5.1).
  init?(_ bytes: [UInt8]) {
    let parts = Self.split(bytes.span)
    guard let (levels, field, content) = parts else { return nil }
    var inner = Array(bytes[levels[2].content.lowerBound..<field.lowerBound] + bytes[field.upperBound...])
    // From the inside out: each header is rewritten with the shorter length.
    for (depth, level) in levels.enumerated().reversed() {
      let before = depth == 0 ? [] : Array(bytes[levels[depth - 1].content.lowerBound..<level.start])
      inner = before + [bytes[level.start]] + Self.length(inner.count) + inner
    }
    (certificates, message) = (Array(bytes[content]), inner)
  }

  /// The certificates, each separately.
  ///
  /// - Throws: `Refusal` (`certificateUnreadable`) for bytes that are not a certificate.
  static func read(_ set: [UInt8]) throws(Refusal) -> [Certificate] {
    var certificates: [Certificate] = []
    var at = 0
    while at < set.count {
      guard certificates.count < 16 else { throw Refusal(.certificateCount, "expected 16 at most") }
      guard let value = Self.value(set.span, at..<set.count), value.isSequence else {
        throw Refusal(.certificateUnreadable)
      }
      let end = value.content.upperBound
      certificates.append(try Certificate(der: Array(set[at..<end])))
      at = end
    }
    return certificates
  }

  // MARK: parsing

  private static func split(
    _ bytes: Span<UInt8>
  ) -> (levels: [ASN1Value], field: Range<Int>, content: Range<Int>)? {
    guard let outer = value(bytes, 0..<bytes.count), outer.isSequence, outer.content.upperBound == bytes.count,
      let type = value(bytes, outer.content), type.tag == V_ASN1_OBJECT,
      let explicit = value(bytes, type.content.upperBound..<outer.content.upperBound), explicit.isContext0,
      explicit.content.upperBound == outer.content.upperBound,
      let data = value(bytes, explicit.content), data.isSequence,
      data.content.upperBound == explicit.content.upperBound
    else { return nil }
    var at = data.content.lowerBound
    for tag in [V_ASN1_INTEGER, V_ASN1_SET, V_ASN1_SEQUENCE] {
      guard let field = value(bytes, at..<data.content.upperBound), field.kind == V_ASN1_UNIVERSAL, field.tag == tag
      else { return nil }
      at = field.content.upperBound
    }
    guard let field = value(bytes, at..<data.content.upperBound), field.isContext0, !field.content.isEmpty else {
      return nil
    }
    return ([outer, explicit, data], field.start..<field.content.upperBound, field.content)
  }

  /// The value at the start of a range; `nil` for an indefinite length or one beyond the range.
  private static func value(_ bytes: Span<UInt8>, _ range: Range<Int>) -> ASN1Value? {
    ASN1Value(bytes, range).flatMap { $0.isIndefinite ? nil : $0 }
  }

  /// A definite length in its shortest form (X.690 section 10.1).
  private static func length(_ count: Int) -> [UInt8] {
    guard count >= 128 else { return [UInt8(count)] }
    let digits = (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }.drop { $0 == 0 }
    return [0x80 | UInt8(digits.count)] + digits
  }
}

extension ASN1Value {
  fileprivate var isSequence: Bool { kind == V_ASN1_UNIVERSAL && tag == V_ASN1_SEQUENCE && isConstructed }
  fileprivate var isContext0: Bool { kind == V_ASN1_CONTEXT_SPECIFIC && tag == 0 && isConstructed }
}
