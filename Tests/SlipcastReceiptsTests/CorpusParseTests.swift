import Foundation
import SlipcastMapping
import SlipcastSignatures
import SlipcastTestSupport
import SlipcastWire
import Testing

@testable import SlipcastReceipts

/// What can be read of genuine and made-up receipts, whoever signed them.
@Suite(.enabled(if: Corpus.isPresent, "SLIPCAST_CORPUS names no folder of samples"))
struct CorpusParseTests {
  struct Made: Sendable, CustomTestStringConvertible {
    var file: String
    var parse: String
    var transactionId: String?
    var testDescription: String { "\(file): \(parse)" }
  }

  static func made(_ list: String) -> [Made] {
    let manifest = try? CorpusReceiptTests.json("receipts/synthetic/made/manifest.json")
    return (manifest?[list] as? [[String: Any]] ?? []).map { entry in
      Made(
        file: entry["file"] as? String ?? "", parse: entry["parse"] as? String ?? "",
        transactionId: entry["transactionId"] as? String)
    }
  }

  @Test(arguments: made("app"))
  func everyMadeUpAppReceiptIsReadAsItsManifestSays(_ made: Made) throws {
    let bytes = try Corpus.bytes("receipts/synthetic/made/" + made.file)
    let reason = HandMade.refusal { () throws(Refusal) in
      _ = try AppReceipt(unverified: bytes, rules: HandMade.rules)
    }
    switch made.parse {
    case "ok", "ok-nil": #expect(reason == nil)
    // A bundle id that is not UTF-8 is kept as bytes: the verifier rejects it.
    case "error": #expect((reason != nil) != made.file.contains("bad-38"))
    default: #expect(made.parse.contains("-or-"))
    }
  }

  @Test(arguments: made("legacy"))
  func everyMadeUpTransactionReceiptIsReadAsItsManifestSays(_ made: Made) throws {
    let bytes = try Corpus.bytes("receipts/synthetic/made/" + made.file)
    #expect((try? TransactionReceipt(bytes))?.value("transaction-id") == made.transactionId, "\(made.file)")
  }

  @Test func everyGenuineTransactionReceiptIsReadAsItWasDecoded() throws {
    let list = try JSONSerialization.jsonObject(with: Data(try Corpus.bytes("receipts/expected/legacy.json")))
    let legacy = try #require(list as? [[String: Any]])
    #expect(legacy.count >= 4)
    for expected in legacy {
      let file = try #require((expected["file"] as? String)?.split(separator: " ").first.map(String.init))
      var bytes = try Corpus.bytes("receipts/" + file)
      if file.hasSuffix(".json") {
        let envelope = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        bytes = Array(try #require(envelope?["Payload"] as? String).utf8)
      }
      let text = try ReceiptText(bytes)
      #expect(text.form == .transactionReceipt)
      let receipt = try TransactionReceipt(text.bytes)
      #expect(receipt.environment == expected["environment"] as? String)
      #expect(receipt.pod == expected["pod"] as? String)
      #expect(receipt.signingStatus == expected["signing-status"] as? String)
      let purchase = try #require(expected["purchaseInfo"] as? [String: String])
      for (key, value) in purchase { #expect(receipt.value(key) == value, "\(key)") }
      let answer = try JSONSerialization.jsonObject(with: Data(receipt.answer)) as? [String: Any]
      let flat = try #require(answer?["receipt"] as? [String: String])
      #expect(flat == Dictionary(uniqueKeysWithValues: purchase.map { ($0.replacing("-", with: "_"), $1) }))
      let signature = expected["signature"] as? [String: Any]
      let blob = try? receipt.blobSignature()
      #expect(blob.map { Int($0.version) } == signature?["version"] as? Int)
      let certificate = signature?["certificate"] as? [String: Any]
      #expect(blob?.certificates.first?.sha256.lowercased() == certificate?["sha256"] as? String)
    }
  }

  @Test(arguments: [
    ("receipt", "Sandbox"), ("receipt-double-wrapped", "Sandbox"), ("receipt-type-production", "Production"),
    ("receipt-type-vpp", "Production"), ("receipt-type-vpp-sandbox", "Sandbox"), ("receipt-no-type", nil),
  ])
  func aPeersReceiptsAreRead(_ name: String, _ environment: String?) throws {
    let bytes = try Corpus.bytes("receipts/synthetic/emindeniz99/\(name).der")
    let receipt = try AppReceipt(unverified: bytes, rules: HandMade.rules)
    #expect(receipt.environment == environment)
    #expect(receipt.bundleIdentifier == "com.example.app")
    #expect(HandMade.refusal { () throws(Refusal) in _ = try receipt.requiredCreationDate() } == nil)
  }

  @Test func whatIsNoReceiptIsRefused() throws {
    let bytes = try Corpus.bytes("receipts/app/ideasoncanvas-not-a-receipt.bin")
    #expect(HandMade.refusal { () throws(Refusal) in _ = try ReceiptText(bytes) } == .unrecognized)
  }
}
