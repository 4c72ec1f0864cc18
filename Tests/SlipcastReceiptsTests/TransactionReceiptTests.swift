import SlipcastLegacy
import SlipcastSignatures
import SlipcastTestSupport
import SlipcastWire
import Testing

@testable import SlipcastReceipts

@Suite struct TransactionReceiptTests {
  static let purchase = #"""
    {
    	"transaction-id" = "1000000046178817";
    	"product-id" = "com.example.pass";
    	"bid" = "com.example.slipcast";
    	"purchase-date-ms" = "1335798355868";
    	"purchase-date" = "2012-04-30 15:05:55 Etc/GMT";
    	"expires-date" = "1338390355868";
    	"quantity" = "1";
    }
    """#

  /// A receipt around a purchase, with members put behind `purchase-info`.
  static func list(_ purchase: String, _ members: String = "") -> [UInt8] {
    Array(#"{ "purchase-info" = "\#(Base64.encode(purchase.utf8))"; \#(members) }"#.utf8)
  }

  static func refusal(_ bytes: [UInt8]) -> Refusal.Reason? {
    HandMade.refusal { () throws(Refusal) in _ = try TransactionReceipt(bytes) }
  }

  @Test func theListAndItsBase64SayTheSame() throws {
    let members = #""environment" = "Sandbox"; "pod" = "100"; "signing-status" = "0";"#
    let list = Self.list(Self.purchase, members)
    let encoded = Base64.encode(list)
    let wrapped =
      stride(from: 0, to: encoded.count, by: 64)
      .map { String(encoded.dropFirst($0).prefix(64)) }.joined(separator: "\r\n") + "\n"
    for bytes in [list, Array(encoded.utf8), Array(wrapped.utf8)] {
      let receipt = try TransactionReceipt(bytes)
      #expect(receipt.purchaseInfo == Array(Self.purchase.utf8))
      #expect(receipt.environment == "Sandbox")
      #expect(receipt.pod == "100")
      #expect(receipt.signingStatus == "0")
      #expect(receipt.value("transaction-id") == "1000000046178817")
      #expect(receipt.value("transaction_id") == nil)
    }
  }

  @Test func theAnswerIsVerifyReceiptsOfOldTimes() throws {
    let receipt = try TransactionReceipt(Self.list(Self.purchase, "environment = Sandbox;"))
    #expect(
      String(decoding: receipt.answer, as: UTF8.self)
        == #"{"environment":"Sandbox","receipt":{"transaction_id":"1000000046178817","#
        + #""product_id":"com.example.pass","bid":"com.example.slipcast","purchase_date_ms":"1335798355868","#
        + #""purchase_date":"2012-04-30 15:05:55 Etc/GMT","expires_date":"1338390355868","quantity":"1"}}"#)
    let document = try LegacyDocument(json: receipt.answer)
    #expect(document.flatTransaction?.date(.expires_date)?.milliseconds == 1_338_390_355_868)
    #expect(document.findings.isEmpty)
    let production = try TransactionReceipt(Self.list(Self.purchase))
    #expect(production.environment == nil)
    #expect(String(decoding: production.answer, as: UTF8.self).hasPrefix(#"{"receipt":{"#))
  }

  @Test func aValueCannotBreakOutOfTheAnswer() throws {
    let receipt = try TransactionReceipt(Self.list(#"{ "product-id" = "a\"},\\\U0000{"; "x\"y" = 1; }"#))
    let document = try LegacyDocument(json: receipt.answer)
    #expect(document.flatTransaction?.text(.product_id) == "a\"},\\\0{")
  }

  @Test(
    arguments: [
      (
        #"{ "purchase-date-ms" = "1335798355868"; "purchase-date" = "2020-01-01 00:00:00 Etc/GMT"; }"#,
        1_335_798_355_868
      ),
      (#"{ "purchase-date" = "2012-04-30 15:05:55 Etc/GMT"; }"#, 1_335_798_355_000),
      (#"{ "purchase-date" = "2012-04-30 08:05:55 America/Los_Angeles"; }"#, nil), (#"{ "purchase-date" = ""; }"#, nil),
      (#"{ "purchase-date-ms" = "soon"; "purchase-date" = "2012-04-30 15:05:55 Etc/GMT"; }"#, nil), ("{}", nil),
    ] as [(String, Int64?)])
  func theTimeToJudgeAtIsThePurchases(_ purchase: String, _ milliseconds: Int64?) throws {
    #expect(try TransactionReceipt(Self.list(purchase)).purchaseDate?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    ("", Refusal.Reason.propertyListUnreadable), ("hello world", .propertyListUnreadable),
    ("(a)", .propertyListUnreadable),
    (#"{"signature": "AA==", "purchase-info": {"transaction-id": "1"}}"#, .propertyListUnreadable),
    (#"{ "signature" = "AA=="; }"#, .purchaseInfoMissing), (#"{ "purchase-info" = "***"; }"#, .purchaseInfoMissing),
    ("{ \"purchase-info\" = (a); }", .purchaseInfoMissing),
    (#"{ "purchase-info" = "aGVsbG8gd29ybGQ="; }"#, .propertyListUnreadable),
    (#"{ "purchase-info" = "e30="; "purchase-info" = "e30="; }"#, .keyDuplicate),
    (#"{"purchase-info" = "abc"#, .propertyListUnreadable),
  ])
  func whatIsNoReceiptIsRefused(_ text: String, _ reason: Refusal.Reason) {
    #expect(Self.refusal(Array(text.utf8)) == reason)
    #expect(Self.refusal(Array(Base64.encode(text.utf8).utf8)) == reason)
  }

  @Test(arguments: [
    #"{ "transaction-id" = "1"; "transaction-id" = "2"; }"#, #"{ "transaction-id" = "1"; "transaction\055id" = "2"; }"#,
    #"{ "transaction-id" = "1"; "transaction_id" = "2"; }"#,
  ])
  func aKeyThatStandsTwiceInThePurchaseIsRefused(_ purchase: String) {
    #expect(Self.refusal(Self.list(purchase)) == .keyDuplicate)
  }

  @Test func sizeAndDepthAreBounded() {
    #expect(Self.refusal([UInt8](repeating: 0x20, count: TransactionReceipt.limit + 1)) == .tooLarge)
    let deep = String(repeating: "(", count: 100_000)
    #expect(Self.refusal(Array(deep.utf8)) == .propertyListUnreadable)
    #expect(Self.refusal(Self.list(deep)) == .propertyListUnreadable)
  }

  // MARK: the signature blob

  static func blob(_ bytes: [UInt8]) throws -> TransactionReceipt {
    try TransactionReceipt(list(purchase, #""signature" = "\#(Base64.encode(bytes))";"#))
  }

  static func blobRefusal(_ bytes: [UInt8]) throws -> Refusal.Reason? {
    let receipt = try blob(bytes)
    return HandMade.refusal { () throws(Refusal) in _ = try receipt.blobSignature() }
  }

  @Test func aBlobMustBeOfItsVersionsExactLength() throws {
    let certificate = [UInt8](repeating: 0x30, count: 10)
    func bytes(_ version: UInt8, _ count: Int, _ length: [UInt8], _ rest: [UInt8]) -> [UInt8] {
      [version] + [UInt8](repeating: 7, count: count) + length + rest
    }
    #expect(try Self.blobRefusal([]) == .signatureMissing)
    for version: UInt8 in [0, 1, 4, 0x7B, 0xFF] {
      #expect(try Self.blobRefusal(bytes(version, 256, [0, 0, 0, 10], certificate)) == .signatureVersion)
    }
    for (version, count) in [(UInt8(2), 128), (3, 256)] {
      // The certificate is invalid: everything before it was taken.
      #expect(try Self.blobRefusal(bytes(version, count, [0, 0, 0, 10], certificate)) == .certificateUnreadable)
      for length: [UInt8] in [[0, 0, 0, 9], [0, 0, 0, 11], [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [10, 0, 0, 0]] {
        #expect(try Self.blobRefusal(bytes(version, count, length, certificate)) == .signatureMalformed)
      }
      #expect(try Self.blobRefusal(bytes(version, count, [0, 0, 0, 0], [])) == .signatureMalformed)
      for size in 1..<count + 5 {
        #expect(try Self.blobRefusal(bytes(version, size - 1, [], [])) == .signatureMalformed)
      }
    }
  }

  @Test func aReceiptWithoutASignatureIsReadAndNotTrusted() throws {
    let receipt = try TransactionReceipt(Self.list(Self.purchase))
    #expect(HandMade.refusal { () throws(Refusal) in _ = try receipt.blobSignature() } == .signatureMissing)
  }

  @Test func everyPrefixAndEveryMutationEndsInAReceiptOrARefusal() {
    let members = #""signature" = "\#(Base64.encode([UInt8](repeating: 3, count: 300)))"; "pod" = "1";"#
    let text = Self.list(Self.purchase, members)
    for count in 0..<text.count - 1 { #expect(Self.refusal(Array(text.prefix(count))) != nil) }
    var random = SeededGenerator(seed: 2012)
    for round in 0..<20_000 {
      // Half of them inside the list that is signed.
      let bytes =
        round % 2 == 0
        ? random.mutated(text) : Self.list(String(decoding: random.mutated(Array(Self.purchase.utf8)), as: UTF8.self))
      guard let receipt = try? TransactionReceipt(bytes) else { continue }
      _ = receipt.purchaseDate
      _ = try? receipt.blobSignature()
      _ = try? LegacyDocument(json: receipt.answer)
    }
  }

  /// A certificate cannot be judged at such a time, and no arithmetic must trap over it.
  @Test(arguments: ["-9223372036854775808", "9223372036854775807", "253402300800000", "1e3", "x", ""])
  func aDateBeyondAllTimeIsNoDate(_ date: String) throws {
    let info = Base64.encode(Array("{\"bid\"=\"a\";\"purchase-date-ms\"=\"\(date)\";}".utf8))
    let receipt = try TransactionReceipt(Array("{\"purchase-info\"=\"\(info)\";}".utf8))
    #expect(receipt.purchaseDate == nil)
  }
}
