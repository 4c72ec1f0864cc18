import SlipcastTestSupport
import SlipcastWire
import Testing

@testable import SlipcastSignatures

/// What this package signs, it trusts; under another root it does not.
@Suite struct SignedRoundTripTests {
  private static func policy(_ identity: TestIdentity) -> VerificationPolicy {
    var policy = VerificationPolicy()
    policy.anchors = identity.anchors
    policy.bundleId = "a.b"
    return policy
  }

  @Test(arguments: [
    (#"{"notificationType":"TEST","signedDate":1600000000000,"data":{"bundleId":"a.b"}}"#, SignedKind.notification),
    (#"{"transactionId":"1","bundleId":"a.b","purchaseDate":1300000000000}"#, .transaction),
    (#"{"autoRenewStatus":1,"productId":"x","recentSubscriptionStartDate":1300000000000}"#, .renewalInfo),
    (#"{"receiptType":"Production","bundleId":"a.b","receiptCreationDate":1300000000000}"#, .appTransaction),
  ])
  func everyKindVerifiesUnderItsOwnRootAlone(_ json: String, _ kind: SignedKind) throws {
    let (identity, stranger) = (try TestIdentity.make(), try TestIdentity.make())
    let signed = try PayloadSigner(identity: identity).sign(json)
    let token = try #require(signed.split(separator: "\"").first { $0.hasPrefix("ey") })
    let verdict = JWSVerifier(policy: Self.policy(identity)).verify(token, expecting: kind)
    #expect(verdict.isValid, "\(String(describing: verdict.refusal))")
    #expect(verdict.kind == kind)
    #expect(verdict.certificates == identity.certificates)
    #expect(JWSVerifier(policy: Self.policy(stranger)).verify(token).refusal != nil)
    #expect(JWSVerifier().verify(token).refusal != nil, "Apple's roots know nothing of it")
  }

  @Test(arguments: [(#""x""#, "data.status"), ("1", "data.signedTransactionInfo.quantity")])
  func aTrustedPayloadWithAMemberOfAnotherKindIsNoFaultOfTrust(_ status: String, _ path: String) throws {
    let identity = try TestIdentity.make()
    let (signer, verifier) = (JWSSigner(identity: identity), JWSVerifier(policy: Self.policy(identity)))
    let purchase = #"{"transactionId":"1","bundleId":"a.b","purchaseDate":1300000000000,"quantity":"two"}"#
    let data = #"{"bundleId":"a.b","status":\#(status),"signedTransactionInfo":"\#(try signer.sign(purchase.utf8))"}"#
    let token = try signer.sign(#"{"notificationType":"TEST","signedDate":1600000000000,"data":\#(data)}"#.utf8)
    #expect(verifier.verify(token).isValid)
    let refusal = #expect(throws: Refusal.self) { try verifier.notification(token) }
    #expect(refusal?.reason == .memberKind)
    #expect(refusal?.path == path)
    #expect(refusal?.detail?.hasPrefix("expected number (32-bit integer), found string") == true)
  }
}
