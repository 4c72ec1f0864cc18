public import SlipcastMapping
public import SlipcastSignatures
internal import SlipcastWire

/// Verifies receipts: the signature, the signer's certificate chain as of the receipt's time, and the policy's
/// requirements.
///
/// Use a verifier in one task at a time; it caches signers.
///
/// Source: Apple, "Validating receipts on the device" and TN3138. It checks what OpenSSL does not check: trailing
/// bytes, Apple's marker extensions, the issuer's authority, the content type, decisive attributes that occur twice.
public final class ReceiptVerifier {
  /// The requirements for receipts.
  public let policy: VerificationPolicy
  private let table: ReceiptAttributeTable
  private let cache = MessageSignerCache()

  /// A verifier with a policy; the rules name the attributes.
  public init(policy: VerificationPolicy, rules: RuleSet) {
    (self.policy, table) = (policy, ReceiptAttributeTable(rules))
  }

  // MARK: app receipts

  /// Verifies an app receipt, given as CMS in DER or BER.
  public func verify(appReceipt bytes: [UInt8]) -> Verdict {
    verdict(.appReceipt) { verdict throws(Refusal) in try judge(try SignedMessage(bytes), &verdict) }
  }

  private func verdict(_ kind: SignedKind, _ judge: (inout Verdict) throws(Refusal) -> Void) -> Verdict {
    var verdict = Verdict(kind: kind)
    do throws(Refusal) { try judge(&verdict) } catch { verdict.refusal = error }
    return verdict
  }

  private func judge(_ message: SignedMessage, _ verdict: inout Verdict) throws(Refusal) {
    verdict.certificates = try cache.certificates(of: message).certificates
    let receipt = try AppReceipt(content: message.content, table: table, isForVerifying: true)
    try receipt.requireDecisiveAttributes()
    verdict.bundleId = receipt.bundleIdentifier
    let time = policy.usesCurrentTime ? .now : try receipt.requiredCreationDate()
    verdict.judgedAt = time
    let isXcode = receipt.environment == "Xcode"
    if isXcode, policy.acceptsXcode {
      try message.verifySignatureAlone()
      verdict.isUnverified = true
    } else {
      let path = try message.verify(to: policy.anchors, at: time, cache: cache, isSelfTrusted: isXcode)
      verdict.certificates = path
      if isXcode, path.count > 1 { throw Refusal(.xcodeNotAccepted) }
      try verdict.check(path, policy.revocation)
    }
    try compare(receipt)
  }

  private func compare(_ receipt: AppReceipt) throws(Refusal) {
    guard let bundleIdentifier = receipt.bundleIdentifier else { throw Refusal(.bundleIdMissing) }
    try policy.check(bundleId: bundleIdentifier)
    let environment = receipt.environment
    if let wanted = policy.appAppleId, (policy.environment ?? environment) == "Production" {
      guard let appAppleId = receipt.appAppleId else { throw Refusal(.appAppleIdMissing) }
      guard appAppleId == wanted else { throw Refusal(.appAppleIdMismatch) }
    }
    if let wanted = policy.environment {
      // A receipt without a type is never Production's; it passes for a sandbox one, as old sandbox receipts must.
      if receipt.receiptType == nil {
        guard wanted == "Sandbox" else { throw Refusal(.environmentMissing) }
      } else if environment != wanted {
        throw Refusal(.environmentMismatch)
      }
    }
    if let device = policy.deviceIdentifier { try receipt.requireDevice(device) }
  }

  // MARK: transaction receipts

  /// Verifies a transaction receipt in the style of iOS 6, given as base64 of its property list or as that list.
  public func verify(transactionReceipt bytes: [UInt8]) -> Verdict {
    verdict(.transactionReceipt) { verdict throws(Refusal) in try judge(try TransactionReceipt(bytes), &verdict) }
  }

  private func judge(_ receipt: TransactionReceipt, _ verdict: inout Verdict) throws(Refusal) {
    verdict.bundleId = receipt.value("bid")
    let signature = try receipt.blobSignature()
    verdict.certificates = signature.certificates
    guard let purchaseDate = receipt.purchaseDate else { throw Refusal(.purchaseDateMissing) }
    let time = policy.usesCurrentTime ? .now : purchaseDate
    verdict.judgedAt = time
    verdict.certificates = try signature.verify(over: receipt.purchaseInfo, to: policy.anchors, at: time)
    try verdict.check(verdict.certificates, policy.revocation)
    try compare(receipt)
  }

  private func compare(_ receipt: TransactionReceipt) throws(Refusal) {
    try policy.check(bundleId: receipt.value("bid"))
    // Only signed values decide. The environment is not signed, and Production omits it; but it signs `app-item-id`.
    let appAppleId = receipt.value("app-item-id")
    if let wanted = policy.appAppleId, appAppleId != nil || policy.environment != "Sandbox" {
      guard let appAppleId else { throw Refusal(.appAppleIdMissing) }
      guard appAppleId == "\(wanted)" else { throw Refusal(.appAppleIdMismatch) }
    }
    switch policy.environment {
    case nil: break
    case "Production":
      guard receipt.environment ?? "Production" == "Production" else { throw Refusal(.environmentMismatch) }
      guard appAppleId != nil else { throw Refusal(.environmentMissing, "no app-item-id, which Production signs") }
    case "Sandbox": guard receipt.environment == "Sandbox" else { throw Refusal(.environmentMismatch) }
    // Xcode makes no such receipts.
    default: throw Refusal(.environmentMismatch)
    }
  }
}
