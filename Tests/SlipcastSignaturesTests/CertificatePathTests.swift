import SlipcastWire
import Testing

@testable import SlipcastSignatures

/// What a path must be besides one that OpenSSL can build.
@Suite struct CertificatePathTests {
  static let now = Timestamp(milliseconds: 1_700_000_000_000)

  static func chain(
    _ root: String = "P-384", _ intermediate: String = "P-384", _ leaf: String = "P-256"
  ) throws -> [Certificate] {
    let keys = try [root, intermediate, leaf].map { try PrivateKey.make(curve: $0) }
    let top = try CertificateTemplate.root.issue(for: keys[0], by: nil)
    let middle = try CertificateTemplate.intermediate.issue(for: keys[1], by: (top, keys[0]))
    return [try CertificateTemplate.leaf.issue(for: keys[2], by: (middle, keys[1])), middle, top]
  }

  static func reason(
    _ chain: [Certificate], at time: Timestamp = now, strength: CertificateStrength = .modern
  ) -> Refusal.Reason? {
    do throws(Refusal) {
      _ = try CertificatePath.find(
        from: chain[0], through: [chain[1]], to: TrustAnchors(roots: [chain[2]]), at: time, strength: strength)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func aPathIsGoodThroughItsLastSecond() throws {
    let chain = try Self.chain()
    let (begin, end) = (chain[0].notBefore.milliseconds, chain[0].notAfter.milliseconds)
    #expect(Self.reason(chain, at: Timestamp(milliseconds: begin - 1)) == .certificateNotYetValid)
    #expect(Self.reason(chain, at: Timestamp(milliseconds: begin)) == nil)
    #expect(Self.reason(chain, at: Timestamp(milliseconds: end + 999)) == nil)
    #expect(Self.reason(chain, at: Timestamp(milliseconds: end + 1000)) == .certificateExpired)
    #expect(Self.reason(chain, at: Timestamp(milliseconds: .min)) == .certificateNotYetValid)
    #expect(Self.reason(chain, at: Timestamp(milliseconds: .max)) == .certificateExpired)
  }

  @Test func whatIsWeakerThanApplesIsRefused() throws {
    #expect(Self.reason(try Self.chain("P-384", "P-224")) == .weakCryptography)
    #expect(throws: Refusal(.weakCryptography, "the key of the intermediate certificate")) {
      try CertificatePath.requireStrength(try Self.chain("P-384", "P-224"), .rsa1024)
    }
    // The root is the caller's own choice.
    #expect(Self.reason(try Self.chain("P-224")) == nil)
  }

  @Test func eachKindOfSignatureHasItsMarks() throws {
    #expect(Self.reason(try Self.chain(), strength: .rsa1024) == .leafMarkerMissing)
  }

  @Test func aRememberedSignerIsJudgedAtEachTime() throws {
    let identity = try TestIdentity.make()
    var policy = VerificationPolicy()
    policy.anchors = identity.anchors
    let verifier = JWSVerifier(policy: policy)
    let signer = JWSSigner(identity: identity)
    func reason(_ date: Int64) throws -> Refusal.Reason? {
      verifier.verify(try signer.sign(#"{"transactionId":"1","signedDate":\#(date)}"#.utf8)).refusal?.reason
    }
    #expect(try reason(1_700_000_000_000) == nil)
    #expect(try reason(identity.certificates[0].notAfter.milliseconds + 1000) == .certificateExpired)
    #expect(try reason(1_000_000_000_000) == .certificateNotYetValid)
    #expect(try reason(1_700_000_000_001) == nil)
  }
}
