import Foundation
import SlipcastTestSupport
import Testing

/// The page that `timeline --report` draws.
@Suite struct LifePageTests {
  private static let archive = Fixture.root.appendingPathComponent("archives/subscription/v1.ndjson").path
  private static let rows = "--body /body --received-at /received_at"

  private func shell(_ lines: String) throws -> Program {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    return try Program.shell("cd '\(folder.path)'\n\(lines)")
  }

  @Test func thePageShowsAccessRefundsAndReasonsWithoutScriptsOrNetwork() throws {
    let run = try shell(
      "slipcast timeline --quiet \(Self.rows) '\(Self.archive)' --report life.html > /dev/null; cat life.html")
    let page = run.output.replacing(/<\/?span[^>]*>/, with: "")
    let sentence =
      "Has no access since 12 June 2022, 07:45 UTC: Apple refunded the purchase; 3 periods paid; 1 period refunded"
    #expect(page.contains(sentence), "the refund of the last period ends access; the trial is not paid")
    #expect(page.contains("1 free trial not counted."))
    #expect(page.contains("DID_CHANGE_RENEWAL_PREF/UPGRADE"))
    #expect(page.contains("never sent by V1"))
    #expect(!page.contains("<script") && !page.contains("http://") && !page.contains("src="))
  }

  @Test func onePageIsOfOneSubscription() throws {
    let folder = Fixture.root.appendingPathComponent("notifications").path
    let run = try shell(
      "slipcast timeline --quiet --include v1.json '\(folder)' --report life.html > /dev/null; echo \"status $?\"; ls")
    #expect(run.output == "status 2\n")
    #expect(run.errors.contains("--original-transaction-id"))
    let other = try shell(
      "slipcast timeline --quiet '\(Self.archive)' --report life.pdf > /dev/null; echo \"status $?\"")
    #expect(other.output == "status 2\n" && other.errors.contains(".html"))
  }

  private static func purchase(_ id: Int, _ more: String = "", product: String = "pro") -> String {
    """
    {"transaction_id":"90\(id)","original_transaction_id":"901","product_id":"\(product)","quantity":"1",\
    "purchase_date_ms":"\(1_677_664_800_000 + (id - 1) * 864_000_000)","original_purchase_date_ms":"1677664800000"\(more)}
    """
  }

  /// Source: S2, REFUND is about products that are not subscriptions, and `cancellation_date_ms` is when.
  @Test func thePageOfAProductThatIsNoSubscriptionShowsItsRefund() throws {
    let row = Self.purchase(1, #","cancellation_date_ms":"1678096800000","cancellation_reason":"0""#)
    let body = """
      {"notification_type":"REFUND","environment":"PROD","bid":"com.example.slipcast","original_transaction_id":901,\
      "unified_receipt":{"environment":"Production","status":0,"latest_receipt_info":[\(row)]}}
      """
    let run = try shell(
      "echo '\(body)' > v1.ndjson; slipcast timeline --quiet v1.ndjson --report life.html > t; cat life.html")
    let page = run.output.replacing(/<\/?span[^>]*>/, with: "")
    let sentence = "Has no access since 6 March 2023, 10:00 UTC: Apple refunded the purchase; "
    #expect(page.contains(sentence) && !page.contains("nothing refunded"), "\(run.errors)")
  }

  /// Source: S2:LRI, Apple cancels the period that an upgrade replaces; so its end does not come back with a refund.
  @Test func accessEndsWithTheRefundOfAnUpgrade() throws {
    let month = #","expires_date_ms":"1680256800000","web_order_line_item_id":"801""#
    let year = #","expires_date_ms":"1710064800000","web_order_line_item_id":"802""#
    let upgraded = month + #","is_upgraded":"true""#
    let refunded = year + #","cancellation_date_ms":"1678536000000","cancellation_reason":"0""#
    func body(_ type: String, _ rows: [String], _ more: String = "") -> String {
      """
      {"notification_type":"\(type)","environment":"PROD","bid":"com.example.slipcast","auto_renew_status":"true",\
      "auto_renew_product_id":"pro"\(more),\
      "unified_receipt":{"environment":"Production","status":0,"latest_receipt_info":[\(rows.joined(separator: ","))]}}
      """
    }
    let lines = [
      body("INITIAL_BUY", [Self.purchase(1, month)]),
      body("INTERACTIVE_RENEWAL", [Self.purchase(2, year, product: "year"), Self.purchase(1, upgraded)]),
      body(
        "CANCEL", [Self.purchase(2, refunded, product: "year"), Self.purchase(1, upgraded)],
        #","cancellation_date_ms":"1678536000000","web_order_line_item_id":"802""#),
    ]
    let run = try shell(
      "printf '%s\\n' '\(lines.joined(separator: "' '"))' > v1.ndjson; "
        + "slipcast timeline --quiet v1.ndjson --report life.html > t; cat life.html")
    let page = run.output.replacing(/<\/?span[^>]*>/, with: "")
    #expect(page.contains("Has no access since 11 March 2023, 12:00 UTC: Apple refunded"), "\(run.errors)")
  }

  /// The second period was charged a day ahead and refunded before it began; the first one was not refunded.
  @Test func accessLastsUntilTheEndOfThePeriodThatWasNotRefunded() throws {
    func period(_ id: Int, _ from: Int, _ until: Int, _ more: String = "") -> String {
      """
      {"transaction_id":"90\(id)","original_transaction_id":"901","product_id":"basic","quantity":"1",\
      "purchase_date_ms":"\(from)","expires_date_ms":"\(until)","web_order_line_item_id":"80\(id)",\
      "original_purchase_date_ms":"1646474400000"\(more)}
      """
    }
    let refund = #","cancellation_date_ms":"1649102400000","cancellation_reason":"0""#
    let body = """
      {"notification_type":"CANCEL","environment":"PROD","bid":"com.example.slipcast","auto_renew_status":"false",\
      "auto_renew_product_id":"basic","cancellation_date_ms":"1649102400000","web_order_line_item_id":"802",\
      "unified_receipt":{"environment":"Production","status":0,"latest_receipt_info":[\
      \(period(2, 1_649_152_800_000, 1_651_744_800_000, refund)),\(period(1, 1_646_474_400_000, 1_649_152_800_000))]}}
      """
    let bought = body.replacing("CANCEL", with: "INITIAL_BUY").replacing(
      period(2, 1_649_152_800_000, 1_651_744_800_000, refund) + ",", with: ""
    )
    .replacing(#""cancellation_date_ms":"1649102400000","web_order_line_item_id":"802","#, with: "")
    let run = try shell(
      "printf '%s\\n' '\(bought)' '\(body)' > v1.ndjson; slipcast timeline --quiet v1.ndjson --report life.html > timeline.json; cat life.html"
    )
    let page = run.output.replacing(/<\/?span[^>]*>/, with: "")
    let sentence = "Has access until 5 April 2022, 10:00 UTC; does not renew; 1 period paid; 1 period refunded"
    #expect(page.contains(sentence), "\(run.errors)")
  }
}
