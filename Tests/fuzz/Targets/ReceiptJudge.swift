import Foundation
import SlipcastMapping
import SlipcastReceipts
import SlipcastSignatures
import SlipcastTestSupport
import SlipcastWire

/// The receipts of `Fixtures/receipts/signed`, in their bytes.
enum SignedReceipts {
  /// The receipts of the cases whose names begin so.
  static func files(starting beginnings: String...) throws -> [[UInt8]] {
    try Fixture.cases("receipts/signed").filter { fixture in
      beginnings.contains { fixture.folder.lastPathComponent.hasPrefix($0) }
    }.map { fixture in
      guard let name = ["receipt.base64", "receipt.der", "receipt.json"].first(where: fixture.exists) else { return [] }
      let file = try fixture.bytes(name)
      return (try? ReceiptText(file).bytes) ?? file
    }
  }

  static func certificate(_ name: String) throws -> Certificate {
    try Certificate(der: try Fixture.named("receipts/signed").bytes(name))
  }
}

/// Judges receipts by the authority of the fixtures, and knows what that has signed.
final class ReceiptJudge {
  let verifier: ReceiptVerifier
  let decoder: ReceiptDecoder
  private var known: Set<[UInt8]> = []
  private let conversion: ConversionBench
  private let texts = TextReader()

  init(starting beginning: String) throws {
    var policy = VerificationPolicy()
    policy.anchors = TrustAnchors(
      roots: [try SignedReceipts.certificate("root.der")],
      intermediates: [
        try SignedReceipts.certificate("intermediate.der"), try SignedReceipts.certificate("store-intermediate.der"),
      ])
    let rules = try RuleSet.builtIn()
    verifier = ReceiptVerifier(policy: policy, rules: rules)
    decoder = ReceiptDecoder(rules: rules)
    conversion = ConversionBench(LegacyConverter.PreparedRules(rules: rules))
    for receipt in try SignedReceipts.files(starting: beginning) {
      if let content = try? SignedMessage(receipt).content {
        known.insert(content)
      } else if let content = try? TransactionReceipt(receipt).purchaseInfo {
        known.insert(content)
      }
    }
    guard known.count > 1 else { throw Violation("the fixtures are missing") }
  }

  func isKnown(_ content: [UInt8]?) -> Bool { content.map(known.contains) ?? false }

  /// A receipt that was decoded is a verifyReceipt response, and goes the way of one.
  func requireAnswer(_ answer: [UInt8]?) throws {
    try answer?.withUnsafeBufferPointer { answer in
      guard texts.value(answer) != nil else { throw Violation("the answer is not JSON") }
      _ = try? conversion.line(of: answer, into: .history)
    }
  }
}
