@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastV2

/// V2 records are recognized by what only they have, and read in the shapes that people store.
@Suite struct V2EnvelopeTests {
  static func form(_ json: String) -> V2Form? { JSONReader(names: []).parse(JSONBuffer(json.utf8)) { V2Form($0) } }

  static func plain(_ json: String) -> String? {
    JSONReader(names: []).parse(JSONBuffer(json.utf8)) { V2Envelope.plain($0.tape, $0.index) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  static let transaction =
    #"{"transactionId":"830000417700041","bundleId":"com.example.slipcast","purchaseDate":1675242061000}"#
  static let notification =
    #"{"notificationType":"TEST","signedDate":7,"data":{"bundleId":"b","transactionInfo":\#(transaction)}}"#

  static let forms: [(String, V2Form?)] = [
    (notification, .notification), (#"{"signedPayload":"a.b.c"}"#, .signedPayload), (transaction, .transaction),
    (#"{"signedPayload":null}"#, .signedPayload), (#"{"notificationUUID":"u"}"#, .notification),
    (#"{"notificationHistory":[]}"#, .notificationHistory), (#"{"signedTransactions":[]}"#, .history),
    (#"{"transactions":[\#(transaction)]}"#, .history), (#"{"bundleId":"b","transactions":[]}"#, .history),
    (#"{"data":[],"environment":"Sandbox"}"#, .statuses), (#"{"data":[{"lastTransactions":[]}]}"#, .statuses),
    (#"{"signedRenewalInfo":"a.b.c"}"#, .parts), (#"{"transactionInfo":{}}"#, .parts),
    (#"{"autoRenewStatus":1,"originalTransactionId":"1"}"#, .renewalInfo),
    (#"{"receiptType":"Sandbox","bundleId":"b"}"#, .appTransaction),
    (#"{"summary":{},"signedDate":7}"#, .notification), (#"{"data":{"signedTransactionInfo":"a.b.c"}}"#, .notification),
    (#"{"notification_type":"DID_RENEW"}"#, .legacy), (#"{"purchase_date_ms":"1"}"#, .legacy),
    // Names that others use too.
    (#"{"data":{"foo":1}}"#, nil), (#"{"data":[1]}"#, nil), (#"{"transactionId":"1"}"#, nil),
    (#"{"transactionId":"1","productId":"p","transactionReceipt":"MI"}"#, nil), (#"{"transactions":[1]}"#, nil),
    (#"{"summary":"words"}"#, nil), (#"{"notificationType":4,"version":"1.0"}"#, nil), (#"{"autoRenewStatus":1}"#, nil),
    (#"{"notificationType":"DID_RENEW","unifiedReceipt":{}}"#, nil), ("[]", nil), ("{}", nil),
  ]

  @Test(arguments: forms.indices)
  func aFormIsRecognizedByWhatOnlyItHas(_ place: Int) {
    let (json, form) = Self.forms[place]
    #expect(Self.form(json) == form, "\(json)")
  }

  static let shapes: [(String, String)] = [
    (#"{"signedTransactionInfo":\#(transaction)}"#, #"{"transactionInfo":\#(transaction)}"#),
    (#"{"signedTransactions":[\#(transaction)]}"#, #"{"transactions":[\#(transaction)]}"#),
    (
      #"{"notificationType":"TEST","data":{"signedRenewalInfo":{"autoRenewStatus":1}}}"#,
      #"{"notificationType":"TEST","data":{"renewalInfo":{"autoRenewStatus":1}}}"#
    ),
    (
      #"{"data":[{"lastTransactions":[{"signedTransactionInfo":{"transactionId":"1"}}]}]}"#,
      #"{"data":[{"lastTransactions":[{"transactionInfo":{"transactionId":"1"}}]}]}"#
    ),
    (
      #"{"notificationType":"TEST","data":"{\"bundleId\":\"b\"}"}"#,
      #"{"notificationType":"TEST","data":{"bundleId":"b"}}"#
    ),
    (
      #"{"notification":{"notificationType":"TEST","data":{"bundleId":"b"}},"transaction":{"transactionId":"1"},"renewal":"a.b.c","mine":7}"#,
      #"{"notificationType":"TEST","mine":7,"data":{"bundleId":"b","transactionInfo":{"transactionId":"1"},"signedRenewalInfo":"a.b.c"}}"#
    ),
    (
      #"{"notification_type":"TEST","notification_uuid":"u","signed_date":"7","data":{"app_apple_id":8,"transaction_info":{"web_order_line_item_id":"9"}},"my_own":1}"#,
      #"{"notificationType":"TEST","notificationUUID":"u","signedDate":"7","data":{"appAppleId":8,"transactionInfo":{"webOrderLineItemId":"9"}},"my_own":1}"#
    ),
    (
      #"{"notification_uuid":"u","data.bundle_id":"b","data.signed_transaction_info":"a.b.c","data.transaction_info.price":1}"#,
      #"{"notificationUUID":"u","data":{"bundleId":"b","signedTransactionInfo":"a.b.c","transactionInfo":{"price":1}}}"#
    ),
  ]

  @Test(arguments: shapes.indices)
  func anotherShapeBecomesApples(_ place: Int) {
    #expect(Self.plain(Self.shapes[place].0) == Self.shapes[place].1)
    #expect(Self.plain(Self.shapes[place].1) == nil)
  }

  @Test(arguments: [
    notification, transaction, #"{"notification_type":"CANCEL","unified_receipt":{}}"#, "{}", "[]", #"{"data":{}}"#,
    #"{"notification":"words"}"#, #"{"notification":{"a":1},"transaction":{}}"#,
  ])
  func recordsInTheirShapeStayAsTheyAre(_ json: String) {
    let plain = Self.plain(json)
    #expect(plain == nil || plain == json)
  }
}
