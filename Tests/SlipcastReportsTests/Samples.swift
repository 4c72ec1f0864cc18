import SlipcastV2

@testable import SlipcastComparison
@testable import SlipcastMapping

/// Comparisons made by hand: every class, ignored fields, StoreKit, and hostile values.
enum Samples {
  static let renewal = "unified_receipt.pending_renewal_info[0]"
  static let server = Citation(
    title: "App Store Server Notifications",
    url: "https://developer.apple.com/documentation/appstoreservernotifications")
  static let talk = Citation(title: "WWDC", locator: "2020/10661", url: "https://developer.apple.com/videos/play/10661")

  /// Every character that a terminal, a page or a parser could stumble over.
  static let hostile =
    "<script>window.__pwned=1</script><img src=x onerror=window.__pwned=1>\"]]>&amp;`|@apple #1 "
    + "\u{1B}[31m\u{7F}\u{9B}2J\u{202E}\u{2066}end\n\r\tlast"

  /// The same as JSON text, with only the escapes that JSON demands.
  static let hostileJSON =
    "\"<script>window.__pwned=1</script><img src=x onerror=window.__pwned=1>\\\"]]>&amp;`|@apple #1 "
    + "\\u001b[31m\u{7F}\u{9B}2J\u{202E}\u{2066}end\\n\\r\\tlast\\u0000\""

  static let empty = Comparison(
    legacy: .init(name: "v1.json", description: "version 1 notification"),
    server: .init(name: "v2.json", description: "version 2 notification"), fields: [])

  static let all = [full, parity, empty]

  static let parity = Comparison(
    legacy: .init(name: "old/renewal.json", description: "version 1 notification DID_RENEW"),
    server: .init(name: "new/renewal.json", description: "decoded notification DID_RENEW"),
    fields: FieldDifferences(quiet + [derived, legacyOnly]))

  static let full = Comparison(
    legacy: .init(
      name: "archive/2021/price-increase.json", description: "version 1 notification PRICE_INCREASE_CONSENT"),
    server: .init(name: "archive/2021/price-increase.v2.json", description: "signed notification PRICE_INCREASE"),
    fields: FieldDifferences(
      conflicts + [timeDependent, semantic, ignoredSemantic, derived, legacyOnly, legacyList] + serverOnly + quiet),
    notes: [
      .init(code: "unverified", isWarning: true, message: "The signature of the V2 record was not checked."),
      .init(code: "ignoreUnused", isWarning: false, message: "Line 7 of the ignore file fits no field."),
    ])

  private static var conflicts: [FieldDifference] {
    [
      FieldDifference(
        v1Path: "\(renewal).price_consent_status", v2Path: "data.renewalInfo.priceIncreaseStatus", v1: .json("\"0\""),
        cast: .json("0"), v2: .json("1"), differenceClass: .conflict, rule: "renewal/priceIncreaseStatus",
        confidence: .documented,
        explanation: "V1 says that the customer was asked and has not answered; V2 says that the customer consented, "
          + "or was told without having to consent.",
        note: "Absent means that no increase is pending, not 0.", sources: [server, talk],
        storekit: StoreKitColumn(name: "priceIncreaseStatus", cast: "pending", v2: "agreed"), ignored: nil),
      field(
        "latest_receipt_info[0].product_id", "data.transactionInfo.productId", v1: hostileJSON, cast: hostileJSON,
        v2: "\"com.example.monthly\"", .conflict, "The two name different products."),
      field(
        nil, "data.transactionInfo.revocationDate", v2: "1700000000000", .conflict,
        "V1 has no cancellation date, so the purchase stands; V2 says that it was revoked.",
        ignored: IgnoredDifference(reason: "refunded by hand", list: "accepted.txt", line: 3, until: "2026-01-31")),
    ]
  }

  private static let timeDependent = field(
    "\(renewal).is_in_billing_retry_period", "data.status", v1: "\"1\"", cast: "3", v2: "4", .timeDependent,
    "The grace period ended four seconds before V2 was signed.", confidence: .inferred)
  private static let semantic = field(
    "\(renewal).expiration_intent", "data.renewalInfo.expirationIntent", v1: "\"1\"", cast: "1", v2: "1", .semantic,
    "V2 counts more reasons as 1.")
  private static let ignoredSemantic = field(
    "\(hostile).key", "\(hostile).key", v1: "1", cast: "1", v2: "2", .semantic, "Look: \(hostile)",
    ignored: IgnoredDifference(reason: hostile, list: "accepted.txt", line: 4, until: nil))
  private static let derived = field(
    "latest_receipt_info", "data.renewalInfo.recentSubscriptionStartDate", cast: "1590000000000", v2: "1590000000000",
    .derived, "Concluded from the list of periods, and V2 agrees.", confidence: .inferred)
  private static let legacyOnly = field(
    "latest_receipt", nil, v1: "\"\(String(repeating: "MIIUJw", count: 60))\"", .legacyOnly, "V2 signs instead.")
  private static let legacyList = field(
    "unified_receipt.latest_receipt_info", nil, .legacyOnly, "V2 gives the list on request.")
  private static let serverOnly = [
    field(nil, "data.transactionInfo.price", v2: "9990", .serverOnly, "V1 never says the price."),
    field(nil, "data.transactionInfo.currency", v2: "\"EUR\"", .serverOnly, "V1 never says the currency."),
    field(
      nil, "data.transactionInfo.storefrontWithAVeryLongNameThatGoesOnAndOnAndOn.andOn", v2: "[\"DEU\",\"FRA\"]",
      .serverOnly, "V1 never says the shop."),
  ]
  private static let quiet = [
    field(
      "environment", "data.environment", v1: "\"PROD\"", cast: "\"Production\"", v2: "\"Production\"",
      .representation, "The same environment, spelled out."),
    field(
      "auto_renew_product_id", "data.renewalInfo.autoRenewProductId", v1: "\"a\"", cast: "\"a\"", v2: "\"a\"",
      .representation, "The same product under another name."),
    field(
      "bundleId", "bundleId", v1: "\"com.example\"", cast: "\"com.example\"", v2: "\"com.example\"", .identical, ""),
  ]

  static func field(
    _ v1Path: String?, _ v2Path: String?, v1: String? = nil, cast: String? = nil, v2: String? = nil,
    _ differenceClass: DifferenceClass, _ explanation: String, confidence: Confidence = .documented,
    ignored: IgnoredDifference? = nil
  ) -> FieldDifference {
    FieldDifference(
      v1Path: v1Path, v2Path: v2Path, v1: v1.map(ComparedValue.json) ?? v1Path.map { _ in .several },
      cast: cast.map(ComparedValue.json), v2: v2.map(ComparedValue.json), differenceClass: differenceClass,
      rule: v2Path.map { _ in "renewal/\(differenceClass.rawValue)" }, confidence: v2Path.map { _ in confidence },
      explanation: explanation, note: nil, sources: v2Path == nil ? [] : [server], storekit: nil, ignored: ignored)
  }
}
