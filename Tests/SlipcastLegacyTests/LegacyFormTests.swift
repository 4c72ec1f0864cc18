@_spi(Slipcast) import SlipcastLegacy
@_spi(Slipcast) import SlipcastWire
import Testing

@Suite struct LegacyFormTests {
  @Test func aModernNotificationIsRecognised() throws {
    let read = try ReadRecord(Body.notification)
    #expect(read.record.form == .notification)
    #expect(read.record.unifiedReceipt != nil)
    #expect(read.record.transactions.count == 1)
    #expect(read.record.renewals.count == 1)
    #expect(read.record.flat == nil && read.record.receipt == nil && read.record.inApp.isEmpty)
    #expect(read.string(read.record.body, .notification_type) == "DID_RENEW")
  }

  @Test(arguments: ["latest_receipt_info", "latest_expired_receipt_info"])
  func anOldNotificationHasAFlatObject(_ key: String) throws {
    let read = try ReadRecord(#"{"\#(key)":\#(Body.flat),"notification_type":"CANCEL"}"#)
    let flat = try #require(read.record.flat)
    #expect(read.record.form == .notification)
    #expect(read.string(flat, .transaction_id) == "730001200471022")
    #expect(read.record.instant(flat, .expires) == 1_682_011_800_000)
    #expect(read.record.flatIsExpired == (key == "latest_expired_receipt_info"))
    #expect(read.record.transactions.isEmpty)
    #expect(read.findings == [])
  }

  @Test func anAnswerForIOS7IsRecognised() throws {
    let read = try ReadRecord(Body.answer)
    let receipt = try #require(read.record.receipt)
    #expect(read.record.form == .verifyReceipt)
    #expect(read.string(receipt, .bundle_id) == "com.example")
    #expect(read.record.instant(receipt, .creation) == 1_667_294_138_000)
    #expect(read.record.inApp.count == 1)
    #expect(read.record.transactions.count == 1)
    #expect(read.record.renewals.count == 1)
    #expect(read.record.flat == nil)
  }

  @Test func anAnswerForIOS6IsRecognised() throws {
    let read = try ReadRecord(Body.oldAnswer)
    let flat = try #require(read.record.flat)
    #expect(read.record.form == .verifyReceipt)
    #expect(read.record.receipt == nil)
    #expect(read.string(flat, .product_id) == "com.example.monthly")
    #expect(read.record.transactions.count == 1)
    #expect(read.record.integer(read.record.body, .auto_renew_status) == 1)
    #expect(read.findings == [])
  }

  @Test(arguments: [
    #""in_app":[],"original_transaction_id":"1","bundle_id":"com.example""#,
    #""original_transaction_id":"1","bundle_id":"com.example","in_app":[]"#,
  ])
  func aReceiptWithPurchasesIsNoTransactionInAnyOrderOfKeys(_ members: String) throws {
    let read = try ReadRecord(#"{"status":0,"receipt":{\#(members)}}"#)
    #expect(read.record.flat == nil)
    #expect(read.string(try #require(read.record.receipt), .bundle_id) == "com.example")
  }

  @Test(arguments: [
    #""notification_type":"CANCEL","signedPayload":"a.b.c""#, #""signedPayload":"a.b.c","notification_type":"CANCEL""#,
  ])
  func aNotificationTypeMakesANotificationInAnyOrderOfKeys(_ members: String) throws {
    let read = try ReadRecord(#"{\#(members),"latest_receipt_info":\#(Body.flat)}"#)
    #expect(read.record.form == .notification)
  }

  @Test(arguments: [
    #"{"status":21002}"#, #"{"receipt":{"in_app":[]}}"#, #"{"latest_receipt_info":[{"product_id":"x"}]}"#,
    #"{"latest_expired_receipt_info":{"product_id":"x"},"status":21006}"#,
    #"{"environment":"Sandbox","status":21010,"is_retryable":false}"#, #"{"sta\u0074us":21003}"#,
  ])
  func oneKeyOfAnAnswerIsEnough(_ json: String) throws {
    #expect(try ReadRecord(json).record.form == .verifyReceipt)
  }

  /// An empty history would say that the customer bought nothing.
  @Test(arguments: [
    (#"{"status":21006}"#, "missing"), (#"{"status":21006,"receipt":null}"#, "missing"),
    (#"{"status":21006,"latest_receipt":"AAAA"}"#, "missing"), (#"{"receipt":{"foo":1}}"#, "unknownRecord"),
    (#"{"receipt":{"in_app":[]},"latest_receipt_info":"[7]"}"#, "wrongKind"),
    (#"{"receipt":{"in_app":"[7]","bundle_id":"app"}}"#, "wrongKind"),
    (#"{"receipt":{"in_app":["7"]}}"#, "wrongKind"),
  ])
  func anAnswerWithoutReadablePurchasesIsNone(_ json: String, _ code: String) throws {
    let error = #expect(throws: LegacyError.self) { try ReadRecord(json) }
    #expect(error?.code == code)
  }

  @Test(arguments: [
    #"{"receipt":{"in_app":[null,{}]}}"#, #"{"receipt":{"bundle_id":"app"},"latest_receipt_info":[]}"#,
    // Lists in texts, as the lists themselves.
    #"{"receipt":{"in_app":"[null,{}]"}}"#, #"{"receipt":{"in_app":["{}"]}}"#,
    #"{"receipt":{"in_app":[]},"latest_receipt_info":"[{}]"}"#,
  ])
  func aReceiptMayHaveNoPurchases(_ json: String) throws {
    #expect(try ReadRecord(json).record.transactions.isEmpty)
  }

  @Test(arguments: [
    #"{"notification_type":"CONSUMPTION_REQUEST","original_transaction_id":1}"#,
    #"{"notification_type":"CANCEL","web_order_line_item_id":"1"}"#,
    #"{"notification_type":"NEW_TYPE","unified_receipt":{}}"#,
    #"{"notification_type":"DID_RENEW","pending_renewal_info":[{"product_id":"x"}]}"#,
    #"{"status":0,"notification_type":"DID_RENEW","unified_receipt":{"status":0}}"#,
  ])
  func littleIsEnoughForANotification(_ json: String) throws {
    #expect(try ReadRecord(json).record.form == .notification)
  }

  @Test func oneObjectInsteadOfAListIsOneRow() throws {
    let json = Body.notification.with("[\(Body.transaction)]", as: Body.transaction)
      .with("[\(Body.renewal)]", as: Body.renewal)
    let read = try ReadRecord(json)
    #expect(read.string(read.transaction, .transaction_id) == "730001200471022")
    #expect(read.string(read.renewal, .auto_renew_product_id) == "com.example.monthly")
    #expect(read.record.transactions.count == 1 && read.record.renewals.count == 1)
  }

  @Test func aListInsteadOfTheFlatObjectIsReadToo() throws {
    let one = try ReadRecord(#"{"notification_type":"CANCEL","latest_receipt_info":[\#(Body.flat)]}"#)
    #expect(one.record.flat != nil)
    let two = try ReadRecord(#"{"notification_type":"CANCEL","latest_receipt_info":[\#(Body.flat),\#(Body.flat)]}"#)
    #expect(two.record.transactions.count == 2)
  }

  @Test func whatIsNoObjectInAListIsPassedOver() throws {
    let rows = "5,null,\(Body.transaction),\"x\",[],{},\(Body.transaction)"
    let read = try ReadRecord(#"{"status":0,"latest_receipt_info":[\#(rows)]}"#)
    #expect(read.record.transactions.count == 2)
    #expect(
      read.findings == [
        "unusableKind latest_receipt_info[0]", "emptyElement latest_receipt_info[1]",
        "unusableKind latest_receipt_info[3]", "unusableKind latest_receipt_info[4]",
        "emptyElement latest_receipt_info[5]",
      ])
  }

  @Test func renewalsOfTheBodyServeWhereTheReceiptHasNone() throws {
    let json = #"{"notification_type":"DID_RENEW","unified_receipt":{},"pending_renewal_info":[\#(Body.renewal)]}"#
    let read = try ReadRecord(json)
    #expect(read.string(read.renewal, .product_id) == "com.example.monthly")
    let both = Body.notification.with(#""bid":"#, as: #""pending_renewal_info":[{"product_id":"other"}],"bid":"#)
    let own = try ReadRecord(both)
    #expect(own.string(own.renewal, .product_id) == "com.example.monthly")
  }

  @Test func aWrappedBodyIsReadWhereItStands() throws {
    let read = try ReadRecord(
      #"{"id":7,"row":{"body":\#(Body.notification.with("412", as: ""))}}"#, under: ["row", "body"])
    #expect(read.record.form == .notification)
    #expect(read.findings == ["emptyValue bvrs"])
    #expect(read.record.transactions.count == 1)
  }
}
