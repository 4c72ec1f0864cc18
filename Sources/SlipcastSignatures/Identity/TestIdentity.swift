internal import SlipcastSystem

/// A certificate authority for tests, with the structure of Apple's.
///
/// It has a root (P-384), an intermediate (P-384) and a leaf (P-256) with Apple's marker extensions, and the leaf's
/// private key. Its signatures verify only under its own root. The authorities' keys are not kept.
///
///     let identity = try TestIdentity.make()
///     let body = try PayloadSigner(identity: identity).sign(decodedNotification)
public struct TestIdentity: Sendable {
  /// The certificates in the order of `x5c`: leaf, intermediate, root.
  public let certificates: [Certificate]
  let key: PrivateKey
  /// Others than the owner may read the file of the key.
  public let isKeyReadableByOthers: Bool

  enum FileName {
    static let (rootDER, rootPEM, chain, key) = ("root.der", "root.pem", "chain.pem", "leaf.key")
  }

  private init(certificates: [Certificate], key: PrivateKey, isKeyReadableByOthers: Bool = false) {
    (self.certificates, self.key) = (certificates, key)
    self.isKeyReadableByOthers = isKeyReadableByOthers
  }

  /// The root certificate, which a test must trust.
  public var root: Certificate { certificates[2] }

  /// The root as something to verify against.
  public var anchors: TrustAnchors { TrustAnchors(roots: [root]) }

  /// Creates an identity in memory.
  ///
  /// - Throws: `IdentityError` when OpenSSL cannot make keys or certificates.
  public static func make() throws(IdentityError) -> TestIdentity { try make(responder: nil).identity }

  /// The certificate and key of an OCSP responder.
  private typealias Responder = (certificate: Certificate, key: PrivateKey)

  /// Creates an identity, and the responders of its two issuers where it has an address of them.
  private static func make(
    responder address: String?
  ) throws(IdentityError) -> (identity: TestIdentity, responders: [(name: String, responder: Responder)]) {
    let (rootKey, intermediateKey) = (try PrivateKey.make(curve: "P-384"), try PrivateKey.make(curve: "P-384"))
    let key = try PrivateKey.make(curve: "P-256")
    let root = try CertificateTemplate.root.issue(for: rootKey, by: nil)
    let intermediate = try CertificateTemplate.intermediate.asking(address)
      .issue(for: intermediateKey, by: (root, rootKey))
    let leaf = try CertificateTemplate.leaf.asking(address).issue(for: key, by: (intermediate, intermediateKey))
    let identity = TestIdentity(certificates: [leaf, intermediate, root], key: key)
    guard address != nil else { return (identity, []) }
    let issuers = [("ocsp-intermediate", (intermediate, intermediateKey)), ("ocsp-root", (root, rootKey))]
    var responders: [(name: String, responder: Responder)] = []
    for (name, issuer) in issuers {
      let key = try PrivateKey.make(curve: "P-256")
      responders.append((name, (try CertificateTemplate.responder.issue(for: key, by: issuer), key)))
    }
    return (identity, responders)
  }

  /// Makes an identity and writes it to a folder, which is created if it is missing.
  ///
  /// The files are `root.der`, `root.pem`, `chain.pem` (leaf, intermediate, root) and `leaf.key` (PKCS #8, readable
  /// only by its owner).
  ///
  /// - Parameters:
  ///   - directory: the folder.
  ///   - responder: the address of an OCSP responder, which the certificates then name. A certificate and key for the
  ///     answers of each issuer are written too: `ocsp-intermediate.pem` and `.key`, `ocsp-root.pem` and `.key`.
  /// - Throws: `IdentityError`; nothing is overwritten, and after an error nothing is left behind.
  @discardableResult
  public static func create(in directory: String, responder: String? = nil) throws(IdentityError) -> TestIdentity {
    let (identity, responders) = try make(responder: responder)
    var chain: [UInt8] = []
    for certificate in identity.certificates { chain += try certificate.pem() }
    var files = [
      IdentityFile(name: FileName.key, bytes: try identity.key.pem(), isPrivate: true),
      IdentityFile(name: FileName.chain, bytes: chain),
      IdentityFile(name: FileName.rootPEM, bytes: try identity.root.pem()),
      IdentityFile(name: FileName.rootDER, bytes: identity.root.der),
    ]
    for (name, responder) in responders {
      files.append(IdentityFile(name: "\(name).pem", bytes: try responder.certificate.pem()))
      files.append(IdentityFile(name: "\(name).key", bytes: try responder.key.pem(), isPrivate: true))
    }
    try IdentityFolder(path: directory).create(files)
    return identity
  }

  /// Reads an identity from its folder: `chain.pem` and `leaf.key`.
  ///
  /// - Throws: `IdentityError` when a file is missing or the files do not belong together.
  public init(directory: String) throws(IdentityError) {
    let folder = IdentityFolder(path: directory)
    let certificates = try Self.chain(try folder.contents(of: FileName.chain), folder.path(of: FileName.chain))
    let file = try folder.contents(of: FileName.key)
    let path = folder.path(of: FileName.key)
    guard let key = PrivateKey(pem: file) else {
      throw IdentityError(.keyUnreadable(detail: OpenSSLErrors.take()), path: path)
    }
    guard key.isP256 else { throw IdentityError(.keyType(found: key.kind), path: path) }
    guard certificates[0].belongs(to: key) else { throw IdentityError(.keyMismatch, path: path) }
    self.init(certificates: certificates, key: key, isKeyReadableByOthers: Platform.isOpenToOthers(path))
  }

  private static func chain(_ bytes: [UInt8], _ path: String) throws(IdentityError) -> [Certificate] {
    let certificates: [Certificate]
    do throws(Refusal) {
      certificates = try TrustAnchors.certificates(in: bytes)
    } catch {
      throw IdentityError(.chainUnreadable(detail: error.description), path: path)
    }
    guard certificates.count == 3 else { throw IdentityError(.chainLength(found: certificates.count), path: path) }
    for place in 0..<2 where !certificates[place].isSigned(by: certificates[place + 1]) {
      throw IdentityError(.chainBroken(place: place), path: path)
    }
    return certificates
  }
}
