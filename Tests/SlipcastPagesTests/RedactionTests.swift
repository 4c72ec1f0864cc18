import Testing

@testable import SlipcastPages

/// What --redact makes of ids.
@Suite struct RedactionTests {
  private static let ids = [
    "1", "570000000000017", "7f0c5bb2-58c4-4c0c-9d53-2f8c1f0a3d11", "ünïcode/../x", String(repeating: "x", count: 5000),
  ]

  @Test(arguments: ids) func anIdComesBackFromItsLinkAlone(id: String) {
    let pseudonyms = Pseudonyms(secret: "a store")
    let sealed = pseudonyms.sealed(id)
    #expect(pseudonyms.opened(sealed) == id)
    #expect(!sealed.contains(id) || id == "1")
    #expect(Pseudonyms(secret: "a store").sealed(id) == sealed)
    #expect(Pseudonyms(secret: "another store").opened(sealed) == nil)
  }

  @Test func everyChangeOfALinkIsNoticed() {
    let pseudonyms = Pseudonyms(secret: "a store")
    let sealed = Array(pseudonyms.sealed("570000000000017"))
    for place in sealed.indices.dropFirst() {
      var changed = sealed
      changed[place] = changed[place] == "0" ? "1" : "0"
      #expect(pseudonyms.opened(String(changed)) == nil)
    }
    for text in ["~", "~00", "~zz", "", "570000000000017", String(sealed.dropLast())] {
      #expect(pseudonyms.opened(text) == nil)
    }
  }

  @Test(arguments: [
    ("originalTransactionId", "\"570000000000017\"", true), ("original_transaction_id", "570000000000017", true),
    ("appAccountToken", "\"7f0c5bb2\"", true), ("latest_receipt", "\"AAAA\"", true), ("anything new", "12", true),
    ("productId", "\"com.example.slipcast.monthly\"", false), ("expiresDate", "1736000000000", false),
    ("anything new", "true", false), ("anything new", "null", false),
  ]) func onlyMembersThatNameNobodyAreShown(member: String, value: String, isHidden: Bool) {
    let redactor = Redactor(pseudonyms: Pseudonyms(secret: "a store"))
    let shown = redactor.shown(value, of: member)
    #expect((shown != value) == isHidden)
    #expect(Redactor(pseudonyms: nil).shown(value, of: member) == value)
  }

  @Test func aRecordIsShownWithoutIds() {
    let body =
      #"{"data":{"transactionInfo":{"transactionId":"570000000000017","productId":"com.example.slipcast.a"}},"x":["570000000000018"]}"#
    let text = RecordText.lines(of: Array(body.utf8), Redactor(pseudonyms: Pseudonyms(secret: "a store"))) ?? ""
    #expect(!text.contains("5700000000000"))
    #expect(text.contains("com.example.slipcast.a"))
  }
}
