import Foundation
import SlipcastTestSupport
import SlipcastWire
import Testing

@testable import SlipcastSignatures

/// x509-limbo: certificate paths that are good or bad, each for one reason.
///
/// Its file `limbo.json` is named by `SLIPCAST_LIMBO`. Its certificates are not Apple's, so that `CertificatePath.find`
/// refuses every one; what is judged here is each part by itself: the path that OpenSSL builds with Slipcast's settings,
/// and Slipcast's own demands but Apple's marks.
@Suite(.enabled(if: ForeignSuite.limbo.isPresent, "SLIPCAST_LIMBO names no limbo.json"))
struct LimboTests {
  static let cases = (try? LimboCase.all()) ?? []

  @Test func theSuiteIsWhole() {
    #expect(Self.cases.count >= 200)
    #expect(Self.cases.count { !$0.isGood } >= 120)
  }

  /// Certificates without Apple's marks never pass, good or bad.
  @Test func withoutApplesMarksNothingPasses() throws {
    for limbo in Self.cases {
      let refusal = limbo.refusal { () throws(Refusal) in
        _ = try CertificatePath.find(
          from: try limbo.leaf(), through: try limbo.others(), to: try limbo.anchors(), at: limbo.time,
          strength: .modern)
      }
      #expect(refusal != nil, "\(limbo.id)")
    }
  }

  /// Whatever else is demanded of a path, a bad one of its own accord is refused; or it is bad for a reason that does not
  /// touch signatures of the App Store, and then the reason is known by name.
  @Test func everyBadPathIsRefusedOrItsFaultIsNotOfThisWorld() throws {
    for limbo in Self.cases where !limbo.isGood && limbo.pathRefusal() == nil {
      #expect(LimboReason.ofTaking(limbo.id) != nil, "\(limbo.id): \(limbo.description)")
    }
  }

  /// Reasons that say "refused in a path of three" or "not of that kind" are not taken on trust.
  @Test func whatIsSaidToBeRefusedOtherwiseIsRefusedOtherwise() throws {
    for limbo in Self.cases where !limbo.isGood && limbo.pathRefusal() == nil {
      let path = try CertificatePath.build(limbo.leaf(), limbo.others(), to: limbo.anchors(), at: limbo.time)
      switch LimboReason.ofTaking(limbo.id) {
      case .keyIdentifier:
        let hasAll = path.dropLast().allSatisfy { certificate in
          certificate.hasAuthorityKeyIdentifier && (certificate.hasSubjectKeyIdentifier || !certificate.isAuthority)
        }
        #expect(!hasAll && path.last?.hasSubjectKeyIdentifier == true, "\(limbo.id)")
      case .weakSigner:
        let isWeak = limbo.refusal { () throws(Refusal) in
          try CertificateStrength.modern.check(path[0], isSigner: true)
          _ = try ES256Key(of: path[0])
        }
        let isRSA = limbo.refusal { () throws(Refusal) in
          try CertificateStrength.sha1.check(path[0], isSigner: true)
          _ = try RSASignature.key(of: path[0])
        }
        #expect(isWeak != nil && isRSA != nil, "\(limbo.id)")
      case .unmarked: #expect(path[0].markers.isEmpty, "\(limbo.id)")
      default: break
      }
    }
  }

  @Test func everyReasonIsNeeded() {
    let given = Set(Self.cases.compactMap { $0.isGood ? LimboReason.ofRefusing($0.id) : LimboReason.ofTaking($0.id) })
    #expect(given == Set(LimboReason.allCases))
  }

  @Test func everyGoodPathIsFoundOrTheRefusalIsExplained() throws {
    for limbo in Self.cases where limbo.isGood {
      guard let refusal = limbo.pathRefusal() else { continue }
      #expect(LimboReason.ofRefusing(limbo.id) != nil, "\(limbo.id): \(refusal)")
    }
  }

  @Test func theTableSaysWhatComesOfEachCase() throws {
    let text = LimboTable.text(Self.cases)
    #expect(try ConformanceTable.stated("limbo.md", instead: text) == text)
  }
}
