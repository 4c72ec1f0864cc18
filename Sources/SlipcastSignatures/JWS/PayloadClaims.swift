@_spi(Slipcast) internal import SlipcastWire

/// The claims of a signed payload that trust depends on.
struct PayloadClaims {
  /// The kind of payload; `nil` for none of Apple's.
  var kind: SignedKind?
  var bundleId: String?
  var appAppleId: Int64?
  var environment: String?
  /// When it was signed, in milliseconds; `nil` when it does not state it.
  var signedDate: Int64?
  /// A signed date is present and is not a number.
  var isDateUnreadable = false
  /// `exp`, `nbf`, `iat` (RFC 7519 section 4.1) in seconds.
  var times: [Key: Double] = [:]
  /// One of these claims is present and is not a number.
  var isTimeUnreadable = false
  var hasAudience = false
  /// `sub`, `jti` or `iss` (RFC 7519 section 4.1) is present and is not text.
  var isNameUnreadable = false
  /// Signed payloads inside it, as bytes.
  var nested: [NestedToken] = []

  struct NestedToken {
    var path: String
    var kind: SignedKind
    var token: [UInt8]
  }

  enum Key: UInt16, CaseIterable {
    case signedDate, receiptCreationDate, bundleId, appAppleId, environment, receiptType
    case notificationType, notificationUUID, data, summary, externalPurchaseToken, appData, unclaimInfo
    case externalPurchaseId
    case transactionId, originalTransactionId, productId, autoRenewProductId, autoRenewStatus
    case applicationVersion, requestIdentifier
    case signedTransactionInfo, signedRenewalInfo, signedAppTransactionInfo
    case exp, nbf, iat, aud, sub, jti, iss

    static let names = allCases.map { "\($0)" }
  }

  /// Reads the payload on a tape made by a reader that knows `Key.names`.
  init(_ tape: JSONTape) {
    let members = Self.members(of: tape, at: 0)
    let subject = [Key.data, .summary, .externalPurchaseToken, .appData, .unclaimInfo].lazy.compactMap { key in
      members[key].flatMap { tape[$0].kind == .object ? (key, $0) : nil }
    }.first
    kind = Self.kind(members, hasSubject: subject != nil)
    readTimes(tape, members)
    var source = members
    if kind == .notification { source = subject.map { Self.members(of: tape, at: $0.1) } ?? [:] }
    bundleId = Self.text(tape, source[.bundleId])
    appAppleId = source[.appAppleId].flatMap { Int64(tape.text($0).string) }
    environment = Self.text(tape, source[kind == .appTransaction ? .receiptType : .environment])
    guard kind == .notification, let subject else { return }
    if subject.0 == .externalPurchaseToken {
      // Source: Apple's server libraries; the token has no environment member.
      let id = Self.text(tape, source[.externalPurchaseId])
      environment = id.map { $0.hasPrefix("SANDBOX") ? "Sandbox" : "Production" }
    }
    readNested(tape, source, in: "\(subject.0)")
  }

  private static func members(of tape: JSONTape, at object: Int) -> [Key: Int] {
    var members: [Key: Int] = [:]
    guard tape[object].kind == .object else { return members }
    for child in tape.children(of: object) where tape[child].kind != .null {
      if let key = Key(rawValue: tape[child].key) { members[key] = child }
    }
    return members
  }

  private static func kind(_ members: [Key: Int], hasSubject: Bool) -> SignedKind? {
    func has(_ keys: Key...) -> Bool { keys.contains { members[$0] != nil } }
    if has(.notificationType, .notificationUUID) || hasSubject { return .notification }
    if has(.requestIdentifier) { return nil }
    if has(.receiptType, .applicationVersion) { return .appTransaction }
    if has(.autoRenewProductId, .autoRenewStatus) { return .renewalInfo }
    if has(.transactionId, .bundleId) { return .transaction }
    // A renewal info names no bundle; the shortest one has only environment and date.
    return has(.environment, .originalTransactionId, .productId) ? .renewalInfo : nil
  }

  private static func text(_ tape: JSONTape, _ index: Int?) -> String? {
    guard let index, tape[index].kind == .string else { return nil }
    return tape.text(index).string
  }

  private mutating func readTimes(_ tape: JSONTape, _ members: [Key: Int]) {
    if let index = members[.signedDate] ?? members[.receiptCreationDate] {
      let isText = tape[index].kind == .string || tape[index].kind == .number
      let value = isText ? Double(tape.text(index).string) : nil
      if let value, value.magnitude < 1e15 { signedDate = Int64(value) } else { isDateUnreadable = true }
    }
    for key in [Key.exp, .nbf, .iat] {
      guard let index = members[key] else { continue }
      let value = tape[index].kind == .number ? Double(tape.text(index).string) : nil
      if let value { times[key] = value } else { isTimeUnreadable = true }
    }
    hasAudience = members[.aud] != nil
    isNameUnreadable = [Key.sub, .jti, .iss].contains { key in members[key].map { tape[$0].kind != .string } ?? false }
  }

  private mutating func readNested(_ tape: JSONTape, _ members: [Key: Int], in container: String) {
    let kinds: [(Key, SignedKind)] = [
      (.signedTransactionInfo, .transaction), (.signedRenewalInfo, .renewalInfo),
      (.signedAppTransactionInfo, .appTransaction),
    ]
    for (key, kind) in kinds {
      guard let index = members[key] else { continue }
      let token = tape[index].kind == .string ? Array(tape.text(index).buffer) : []
      nested.append(NestedToken(path: "\(container).\(key)", kind: kind, token: token))
    }
  }
}
