import SlipcastLegacy
import SlipcastTestSupport
import SlipcastWire
import Testing

@Suite struct LegacyDocumentTests {
  @Test func givesEveryObjectOfANotification() throws {
    let document = try LegacyDocument(json: try Fixture.named("notifications/did-renew").bytes("v1.json"))
    #expect(document.form == .notification)
    #expect(document.body.text(.notification_type) == "DID_RENEW")
    #expect(document.body.flag(.auto_renew_status) == true)
    #expect(document.unifiedReceipt?.integer(.status) == 0)
    #expect(document.transactions.count >= 2)
    #expect(document.transactions.first?.date(.expires_date_pst) == Timestamp(milliseconds: 1_682_011_800_000))
    #expect(document.renewals.first?.flag(.auto_renew_status) == true)
    #expect(document.findings.isEmpty)
  }

  @Test func neverHoldsTheSecret() throws {
    let document = try LegacyDocument(json: try Fixture.named("notifications/did-renew").bytes("v1.json"))
    #expect(document.body.text(.password) == nil)
    #expect(!document.body.keys.contains(.password))
  }

  @Test func readsEverySpellingOfAValue() throws {
    let json = """
      {"status":0,"receipt":{"bundle_id":"com.example","in_app":[{"quantity":2,"is_trial_period":"1",
      "transaction_id":500880970751784867,"purchase_date":"2022-11-01 09:15:38 Etc/GMT"}]}}
      """
    let entry = try #require(try LegacyDocument(json: json).inApp.first)
    #expect(entry.integer(.quantity) == 2)
    #expect(entry.flag(.is_trial_period) == true)
    #expect(entry.text(.transaction_id) == "500880970751784867")
    #expect(entry.date(.purchase_date_ms)?.description == "2022-11-01T09:15:38Z")
    #expect(entry.date(.expires_date_ms) == nil)
  }

  @Test func namesWhatIsUnusual() throws {
    let document = try LegacyDocument(json: try Fixture.named("notifications/date-three-digit-year").bytes("v1.json"))
    #expect(
      document.findings.contains { $0.drift == .malformedDate && $0.path.description.contains("latest_receipt_info[") })
  }
}
