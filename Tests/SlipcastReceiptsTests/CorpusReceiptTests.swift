import Foundation
import SlipcastLegacy
import SlipcastMapping
import SlipcastReceipts
import SlipcastSignatures
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

/// Genuine and made-up receipts, with what is known of each.
@Suite(.enabled(if: Corpus.isPresent, "SLIPCAST_CORPUS names no folder of samples"))
struct CorpusReceiptTests {
  static let rules = try? RuleSet.builtIn()
  static let decoded = Corpus.names("receipts/expected").filter { !$0.contains("verifyReceipt") && $0 != "legacy.json" }

  static func json(_ path: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(try Corpus.bytes(path)))
    return try #require(object as? [String: Any])
  }

  @Test(arguments: decoded)
  func everyReceiptDecodesToWhatIsKnownOfIt(_ file: String) throws {
    let expected = try Self.json("receipts/expected/" + file)
    let path = try #require(expected["file"] as? String)
    let receipt = try ReceiptText(
      try Corpus.bytes(path.hasPrefix("..") ? String(path.dropFirst(3)) : "receipts/" + path))
    let shown = try Shown(receipt, try #require(Self.rules))
    let attributes = try #require(expected["attributes"] as? [[String: Any]])
    for attribute in attributes { shown.expect(attribute, nil) }
    let purchases = try #require(expected["inApp"] as? [[String: Any]])
    #expect(shown.purchases.count == purchases.count)
    for (place, purchase) in purchases.enumerated() {
      for (type, value) in purchase {
        shown.expect(["type": try #require(Int(type)), "value": value], place)
      }
    }
  }

  @Test func applesOwnAnswerForAReceiptSaysTheSame() throws {
    let receipt = try ReceiptText(try Corpus.bytes("receipts/app/revenuecat-sandbox-sample1.b64"))
    let shown = try Shown(receipt, try #require(Self.rules))
    let answer = try #require(
      try Self.json("receipts/expected/revenuecat-sandbox-sample1.verifyReceipt.json")["receipt"] as? [String: Any])
    func compare(_ ours: [String: Any], _ theirs: [String: Any]) {
      for (key, value) in theirs where !key.hasPrefix("request_date") && key != "in_app" {
        if key.hasSuffix("_date") || key.hasSuffix("_pst") { continue }
        #expect("\(ours[key] ?? "nothing")" == "\(value)", "\(key)")
      }
    }
    compare(shown.receipt, answer)
    let theirs = try #require(answer["in_app"] as? [[String: Any]])
    #expect(theirs.count == shown.purchases.count)
    for (ours, theirs) in zip(shown.purchases, theirs) { compare(ours, theirs) }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var file: String
    var parse: String
    var verify: String
    var testDescription: String { "\(file): \(verify)" }
  }

  static let made: [Case] = {
    guard let manifest = try? json("receipts/synthetic/made/manifest.json") else { return [] }
    return ["app", "legacy"].flatMap { manifest[$0] as? [[String: Any]] ?? [] }.map { entry in
      Case(
        file: entry["file"] as? String ?? "", parse: entry["parse"] as? String ?? "",
        verify: entry["verify"] as? String ?? "")
    }
  }()

  @Test(arguments: made)
  func everyMadeUpReceiptGetsItsVerdict(_ expected: Case) throws {
    let folder = "receipts/synthetic/made/"
    func certificates(_ names: String...) throws -> [Certificate] {
      try names.flatMap { try TrustAnchors.certificates(in: Corpus.bytes(folder + "pki/\($0).der")) }
    }
    var policy = VerificationPolicy()
    policy.anchors = TrustAnchors(
      roots: try certificates("root"),
      intermediates: expected.file.hasPrefix("legacy")
        ? try certificates("intermediate", "itunes-store-intermediate") : [])
    policy.bundleId = "com.example.synthetic"
    let verifier = SignedRecordVerifier(policy: policy, rules: try #require(Self.rules))
    let bytes = try Corpus.bytes(folder + expected.file)
    // A reader of transaction receipts is given what it was made for; which it is given is not guessed.
    let isLegacy = expected.file.hasPrefix("legacy")
    let receipts = ReceiptVerifier(policy: policy, rules: try #require(Self.rules))
    let verdict =
      isLegacy
      ? receipts.verify(transactionReceipt: bytes) : verifier.verify(text: bytes.span)
    let reason = verdict.refusal.map { "\($0.reason)" } ?? "ok"
    let wanted = expected.verify
    if wanted.hasPrefix("ok"), !wanted.hasPrefix("ok-or") {
      #expect(verdict.isValid, "\(reason)")
    } else if wanted.hasPrefix("ok-or") || wanted.hasSuffix("-or-skip") {
      // Either is right; ours is in `settled`.
      #expect(reason == Self.settled[expected.file], "\(reason)")
    } else {
      #expect(!verdict.isValid)
      if let reasons = Self.reasons[wanted] { #expect(reasons.contains(reason), "\(wanted): \(reason)") }
    }
  }

  static let reasons: [String: Set<String>] = [
    "signature": ["signatureMismatch", "signatureMissing"],
    "chain": [
      "untrustedRoot", "issuerMissing", "certificateExpired", "certificateNotYetValid", "issuerNotAuthority",
      "certificatesMissing", "certificateSignature", "pathLength",
    ],
    "purpose": ["leafMarkerMissing", "intermediateMarkerMissing", "pathLength"],
    "policy": ["xcodeNotAccepted"],
    "bundle-mismatch": ["textMalformed", "bundleIdMismatch"],
  ]

  static let settled = [
    "app/ok-12-type-integer-padded.der": "ok", "app/bad-35-integer-range.der": "ok",
    "app/bad-34-in-app-missing-required.der": "ok", "app/bad-42-in-app-is-sequence.der": "receiptMalformed",
    "app/bad-44-attribute-four-elements.der": "receiptMalformed", "app/bad-36-integer-overflow-empty.der": "ok",
    "app/bad-37-type-9-bytes.der": "receiptMalformed",
    "app/bad-55-in-app-trailing-bytes.der": "receiptMalformed",
    "app/bad-56-payload-trailing-bytes.der": "receiptMalformed",
  ]
}

/// A receipt as `inspect` shows it.
struct Shown {
  let receipt: [String: Any]
  let purchases: [[String: Any]]
  let attributes: [[String: Any]]

  init(_ text: ReceiptText, _ rules: RuleSet) throws {
    let writer = JSONWriter()
    writer.byte(UInt8(ascii: "{"))
    try AppReceipt(unverified: text.bytes, rules: rules).writeInspection(to: writer)
    writer.byte(UInt8(ascii: "}"))
    let object = try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any] ?? [:]
    receipt = object["receipt"] as? [String: Any] ?? [:]
    purchases = receipt["in_app"] as? [[String: Any]] ?? []
    attributes = object["attributes"] as? [[String: Any]] ?? []
  }

  /// Expects an attribute as it was decoded by another reader.
  func expect(_ expected: [String: Any], _ purchase: Int?) {
    guard let type = expected["type"] as? Int else { return }
    let rule = CorpusReceiptTests.rules?.receiptAttributes.first { $0.type == type }
    if let rule, let key = rule.keys.first, key.name != "product_type", rule.encoding != .set {
      let object = purchase.map { purchases[$0] } ?? receipt
      let value = "\(expected["value"] ?? "")"
      let spelled =
        switch rule.encoding {
        case .date: RFC3339Date.milliseconds(Array(value.utf8)).map { "\($0)" }
        case .flag: value == "1" ? "true" : "false"
        case .identifier: value == "0" ? nil : value
        default: value.isEmpty ? nil : value
        }
      for key in rule.keys { #expect(object[key.name].map { "\($0)" } == spelled, "\(type) \(key.name)") }
    } else if rule?.encoding != .set {
      let found = attributes.first { $0["type"] as? Int == type && $0["in_app"] as? Int == purchase }
      #expect(found != nil, "attribute \(type)")
      if let hex = expected["valueHex"] as? String { #expect((found?["hex"] as? String)?.lowercased() == hex) }
      if let value = expected["value"], let found {
        #expect("\(found["value"] ?? "")" == "\(value)", "attribute \(type)")
      }
    }
  }
}
