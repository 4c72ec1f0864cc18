import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastSignatures

@Suite struct PayloadSignerTests {
  private let signer: PayloadSigner

  init() throws { signer = PayloadSigner(identity: try TestIdentity.make()) }

  /// A signed record with every token replaced by its payload, in angle brackets.
  private func opened(_ json: String, fallback: Int64? = nil) throws -> String {
    Self.open(try signer.sign(json, fallback: fallback.map(Timestamp.init(milliseconds:))))
  }

  private static func open(_ text: String) -> String {
    text.split(separator: "\"", omittingEmptySubsequences: false).map { part in
      guard let token = CompactJWS(part) else { return String(part) }
      return "<\(open(String(decoding: token.payload, as: UTF8.self)))>"
    }.joined(separator: "\"")
  }

  // MARK: wire shapes

  @Test func aNotificationBecomesASignedPayload() throws {
    let json = """
      {"notificationType":"DID_RENEW","version":"2.0","signedDate":1700000000001,"data":{"bundleId":"a.b",\
      "environment":"Production","transactionInfo":{"transactionId":"2","purchaseDate":5},"renewalInfo":\
      {"productId":"x"},"status":1},"migration":{"rule":"type.renew","inferred":["signedDate"]}}
      """
    #expect(
      try opened(json) == """
        {"signedPayload":"<{"notificationType":"DID_RENEW","version":"2.0","signedDate":1700000000001,"data":\
        {"bundleId":"a.b","environment":"Production","signedTransactionInfo":"<{"transactionId":"2","purchaseDate":5,\
        "signedDate":1700000000001}>","signedRenewalInfo":"<{"productId":"x","signedDate":1700000000001}>",\
        "status":1}}>"}
        """)
  }

  @Test func aHistoryHoldsSignedTransactions() throws {
    let json = """
      {"environment":"Sandbox","bundleId":"a.b","hasMore":false,"transactions":[{"transactionId":"1",\
      "purchaseDate":10},{"transactionId":"2","signedDate":30}],"migration":{"rule":"receipt.history"}}
      """
    #expect(
      try opened(json, fallback: 20) == """
        {"environment":"Sandbox","bundleId":"a.b","hasMore":false,"signedTransactions":["<{"transactionId":"1",\
        "purchaseDate":10,"signedDate":20}>","<{"transactionId":"2","signedDate":30}>"]}
        """)
  }

  @Test func anEmptyHistoryStaysOne() throws {
    #expect(try opened(#"{"hasMore":false,"transactions":[]}"#) == #"{"hasMore":false,"signedTransactions":[]}"#)
  }

  @Test func statusesHoldSignedParts() throws {
    let json = """
      {"bundleId":"a.b","data":[{"subscriptionGroupIdentifier":"7","lastTransactions":[{"status":1,\
      "originalTransactionId":"1","transactionInfo":{"purchaseDate":10},"renewalInfo":\
      {"recentSubscriptionStartDate":9,"renewalDate":99}}]},{"lastTransactions":[]}],"migration":{}}
      """
    #expect(
      try opened(json) == """
        {"bundleId":"a.b","data":[{"subscriptionGroupIdentifier":"7","lastTransactions":[{"status":1,\
        "originalTransactionId":"1","signedTransactionInfo":"<{"purchaseDate":10,"signedDate":10}>",\
        "signedRenewalInfo":"<{"recentSubscriptionStartDate":9,"renewalDate":99,"signedDate":9}>"}]},\
        {"lastTransactions":[]}]}
        """)
  }

  @Test(arguments: [
    (
      #"{"transactionId":"1","purchaseDate":4,"expiresDate":9}"#,
      #"{"signedTransactionInfo":"<{"transactionId":"1","purchaseDate":4,"expiresDate":9,"signedDate":4}>"}"#
    ),
    (
      #"{"autoRenewStatus":1,"signedDate":8}"#,
      #"{"signedRenewalInfo":"<{"autoRenewStatus":1,"signedDate":8}>"}"#
    ),
    (
      #"{"receiptType":"Sandbox","bundleId":"a.b","receiptCreationDate":8}"#,
      #"{"signedAppTransactionInfo":"<{"receiptType":"Sandbox","bundleId":"a.b","receiptCreationDate":8}>"}"#
    ),
    (
      #"{"receiptType":"Sandbox","originalPurchaseDate":8}"#,
      #"{"signedAppTransactionInfo":"<{"receiptType":"Sandbox","originalPurchaseDate":8,"receiptCreationDate":8}>"}"#
    ),
    (
      #"{"status":1,"transactionInfo":{"purchaseDate":3},"renewalInfo":null}"#,
      #"{"status":1,"signedTransactionInfo":"<{"purchaseDate":3,"signedDate":3}>"}"#
    ),
    (
      #"{"notificationType":"RESCIND_CONSENT","signedDate":5,"appData":{"appTransactionInfo":{"bundleId":"a"}}}"#,
      #"{"signedPayload":"<{"notificationType":"RESCIND_CONSENT","signedDate":5,"appData":{"signedAppTransactionInfo":"#
        + #""<{"bundleId":"a","receiptCreationDate":5}>"}}>"}"#
    ),
    (
      #"{"notificationType":"TEST","signedDate":5,"data":{"bundleId":"a"}}"#,
      #"{"signedPayload":"<{"notificationType":"TEST","signedDate":5,"data":{"bundleId":"a"}}>"}"#
    ),
  ])
  func partsHaveTheNamesThatAppleGivesThem(_ json: String, _ expected: String) throws {
    #expect(try opened(json) == expected)
  }

  // MARK: copying

  @Test func valuesAreCopiedByteForByteAndBlanksLeftOut() throws {
    let json = """
      { "transactionId" : "1\\u00e9\\/\\n é" ,
        "price" : 1.50e+3, "bundleId":"a", "purchaseDate": 1697679936049.7297,
        "new" : [ {"a" : null} , true, -0, 12345678901234567890123 ], "signedDate":null }
      """
    #expect(
      try opened(json) == """
        {"signedTransactionInfo":"<{"transactionId":"1\\u00e9\\/\\n é","price":1.50e+3,"bundleId":"a",\
        "purchaseDate":1697679936049.7297,"new":[{"a":null},true,-0,12345678901234567890123],\
        "signedDate":1697679936049}>"}
        """)
  }

  // MARK: dates

  @Test func aDateComesFromThePayloadThenTheNotificationThenTheCallerThenThePast() throws {
    let inside =
      #"{"notificationType":"T","signedDate":50,"data":{"transactionInfo":{"purchaseDate":1,"signedDate":7}}}"#
    #expect(try opened(inside, fallback: 99).contains(#""purchaseDate":1,"signedDate":7}>"#))
    let outside = #"{"notificationType":"T","signedDate":50,"data":{"transactionInfo":{"purchaseDate":1}}}"#
    #expect(try opened(outside, fallback: 99).contains(#""purchaseDate":1,"signedDate":50}>"#))
    let undated = #"{"notificationType":"T","data":{"transactionInfo":{"purchaseDate":1,"expiresDate":80}}}"#
    #expect(try opened(undated, fallback: 99).hasSuffix(#""signedDate":99}>"},"signedDate":99}>"}"#))
    #expect(try opened(undated).hasSuffix(#""signedDate":1}>"},"signedDate":1}>"}"#))
  }

  @Test func theLatestDateOfThePastDecides() throws {
    let json = """
      {"transactionId":"1","originalPurchaseDate":3,"purchaseDate":4,"revocationDate":6,"expiresDate":900,"preorderDate":99999999999999,\
      "advancedCommerceInfo":{"items":[{"refunds":[{"refundDate":5}]}]},"commitmentInfo":{"commitmentExpiresDate":700}}
      """
    #expect(try opened(json).hasSuffix(#","signedDate":6}>"}"#))
  }

  // MARK: refusals

  @Test(arguments: [
    (#"{"signedPayload":"a.b.c"}"#, "alreadySigned", "signedPayload"),
    (#"{"signedTransactions":[],"hasMore":false}"#, "alreadySigned", "signedTransactions"),
    (#"{"bundleId":"a","transactions":["a.b.c"]}"#, "alreadySigned", "transactions[0]"),
    (
      #"{"notificationType":"T","signedDate":1,"data":{"signedTransactionInfo":"a.b.c"}}"#, "alreadySigned",
      "data.signedTransactionInfo"
    ),
    (#"{"notification_type":"DID_RENEW"}"#, "legacy", ""),
    (#"{"latest_receipt_info":[]}"#, "legacy", ""),
    (#"{"hello":1}"#, "unknownForm", ""),
    ("{}", "unknownForm", ""),
    ("[1]", "unknownForm", ""),
    (#""a.b.c""#, "unknownForm", ""),
    (#"{"transactionId":"1","bundleId":"a"}"#, "dateMissing", "signedDate"),
    (#"{"transactionId":"1","expiresDate":4}"#, "dateMissing", "signedDate"),
    (#"{"notificationType":"TEST"}"#, "dateMissing", "signedDate"),
    (#"{"transactions":[{"purchaseDate":1},{"productId":"x"}]}"#, "dateMissing", "transactions[1].signedDate"),
    (#"{"transactionId":"1","bundleId":"a","purchaseDate":99999999999999}"#, "dateMissing", "signedDate"),
    (#"{"transactionId":"1","signedDate":"five"}"#, "dateUnreadable", "signedDate"),
    (#"{"transactionId":"1","signedDate":5,"password":"x"}"#, "secret", "password"),
    (#"{"notificationType":"T","signedDate":5,"data":{"x":[{"password":null}]}}"#, "secret", "data.x[0].password"),
    (#"{"transactions":{}}"#, "unknownForm", ""),
    (#"{"bundleId":"a","transactions":[1]}"#, "wrongKind", "transactions[0]"),
    (#"{"bundleId":"a","data":[1]}"#, "wrongKind", "data[0]"),
    (#"{"data":[{"lastTransactions":4}]}"#, "wrongKind", "data[0].lastTransactions"),
    (
      #"{"data":[{"lastTransactions":[{"transactionInfo":4}]}]}"#, "wrongKind",
      "data[0].lastTransactions[0].transactionInfo"
    ),
    (#"{"transactionId":"1""#, "incomplete", "transactionId"),
  ])
  func whatCannotBeSignedIsRefusedWithItsPlace(_ json: String, _ code: String, _ path: String) throws {
    let error = #expect(throws: SigningError.self) { try signer.sign(json) }
    #expect(error?.code == code)
    #expect(error?.path.description == path)
    #expect(error?.description.contains(path.isEmpty ? "expected " : "\(path): ") == true)
  }

  @Test func afterARefusalNothingIsAppended() throws {
    let text = try ReadText(#"{"transactions":[{"purchaseDate":1},{}]}"#)
    let writer = JSONWriter()
    writer.raw("before")
    #expect(throws: SigningError.self) { try signer.sign(text.root, fallback: nil, to: writer) }
    #expect(writer.string == "before")
  }

  @Test func everyFixtureOfVersion2CanBeSignedAndKeepsItsValues() throws {
    var count = 0
    for fixture in Fixture.cases("notifications") + Fixture.cases("receipts") where fixture.exists("v2.json") {
      let json = try fixture.bytes("v2.json")
      let signed = try signer.sign(json, fallback: Timestamp(milliseconds: 1_600_000_000_000))
      #expect(!signed.contains("\n") && !signed.contains("migration"), "\(fixture)")
      // What cannot be read is left out of an answer, so a subscription may have a renewal only.
      let members = [
        "signedPayload", "signedTransaction", "signedAppTransactionInfo", "signedRenewalInfo", "[]", "lastTransactions",
      ]
      #expect(members.contains { signed.contains($0) }, "\(fixture)")
      count += 1
    }
    #expect(count > 100)
  }
}
