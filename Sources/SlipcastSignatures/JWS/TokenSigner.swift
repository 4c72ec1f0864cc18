@_spi(Slipcast) internal import SlipcastWire

/// The signer of a token according to its header: the embedded certificates, and the results of their checks.
final class TokenSigner {
  /// The certificates of `x5c` that can be read, the signer's first.
  let certificates: [Certificate]
  let key: ES256Key
  /// The chain to a root; reused for tokens of its validity, built again for others.
  private var path: CertificatePath?
  private let anchors: TrustAnchors

  /// Reads the header segment of a token (RFC 7515 section 4).
  ///
  /// - Throws: `Refusal` for another header than Apple's.
  init(header segment: Span<UInt8>, anchors: TrustAnchors) throws(Refusal) {
    guard let text = Base64.decode(segment, .url) else { throw Refusal(.headerUnreadable) }
    let header = try JWSHeader(text)
    guard let list = header.x5c, !list.isEmpty else { throw Refusal(.certificatesMissing) }
    guard list.count == 3 else { throw Refusal(.certificateCount, "exactly three in x5c, found \(list.count)") }
    // The third one is ignored: the root is the caller's, whatever the header contains.
    var certificates: [Certificate] = []
    for (place, item) in list.prefix(2).enumerated() { certificates.append(try Self.certificate(item, place)) }
    self.certificates = certificates
    self.anchors = anchors
    key = try ES256Key(of: certificates[0])
  }

  private static func certificate(_ text: String?, _ place: Int) throws(Refusal) -> Certificate {
    guard let text, let der = Base64.decode(text.utf8, .strict) else {
      throw Refusal(.certificateUnreadable, "x5c[\(place)] is not base64")
    }
    do throws(Refusal) {
      return try Certificate(der: der)
    } catch {
      throw Refusal(.certificateUnreadable, "x5c[\(place)]")
    }
  }

  /// The chain to a trusted root as of a time.
  ///
  /// - Throws: `Refusal` if it is missing.
  func path(at time: Timestamp) throws(Refusal) -> CertificatePath {
    if let path, path.validity.contains(time) { return path }
    let found = try CertificatePath.find(
      from: certificates[0], through: Array(certificates.dropFirst()), to: anchors, at: time, strength: .modern)
    path = found
    return found
  }
}
