internal import SlipcastWire

/// The certificates of earlier messages; for one thread and one set of anchors.
///
/// Receipts of one signer contain the same certificates.
package final class MessageSignerCache {
  /// The certificates of a message, and the chains last found from them.
  package final class CertificateSet {
    package let certificates: [Certificate]
    private var paths: [Certificate: CertificatePath] = [:]

    init(_ certificates: [Certificate]) { self.certificates = certificates }

    func path(
      from signer: Certificate, to anchors: TrustAnchors, at time: Timestamp
    ) throws(Refusal) -> CertificatePath {
      if let path = paths[signer], path.validity.contains(time) { return path }
      let found = try CertificatePath.find(
        from: signer, through: certificates, to: anchors, at: time, strength: .sha1)
      paths[signer] = found
      return found
    }
  }

  private var sets = SignerCache<CertificateSet>()

  package init() {}

  /// The certificates of a message, read unless they are cached.
  ///
  /// - Throws: `Refusal` for one that cannot be read.
  package func certificates(of message: SignedMessage) throws(Refusal) -> CertificateSet {
    if let bytes = message.certificateSet, let set = sets.find(bytes.span) { return set }
    return CertificateSet(try message.certificates())
  }

  /// Caches certificates that had a chain to a root.
  func keep(_ set: CertificateSet, of message: SignedMessage) {
    if let bytes = message.certificateSet { sets.keep(set, for: bytes.span) }
  }
}

/// The signers of earlier values by the bytes that name them, the most recent first.
struct SignerCache<Signer: AnyObject> {
  // A list, because comparing such bytes with a few others is faster than hashing them.
  private var entries: [(key: [UInt8], signer: Signer)] = []
  private let mostEntries = 32
  private let mostBytes = 64 << 10

  mutating func find(_ key: Span<UInt8>) -> Signer? {
    guard let place = entries.firstIndex(where: { $0.key.span.isSame(as: key) }) else { return nil }
    if place > 0 { entries.swapAt(0, place) }
    return entries[0].signer
  }

  /// Caches a signer that had a chain to a root; others are not worth the memory.
  mutating func keep(_ signer: Signer, for key: Span<UInt8>) {
    guard entries.first?.signer !== signer, key.count <= mostBytes, find(key) == nil else { return }
    if entries.count == mostEntries { entries.removeLast() }
    entries.insert((Array(key), signer), at: 0)
  }
}
