internal import SlipcastWire

/// The certificates of earlier messages, the most recent first; for one thread and one set of anchors.
///
/// Receipts of one signer contain the same certificates.
package final class MessageSignerCache {
  /// The certificates of a message, and the chains last found from them.
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
        from: signer, through: certificates, to: anchors, at: time, marks: .appStore, strength: .sha1)
      paths[signer] = found
      return found
    }
  }

  private var sets: [(bytes: [UInt8], set: CertificateSet)] = []
  private static let limit = 32
  private static let size = 64 << 10

  package init() {}

  /// The certificates of a message, read unless they are cached.
  ///
  /// - Throws: `Refusal` for one that cannot be read.
  package func certificates(of message: SignedMessage) throws(Refusal) -> CertificateSet {
    guard let bytes = message.certificateSet else { return CertificateSet(try message.certificates()) }
    if let place = sets.firstIndex(where: { $0.bytes == bytes }) {
      if place > 0 { sets.swapAt(0, place) }
      return sets[0].set
    }
    return CertificateSet(try message.certificates())
  }

  /// Caches certificates that had a chain to a root; others are not worth the memory.
  func keep(_ set: CertificateSet, of message: SignedMessage) {
    guard let bytes = message.certificateSet, bytes.count <= Self.size, sets.first?.set !== set,
      !sets.contains(where: { $0.bytes == bytes })
    else { return }
    if sets.count == Self.limit { sets.removeLast() }
    sets.insert((bytes, set), at: 0)
  }
}
