import SlipcastMapping
import SlipcastV2
import SlipcastWire
import Testing

/// Windows and limits one second inside, at, and outside of their ends, in production and in the Sandbox.
@Suite struct WindowEdgeTests {
  private static let second: Int64 = 1000
  private static let start: Int64 = 1_612_137_600_000

  /// The end of a window, and what is read on either side of it.
  struct Edge: CustomTestStringConvertible {
    let window: String
    /// The second period begins so long after the end of the first one, for a length of the window.
    let begins: @Sendable (_ length: Int64) -> Int64
    /// One second further outwards is added or subtracted.
    let outwards: Int64
    let inside: String?
    let outside: String?
    var testDescription: String { window }
  }

  static let edges = [
    Edge(window: "decision.window.early", begins: { -$0 }, outwards: -1, inside: "RENEWAL", outside: nil),
    Edge(window: "decision.window.settled", begins: { $0 }, outwards: 1, inside: "RENEWAL", outside: nil),
  ]

  private static func rows(_ begins: Int64, product: String) -> String {
    let end = start + 30 * 86_400_000
    func row(_ id: Int, _ product: String, _ purchase: Int64, _ expires: Int64) -> String {
      """
      {"product_id":"com.example.slipcast.\(product)","transaction_id":"73000160\(id)","original_transaction_id":"730001601",\
      "web_order_line_item_id":"73900160\(id)","purchase_date_ms":"\(purchase)","original_purchase_date_ms":"\(start)",\
      "expires_date_ms":"\(expires)"}
      """
    }
    return [row(2, product, end + begins, end + begins + 30 * 86_400_000), row(1, "monthly", start, end)]
      .joined(separator: ",")
  }

  private static let entry =
    #"{"product_id":"com.example.slipcast.monthly","original_transaction_id":"730001601","auto_renew_status":"1"}"#

  /// The form of record in which the purchases are listed.
  private enum Form: CaseIterable { case latest, inApp, notification }

  private static func history(
    _ begins: Int64, isSandbox: Bool, product: String = "monthly", form: Form = .latest
  ) -> String {
    let rows = rows(begins, product: product)
    let lists = "\"latest_receipt_info\":[\(rows)],\"pending_renewal_info\":[\(entry)]"
    let environment = isSandbox ? "Sandbox" : "Production"
    let request = "\"request_date_ms\":\"\(start + 30 * 86_400_000 + begins + 1000)\""
    return switch form {
    case .latest:
      "{\"status\":0,\"environment\":\"\(environment)\",\"receipt\":{\(request),\"in_app\":[]},\(lists)}"
    case .inApp:
      "{\"status\":0,\"environment\":\"\(environment)\",\"receipt\":{\(request),\"in_app\":[\(rows)]}}"
    case .notification:
      "{\"notification_type\":\"DID_CHANGE_RENEWAL_PREF\",\"environment\":\"\(environment)\","
        + "\"unified_receipt\":{\(lists)}}"
    }
  }

  private static func length(_ id: String, isSandbox: Bool) throws -> Int64 {
    let rule = try RuleSet.builtIn().decisions.first { $0.id == id }
    guard case .window(let length, let sandbox)? = rule?.value else { return 0 }
    return isSandbox ? sandbox ?? length : length
  }

  @Test(arguments: edges, [false, true]) func aRenewalEndsWhereItsWindowEnds(_ edge: Edge, _ isSandbox: Bool) throws {
    let length = try Self.length(edge.window, isSandbox: isSandbox)
    for (seconds, expected) in [(-1, edge.inside), (0, edge.inside), (1, edge.outside)] {
      let begins = edge.begins(length) + edge.outwards * Int64(seconds) * Self.second
      let cast = try Shared.converter.convert(Self.history(begins, isSandbox: isSandbox))
      let reason = cast.history?.transactions?.last?.transactionReason?.rawValue
      #expect(reason == expected, "\(seconds) s outside")
    }
  }

  /// However near the end, another product is no renewal while the period runs.
  @Test(arguments: [false, true]) func anotherProductIsARenewalFromTheEndOn(_ isSandbox: Bool) throws {
    for (begins, expected) in [(-1, "PURCHASE"), (0, "RENEWAL"), (1, "RENEWAL")] {
      let record = Self.history(Int64(begins) * Self.second, isSandbox: isSandbox, product: "yearly")
      let reason = try Shared.converter.convert(record).history?.transactions?.last?.transactionReason?.rawValue
      #expect(reason == expected, "\(begins) s after the end")
    }
  }

  /// Within the tolerance of the limit both readings are possible, and none is stated.
  @Test(arguments: [false, true]) func theStartOfTheSeriesIsOpenAroundTheLimit(_ isSandbox: Bool) throws {
    let rule = try #require(try RuleSet.builtIn().decisions.first { $0.id == "decision.window.retry" })
    let limit = try Self.length(rule.id, isSandbox: isSandbox)
    let tolerance = try #require(rule.tolerance)
    let around = isSandbox ? tolerance.sandbox ?? tolerance.milliseconds : tolerance.milliseconds
    let second = Self.start + 30 * 86_400_000
    let cases: [(begins: Int64, start: Int64?)] = [
      (limit - around - Self.second, Self.start), (limit - around, nil), (limit, nil), (limit + around, nil),
      (limit + around + Self.second, second + limit + around + Self.second),
    ]
    for (begins, start) in cases {
      let cast = try Shared.converter.convert(Self.history(begins, isSandbox: isSandbox), into: .statuses)
      let renewal = cast.statuses?.data?.first?.lastTransactions?.first?.renewalInfo
      #expect(renewal?.recentSubscriptionStartDate?.milliseconds == start, "lapse of \(begins) ms")
    }
  }

  /// What the forms have in common is read as the same; `in_app` has fewer keys.
  @Test(arguments: [false, true]) func equalPurchasesAreEqualInEveryForm(_ isSandbox: Bool) throws {
    for (begins, product) in [(Int64(0), "monthly"), (-Self.second, "yearly"), (86_400_000 * 9, "monthly")] {
      let all = try Form.allCases.map { form in
        let record = Self.history(begins, isSandbox: isSandbox, product: product, form: form)
        return try Shared.converter.convert(record, into: .history).history?.transactions?.map { transaction in
          [transaction.transactionReason?.rawValue, transaction.expiresDate.map { "\($0.milliseconds)" }]
        }
      }
      #expect(all[0] == all[1] && all[1] == all[2])
    }
  }
}
