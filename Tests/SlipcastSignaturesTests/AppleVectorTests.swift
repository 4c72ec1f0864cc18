import Foundation
import SlipcastSignatures
import SlipcastTestSupport
import SlipcastWire
import Testing

/// Apple's published test vectors, with the verdicts that Apple's own tests expect.
@Suite(.enabled(if: Corpus.isPresent, "SLIPCAST_CORPUS names no folder of samples"))
struct AppleVectorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var file: String
    var bundleId: String?
    var environment: String?
    var appAppleId: Int64?
    var acceptsXcode = false
    var kind: SignedKind?
    var reason: Refusal.Reason?
    var testDescription: String { "\(file) → \(reason?.rawValue ?? "valid")" }
  }

  static let cases = [
    Case(
      file: "mock_signed_data/testNotification", bundleId: "com.example", environment: "Sandbox", kind: .notification),
    Case(file: "mock_signed_data/testNotification", appAppleId: 1, kind: .notification),
    Case(file: "mock_signed_data/testNotification", environment: "Production", reason: .environmentMismatch),
    Case(
      file: "mock_signed_data/testNotification", bundleId: "com.examplex", environment: "Production",
      reason: .bundleIdMismatch),
    Case(
      file: "mock_signed_data/testNotification", environment: "Production", appAppleId: 1235,
      reason: .appAppleIdMismatch),
    Case(file: "mock_signed_data/transactionInfo", bundleId: "com.example", environment: "Sandbox", kind: .transaction),
    Case(file: "mock_signed_data/transactionInfo", bundleId: "com.example.x", reason: .bundleIdMismatch),
    Case(file: "mock_signed_data/renewalInfo", bundleId: "com.example", environment: "Sandbox", kind: .renewalInfo),
    Case(file: "mock_signed_data/wrongBundleId", bundleId: "com.example", reason: .bundleIdMismatch),
    Case(file: "mock_signed_data/missingX5CHeaderClaim", reason: .certificatesMissing),
    Case(file: "xcode/xcode-signed-transaction", reason: .xcodeNotAccepted),
    Case(file: "xcode/xcode-signed-renewal-info", reason: .xcodeNotAccepted),
    Case(file: "xcode/xcode-signed-app-transaction", reason: .xcodeNotAccepted),
    Case(
      file: "xcode/xcode-signed-transaction", bundleId: "com.example.naturelab.backyardbirds.example",
      environment: "Xcode", acceptsXcode: true, kind: .transaction),
    Case(file: "xcode/xcode-signed-renewal-info", environment: "Xcode", acceptsXcode: true, kind: .renewalInfo),
    Case(file: "xcode/xcode-signed-app-transaction", environment: "Xcode", acceptsXcode: true, kind: .appTransaction),
    Case(
      file: "xcode/xcode-signed-transaction", environment: "Sandbox", acceptsXcode: true, reason: .environmentMismatch),
  ]

  @Test(arguments: cases)
  func eachVectorGetsTheVerdictThatAppleExpects(_ expected: Case) throws {
    var policy = VerificationPolicy()
    policy.anchors = TrustAnchors(
      roots: try TrustAnchors.certificates(in: Corpus.bytes("apple-library/certs/testCA.der")))
    policy.bundleId = expected.bundleId
    policy.environment = expected.environment
    policy.appAppleId = expected.appAppleId
    policy.acceptsXcode = expected.acceptsXcode
    let token = String(decoding: try Corpus.bytes("apple-library/" + expected.file), as: UTF8.self)
    let verdict = JWSVerifier(policy: policy).verify(token.trimmingCharacters(in: .whitespacesAndNewlines))
    #expect(verdict.refusal?.reason == expected.reason)
    if expected.reason == nil {
      #expect(verdict.kind == expected.kind)
      #expect(verdict.isUnverified == expected.acceptsXcode)
      #expect(verdict.certificates.count == (expected.acceptsXcode ? 0 : 3))
    }
  }

  @Test(arguments: ["testNotification", "transactionInfo", "renewalInfo"])
  func underApplesRootsTheTestVectorsAreUntrusted(_ file: String) throws {
    let token = String(decoding: try Corpus.bytes("apple-library/mock_signed_data/" + file), as: UTF8.self)
    let verdict = JWSVerifier().verify(token.trimmingCharacters(in: .whitespacesAndNewlines))
    #expect(verdict.refusal?.reason == .untrustedRoot)
  }

  @Test(arguments: [("testCA.pem", 1), ("testCA.der", 1), ("testLeaf.pem", 1)])
  func certificatesAreReadInEitherForm(_ file: String, _ count: Int) throws {
    #expect(try TrustAnchors.certificates(in: Corpus.bytes("apple-library/certs/" + file)).count == count)
  }
}

/// The CMS around genuine and made-up app receipts.
@Suite(.enabled(if: Corpus.isPresent, "SLIPCAST_CORPUS names no folder of samples"))
struct SignedMessageTests {
  static let genuine = Corpus.names("receipts/app").filter { $0.hasSuffix(".der") || $0.hasSuffix(".b64") }

  @Test(arguments: genuine)
  func genuineReceiptsVerifyAtTheirCreationDateAndNotNow(_ file: String) throws {
    let message = try SignedMessage(try Self.binary("receipts/app/" + file))
    let expected =
      try JSONSerialization.jsonObject(
        with: Data(try Corpus.bytes("receipts/expected/" + file.prefix { $0 != "." } + ".json"))) as? [String: Any]
    let created = try #require(expected?["creationDateMs"] as? Int64)
    let isXcode = file.contains("xcode")
    try message.verifySignatureAlone()
    let cache = MessageSignerCache()
    func judge(_ time: Int64) -> Refusal.Reason? {
      do throws(Refusal) {
        let path = try message.verify(
          to: .apple, at: Timestamp(milliseconds: time), cache: cache, isSelfTrusted: false)
        #expect(path.count == 3)
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(judge(created) == (isXcode ? .untrustedRoot : nil))
    #expect(judge(1_795_000_000_000) == (isXcode ? .untrustedRoot : .certificateExpired))
  }

  static func binary(_ path: String) throws -> [UInt8] {
    let bytes = try Corpus.bytes(path)
    return path.hasSuffix(".b64") ? try #require(Base64.decode(bytes)) : bytes
  }
}
