import Foundation
import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire

/// One customer with one event: what V1 sent, and what V2 says of it.
struct Customer {
  let fixture: String
  var v1: Any
  var v2: Any
  /// V1's path of each V2 value that was copied from one.
  let origins: [String: String]

  /// Fixtures of one event with a date in both versions, without ambiguity.
  static let fixtures = [
    "did-renew", "initial-buy-first", "initial-buy-trial", "initial-buy-intro", "cancel-refund", "did-recover",
    "did-fail-to-renew-grace", "did-fail-to-renew-retry", "did-change-renewal-status-05-off",
    "did-change-renewal-status-04-on", "interactive-renewal-resubscribe", "did-renew-trial-converts",
    "offer-promotional-on-renewal", "app-account-token", "initial-buy-promotional-offer-after-2024-01-23",
    "initial-buy-offer-code-after-2024-01-23", "did-change-renewal-status-09-off-in-retry", "next-product-differs",
    "initial-buy-trial-offer-code", "revoke-purchased", "price-consent-given", "status-4-grace",
    "offer-of-next-renewal-code", "did-renew-sandbox",
  ]

  /// Compiled once, because many customers are made.
  private static let prepared = LegacyConverter.PreparedRules(rules: Archives.rules)
  private static let ids: Set<String> = ["transaction_id", "original_transaction_id", "web_order_line_item_id"]

  /// - Parameter number: makes the customer's ids differ from those of others.
  init(_ fixture: String, number: Int) throws {
    self.fixture = fixture
    let record = try JSONTree.parse(try Fixture.named("notifications/\(fixture)").bytes("v1.json"))
    v1 = JSONTree.mapping(record, keys: Self.ids) { value in
      guard let text = value as? String else {
        return (value as? NSNumber).flatMap { Int64("\(number + 1)\("\($0.int64Value)".dropFirst())") } ?? value
      }
      return "\(number + 1)\(text.dropFirst())"
    }
    let converter = LegacyConverter(prepared: Self.prepared)
    let cast = try converter.convert(Array(try JSONTree.line(v1).utf8), into: .notification)
    guard case .notification(var notification) = cast.value else { throw CocoaError(.coderInvalidValue) }
    notification.migration = nil
    v2 = try JSONTree.parse(Array(notification.json.utf8))
    let fields = cast.account.fields.compactMap { field in field.v1Path.map { (field.v2Path, $0) } }
    origins = Dictionary(fields, uniquingKeysWith: { first, _ in first })
  }

  /// When the event happened.
  var time: Int64 { (v2 as? [String: Any])?["signedDate"] as? Int64 ?? 0 }

  /// V2 paths with a value that is compared: those that V1 states.
  var paths: [String] { JSONTree.leaves(v2).filter { Self.rule($0)?.using != nil } }

  /// The rule of a V2 path.
  static func rule(_ path: String) -> FieldRule? {
    let rules = Archives.rules
    let name = path.split(separator: ".").last.map(String.init) ?? ""
    if path == "data.transactionInfo.\(name)" { return rules.field(family: "transaction", to: name) }
    if path == "data.renewalInfo.\(name)" { return rules.field(family: "renewal", to: name) }
    return rules.field(family: "notification", to: path)
  }

  /// What kind of JSON a V2 path has.
  static func kind(_ path: String) -> FieldKind? {
    rule(path).flatMap { RuleSet.kind(family: $0.family, to: $0.to ?? "") }
  }
}
