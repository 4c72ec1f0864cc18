public import SlipcastWire

/// The result of verifying one signed value.
public struct Verdict: Sendable {
  /// The kind of the signed value, as far as it could be determined.
  public var kind: SignedKind?
  /// Its path in the record; empty for the record itself.
  public var path = ""
  /// Why it is not trusted; `nil` when it is.
  public var refusal: Refusal?
  /// The time at which the certificates were evaluated; `nil` where it is unknown, and the current time was used.
  public var judgedAt: Timestamp?
  /// The signed value has no date, so the time of its signing is unknown.
  public var isTimeUndetermined = false
  /// The certificates: the chain to the root where there is one, otherwise the embedded ones.
  public var certificates: [Certificate] = []
  /// The bundle id that the signed thing names, where it names one.
  public var bundleId: String?
  /// Accepted at the caller's explicit request, without a trusted signature: data of Xcode or LocalTesting.
  public var isUnverified = false

  /// True when all requirements are met.
  public var isValid: Bool { refusal == nil }

  /// Whether its certificates are revoked; `nil` where that was not asked, or no chain was found.
  public var revocation: RevocationStatus?

  /// Creates a verdict.
  public init(kind: SignedKind? = nil, refusal: Refusal? = nil, judgedAt: Timestamp? = nil) {
    (self.kind, self.refusal, self.judgedAt) = (kind, refusal, judgedAt)
  }
}

/// A value whose signature was verified; code outside this module can create one only by `init(unchecked:)`.
public struct Verified<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// The certificate path that vouches for it; empty for an unchecked value.
  public let certificates: [Certificate]
  /// Not verified: made by `init(unchecked:)`, or data of Xcode that the caller's policy accepts.
  public var isUnchecked: Bool { certificates.isEmpty }

  init(_ value: Value, _ certificates: [Certificate]) { (self.value, self.certificates) = (value, certificates) }

  /// Wraps a value without any check: for tests, and for data whose origin is established in another way.
  public init(unchecked value: Value) { self.init(value, []) }
}

/// The caller's requirements for signed values besides a valid signature; `nil` values are not compared.
public struct VerificationPolicy: Sendable {
  /// The trusted certificates.
  public var anchors = TrustAnchors.apple
  /// The bundle id that they must be for; of several, the first one.
  public var bundleId: String? {
    get { bundleIds.first }
    set { bundleIds = newValue.map { [$0] } ?? [] }
  }
  /// The bundle ids, one of which they must be for; empty: any.
  public var bundleIds: [String] = []
  /// The App Store id of the app that they must be for; compared in Production, as Apple's libraries do.
  public var appAppleId: Int64?
  /// The required environment: `Production`, `Sandbox`, `Xcode` or `LocalTesting`.
  public var environment: String?
  /// Evaluates certificates at the current time, not at the time of signing.
  public var usesCurrentTime = false
  /// Accepts data of Xcode and LocalTesting, which have no trusted signature.
  ///
  /// Never in production.
  public var acceptsXcode = false
  /// Checks certificates for revocation; `nil`: they are not checked.
  public var revocation: RevocationChecker?
  /// The device that an app receipt must have been issued for: 16 bytes of `identifierForVendor`, or a MAC address.
  public var deviceIdentifier: [UInt8]?

  /// Apple's roots, and no other requirement.
  public init() {}

  /// Checks what a value says about its app.
  ///
  /// - Throws: `Refusal` for another app, or none.
  package func check(bundleId: String?) throws(Refusal) {
    guard !bundleIds.isEmpty else { return }
    guard let bundleId else { throw Refusal(.bundleIdMissing) }
    guard bundleIds.contains(where: bundleId.isSameSpelling) else { throw Refusal(.bundleIdMismatch) }
  }
}
