public import SlipcastWire

/// What came of verifying one signed thing.
public struct Verdict: Sendable {
  /// What it is, as far as that could be told.
  public var kind: SignedKind?
  /// Where in the record it stands; empty for the record itself.
  public var path = ""
  /// Why it is not trusted; `nil` when it is.
  public var refusal: Refusal?
  /// The time at which the certificates were judged; `nil` where none was told, and they were judged at the current time.
  public var judgedAt: Timestamp?
  /// The signed thing has no date, so the time of its signing cannot be told.
  public var isTimeUndetermined = false
  /// The certificates: the path to the root where there is one, else those that came with it.
  public var certificates: [Certificate] = []
  /// The bundle id that the signed thing names, where it names one.
  public var bundleId: String?
  /// Accepted on the caller's explicit wish although nobody trustworthy signed it: data of Xcode or LocalTesting.
  public var isUnverified = false

  /// True when everything that was asked for holds.
  public var isValid: Bool { refusal == nil }

  /// Makes a verdict.
  public init(kind: SignedKind? = nil, refusal: Refusal? = nil, judgedAt: Timestamp? = nil) {
    (self.kind, self.refusal, self.judgedAt) = (kind, refusal, judgedAt)
  }
}

/// A value whose signature was verified; nothing outside this module can make one, save by `init(unchecked:)`.
public struct Verified<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// The certificate path that vouches for it; empty for an unchecked value.
  public let certificates: [Certificate]
  /// Nobody vouches for it: made by `init(unchecked:)`, or data of Xcode that the caller's policy accepts.
  public var isUnchecked: Bool { certificates.isEmpty }

  init(_ value: Value, _ certificates: [Certificate]) { (self.value, self.certificates) = (value, certificates) }

  /// Vouches for a value without any check: for tests, and for data whose origin is known in another way.
  public init(unchecked value: Value) { self.init(value, []) }
}

/// What a caller asks of signed things besides a good signature; what is `nil` is not compared.
public struct VerificationPolicy: Sendable {
  /// Whom to trust.
  public var anchors = TrustAnchors.apple
  /// The bundle id that they must be for.
  public var bundleId: String?
  /// The App Store id of the app that they must be for; compared in Production, as Apple's libraries do.
  public var appAppleId: Int64?
  /// The environment that they must come from: `Production`, `Sandbox`, `Xcode` or `LocalTesting`.
  public var environment: String?
  /// Judges certificates now, not at the time of signing.
  public var usesCurrentTime = false
  /// Accepts data of Xcode and LocalTesting, which nobody trustworthy has signed.
  ///
  /// Never in production.
  public var acceptsXcode = false
  /// The device that an app receipt must have been issued for: 16 bytes of `identifierForVendor`, or a MAC address.
  public var deviceIdentifier: [UInt8]?

  /// Apple's roots, and nothing else asked.
  public init() {}
}
