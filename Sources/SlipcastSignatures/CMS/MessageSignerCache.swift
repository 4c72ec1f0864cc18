internal import SlipcastWire

/// The certificates of messages met so far, the last ones first; serves one thread and one set of anchors.
///
/// Receipts of one signer bring the same certificates.
package final class MessageSignerCache {
  /// Certificates that came along with a message, and the paths last found from them.
  package final class CertificateSet {
    /// The certificates, in their order.
    package let certificates: [Certificate]
    private var paths: [Certificate: CertificatePath] = [:]

    init(_ certificates: [Certificate]) { self.certificates = certificates }

    func path(
      from signer: Certificate, to anchors: TrustAnchors, at time: Timestamp
    ) throws(Refusal) -> CertificatePath {
      if let path = paths[signer], path.validity.contains(time) { return path }
      let found = try CertificatePath.find(
        from: signer, through: certificates, to: anchors, at: time, marks: .appStore)
      paths[signer] = found
      return found
    }
  }

  private var sets: [(bytes: [UInt8], set: CertificateSet)] = []
  private static let limit = 32

  package init() {}

  /// The certificates of a message, read at their first sight.
  ///
  /// - Throws: `Refusal` for one that cannot be read.
  package func certificates(of message: SignedMessage) throws(Refusal) -> CertificateSet {
    guard let bytes = message.certificateSet else { return CertificateSet(try message.certificates()) }
    if let place = sets.firstIndex(where: { $0.bytes == bytes }) {
      if place > 0 { sets.swapAt(0, place) }
      return sets[0].set
    }
    let set = CertificateSet(try message.certificates())
    // A stream of ever new certificates must not take ever more memory.
    if sets.count == Self.limit { sets.removeLast() }
    sets.insert((bytes, set), at: 0)
    return set
  }
}
