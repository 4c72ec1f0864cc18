import SlipcastMapping
import SlipcastReceipts
import SlipcastSignatures
import SlipcastTestSupport
import Testing

/// Signed messages with something done to what is not signed.
@Suite struct MessageSurgeryTests {
  /// The values of a constructed value's content, each with its header.
  static func values(_ content: [UInt8]) -> [[UInt8]] {
    var values: [[UInt8]] = []
    var at = 0
    while at < content.count {
      let digits = content[at + 1] < 0x80 ? 0 : Int(content[at + 1] & 0x7F)
      let length =
        digits == 0 ? Int(content[at + 1]) : content[(at + 2)..<(at + 2 + digits)].reduce(0) { $0 << 8 | Int($1) }
      let end = at + 2 + digits + length
      values.append(Array(content[at..<end]))
      at = end
    }
    return values
  }

  static func content(_ value: [UInt8]) -> [UInt8] {
    Array(value.dropFirst(value[1] < 0x80 ? 2 : 2 + Int(value[1] & 0x7F)))
  }

  /// The reason to refuse the production receipt of the fixtures after a change to the fields of its signed data.
  static func reason(_ change: (inout [[UInt8]]) -> Void) throws -> Refusal.Reason? {
    let signed = Fixture.named("receipts/signed")
    let receipt = try Fixture.named("receipts/signed/app-production-binary").bytes("receipt.der")
    let outer = values(content(receipt))
    var fields = values(content(content(outer[1])))
    change(&fields)
    let data = ReceiptBytes.element(0x30, fields.flatMap(\.self))
    let message = ReceiptBytes.element(0x30, outer[0] + ReceiptBytes.element(0xA0, data))
    var policy = VerificationPolicy()
    policy.anchors = TrustAnchors(roots: try TrustAnchors.certificates(in: signed.bytes("root.der")))
    let verifier = ReceiptVerifier(policy: policy, rules: BuiltIn.rules)
    return verifier.verify(appReceipt: message).refusal?.reason
  }

  @Test func anUnchangedMessageIsValid() throws { #expect(try Self.reason { _ in } == nil) }

  /// OpenSSL's own check hashes the content once for each digest algorithm that a message lists.
  @Test func theTimeGrowsWithTheDigestAlgorithmsAndNotFaster() throws {
    let growth = try growth(from: 5000) { count in
      let reason = try Self.reason { fields in
        let algorithm = Self.content(fields[1])
        fields[1] = ReceiptBytes.element(0x31, Array(repeatElement(algorithm, count: count).joined()))
      }
      #expect(reason == nil)
    }
    #expect(growth < 64, "the time of sixteen times the algorithms")
  }

  @Test func certificatesStandOnce() throws {
    #expect(try Self.reason { $0.insert($0[3], at: 4) } == .messageUnreadable)
    #expect(try Self.reason { $0.remove(at: 3) } == .certificatesMissing)
  }

  /// Which algorithm a signature is of is not signed; but a message that states another than the one checked is not
  /// from Apple, and OpenSSL's own check rejects it too.
  @Test func theStatedAlgorithmOfTheSignatureIsTheOneThatIsChecked() throws {
    func reason(_ algorithm: [UInt8]) throws -> Refusal.Reason? {
      try Self.reason { fields in
        let signer = Self.content(Self.content(fields[4]))
        var parts = Self.values(signer)
        parts[3] = ReceiptBytes.element(0x30, algorithm)
        fields[4] = ReceiptBytes.element(0x31, ReceiptBytes.element(0x30, parts.flatMap(\.self)))
      }
    }
    let arc: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]
    let null: [UInt8] = [0x05, 0x00]
    // rsaEncryption, sha256WithRSAEncryption; sha1WithRSAEncryption, RSASSA-PSS, an algorithm of nobody's.
    for last: UInt8 in [1, 11] { #expect(try reason(ReceiptBytes.element(0x06, arc + [last]) + null) == nil) }
    for last: UInt8 in [5, 10, 99] {
      #expect(try reason(ReceiptBytes.element(0x06, arc + [last]) + null) == .signatureMalformed)
    }
  }

  @Test func bytesBetweenTheFieldsAreRefused() throws {
    #expect(try Self.reason { $0.append([0x05, 0x00]) } == .messageUnreadable)
  }

  @Test func theTimeGrowsWithTheSignedThingsInARecordAndNotFaster() throws {
    let verifier = RecordVerifier(policy: VerificationPolicy(), rules: BuiltIn.rules)
    let growth = growth(from: 5000) { count in
      let tokens = repeatElement(#""a.b.c""#, count: count).joined(separator: ",")
      let verdicts = verifier.verify(Array(#"{"signedTransactions":[\#(tokens)]}"#.utf8))
      #expect(verdicts.count == count && verdicts.last?.path == "signedTransactions[\(count - 1)]")
    }
    #expect(growth < 64, "the time of sixteen times the tokens")
  }
}
