import SlipcastReports
import SlipcastTestSupport
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

  private static let token = "7e098fe0-e8e2-4bb0-b5f4-e5900ff68d04"

  /// A report in which one id stands wherever a report may have one.
  private static let report = """
    {"verdict":"conflict","pairs":{"matched":1},
    "causes":[
      {"path":"data.transactionInfo.appAccountToken","kind":"recoded","pairs":3,"share":0.5,"from":"0","to":"\(token)"},
      {"path":"data.transactionInfo.expiresDate","kind":"shifted","pairs":74,"share":1,"by":-3600000},
      {"path":"data.status","kind":"recoded","pairs":1,"share":1,"from":1,"to":5,"where":{"productId":"com.example.a"}}],
    "missing":{"legacy":[{"type":"REFUND","originalTransactionId":"\(token)","source":"\(token)","id":"\(token)"}]},
    "entitlement":{"samples":[{"originalTransactionId":"\(token)","legacyId":"\(token)","legacy":{"access":true}}]},
    "differences":[{"path":"data.transactionInfo.items[0].appAccountToken","class":"conflict","pairs":[
      {"originalTransactionId":"\(token)","serverId":"\(token)","legacy":"\(token)","server":"\(token)"}]}]}
    """

  private func page(_ view: String, find: String? = nil, _ redactor: Redactor) throws -> ParityView {
    let query = [("view", view), ("find", find ?? "")]
    return ParityView(
      file: try ParityFile(Array(Self.report.utf8), name: "parity.json"), rules: BuiltIn.rules,
      links: PageLinks(redactor: redactor), hasStore: true, request: PageRequest(path: "/parity", query: query),
      others: [])
  }

  @Test(arguments: ["changes", "missing", "differences", "fields", "undecided"])
  func aReportOfParityIsShownWithoutIds(view: String) throws {
    let redactor = Redactor(pseudonyms: Pseudonyms(secret: "a store"))
    let page = try page(view, redactor)
    for name in [view, "causes"] {
      let table = try #require(page.table(name))
      #expect(!table.csv.contains(Self.token))
      #expect(!table.rows.flatMap(\.cells).contains { $0.link?.contains(Self.token) ?? false })
    }
    let open = try self.page(view, Redactor(pseudonyms: nil))
    #expect(open.table("causes")?.csv.contains("to \(Self.token)") == true)
  }

  @Test func whatACauseHasInCommonIsShown() throws {
    let page = try page("changes", Redactor(pseudonyms: Pseudonyms(secret: "a store")))
    let csv = page.table("causes")?.csv ?? ""
    #expect(csv.contains("\"from 1, to 5, productId com.example.a\"") && csv.contains("V2 1 h earlier"))
  }

  @Test func aPseudonymizedRowIsFoundByItsWholeIdAlone() throws {
    let redactor = Redactor(pseudonyms: Pseudonyms(secret: "a store"))
    #expect(try page("missing", find: Self.token, redactor).table("missing")?.rows.count == 1)
    #expect(try page("missing", find: String(Self.token.prefix(20)), redactor).table("missing")?.rows.isEmpty == true)
  }
}
