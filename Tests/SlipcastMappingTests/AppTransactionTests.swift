import SlipcastMapping
import SlipcastV2
import SlipcastWire
import Testing

/// What a receipt says of the app itself.
@Suite struct AppTransactionTests {
  private static let app = #""bundle_id":"com.example.slipcast","application_version":"7""#

  private func convert(_ receipt: String, top: String = #""status":0"#) throws -> Conversion {
    try Shared.converter.convert("{\(top),\"receipt\":{\(receipt)}}", into: .appTransaction)
  }

  @Test(arguments: [
    ("Production", "Production"), ("ProductionVPP", "Production"), ("ProductionSandbox", "Sandbox"),
    ("ProductionVPPSandbox", "Sandbox"), ("Xcode", "Xcode"),
  ])
  func theTypeOfTheReceiptIsTheEnvironment(_ type: String, _ environment: String) throws {
    let conversion = try convert(#""receipt_type":"\#(type)",\#(Self.app)"#)
    #expect(conversion.appTransaction?.receiptType?.rawValue == environment)
  }

  @Test func theEnvironmentOfTheAnswerCountsWithoutAType() throws {
    let conversion = try convert(Self.app, top: #""status":0,"environment":"Sandbox""#)
    #expect(conversion.appTransaction?.receiptType?.known == .sandbox)
  }

  @Test func theLineIsTheTypedValue() throws {
    let conversion = try convert(#""receipt_type":"Production","app_item_id":1234567890,\#(Self.app)"#)
    #expect(
      conversion.json == """
        {"receiptType":"Production","appAppleId":1234567890,"bundleId":"com.example.slipcast","applicationVersion":"7",\
        "migration":{"rule":"receipt.app-transaction","confidence":"documented","inferred":[]}}
        """)
    #expect(conversion.migration?.rule == "receipt.app-transaction")
  }

  @Test func purchasesAndRenewalsAreElsewhere() throws {
    let row =
      #"{"transaction_id":"1","original_transaction_id":"1","product_id":"p","purchase_date_ms":"1700000000000"}"#
    let top = #""status":0,"latest_receipt_info":[\#(row)],"pending_renewal_info":[{"original_transaction_id":"1"}]"#
    let conversion = try convert(#"\#(Self.app),"in_app":[\#(row)]"#, top: top)
    let places = conversion.account.elsewhere.map(\.v1Path).sorted()
    #expect(places == ["latest_receipt_info[0]", "pending_renewal_info[0]", "receipt.in_app[0]"])
  }

  @Test func aVersionThatCannotBeReadLeavesAFinding() throws {
    let conversion = try convert(#""bundle_id":"com.example.slipcast","original_application_version":{"a":1}"#)
    #expect(conversion.appTransaction?.originalApplicationVersion == nil)
    #expect(!conversion.findings.isEmpty)
  }

  @Test(arguments: [
    #"{"notification_type":"DID_RENEW","unified_receipt":{"status":0}}"#,
    #"{"status":0,"latest_receipt_info":[{"transaction_id":"1","product_id":"p","purchase_date_ms":"1700000000000"}]}"#,
    #"{"status":0,"receipt":{"in_app":[]}}"#,
  ])
  func whatSaysNothingOfTheAppIsRefused(_ record: String) {
    let error = #expect(throws: RecordError.self) { try Shared.converter.convert(record, into: .appTransaction) }
    guard case .conversion(let fault) = error else { return #expect(error == nil, "another error") }
    #expect(fault.reason == .noAppReceipt)
  }
}
