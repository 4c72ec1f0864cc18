@_spi(Slipcast) internal import SlipcastWire

/// How a V1 value becomes a V2 value: the verbs of the rule language.
///
/// A transform takes the event and the rule and returns a cell, or `nil` when V1 has no value.
struct Transform: Sendable {
  /// The kinds of V2 fields it can fill.
  let fills: @Sendable (FieldKind) -> Bool
  /// One sentence for `explain`.
  let explanation: String
  let apply: @Sendable (ConversionState, CompiledRule) -> Cell?

  /// All transforms by the name that rules use.
  static let all: [String: Transform] = [
    "text": Transform(fills: \.isText, explanation: "copied as text", apply: copyText),
    "uuid": Transform(fills: \.isText, explanation: "copied when it is a UUID, in its spelling", apply: copyUUID),
    "purchaserToken": Transform(
      fills: \.isText, explanation: "copied when it is a UUID; absent when shared with the family",
      apply: purchaserToken),
    "quantity": Transform(
      fills: \.isInteger, explanation: "decimal text becomes a number; above 1 is an anomaly for a subscription",
      apply: quantity),
    "integer": Transform(fills: \.isInteger, explanation: "decimal text becomes a number", apply: copyInteger),
    "instant": Transform(
      fills: { $0 == .milliseconds }, explanation: "the _ms field as a number; else the text date", apply: copyInstant),
    "environment": Transform(
      fills: \.isText, explanation: "PROD and Production become Production, the sandbox names Sandbox",
      apply: environment),
    "trueOnly": Transform(fills: \.isBoolean, explanation: "true, or absent", apply: trueOnly),
    "flag": Transform(fills: \.isBoolean, explanation: "every spelling of a flag becomes a boolean", apply: flag),
    "flagNumber": Transform(
      fills: \.isInteger, explanation: "every spelling of a flag becomes 1 or 0", apply: flagNumber),
    "revocationDate": Transform(
      fills: { $0 == .milliseconds }, explanation: "the cancellation date, unless the period was upgraded",
      apply: revocationDate),
    "revocationReason": Transform(
      fills: \.isInteger, explanation: "the reason as a number, unless the period was upgraded",
      apply: revocationReason),
    "offerType": Transform(
      fills: \.isInteger, explanation: "offer code 3, promotional offer 2, trial or introductory price 1",
      apply: offerType),
    "offerIdentifier": Transform(
      fills: \.isText, explanation: "the offer's id or reference name", apply: offerIdentifier),
    "offerDiscountType": Transform(
      fills: \.isText, explanation: "FREE_TRIAL for a trial; otherwise unknown", apply: offerDiscountType),
    "nextOfferType": Transform(
      fills: \.isInteger, explanation: "offer code 3, promotional offer 2, of the next period", apply: nextOfferType),
    "nextOfferIdentifier": Transform(
      fills: \.isText, explanation: "the next period's offer id or reference name", apply: nextOfferIdentifier),
    "productType": Transform(
      fills: \.isText,
      explanation:
        "what an app receipt states; else Auto-Renewable Subscription where the row shows one; else the catalogue",
      apply: productType),
    "ownership": Transform(
      fills: \.isText, explanation: "copied; PURCHASED, as a conclusion, when absent", apply: ownership),
    "transactionReason": Transform(
      fills: \.isText, explanation: "PURCHASE or RENEWAL, from the event or the period before", apply: transactionReason
    ),
    "priceIncreaseStatus": Transform(
      fills: \.isInteger, explanation: "price_increase_status, else price_consent_status; absent stays absent",
      apply: priceIncreaseStatus),
    "renewalDate": Transform(
      fills: { $0 == .milliseconds }, explanation: "the newest period's expiry, upgraded periods left out",
      apply: renewalDate),
    "recentSubscriptionStartDate": Transform(
      fills: { $0 == .milliseconds }, explanation: "the purchase date of the first period of the newest unbroken run",
      apply: recentSubscriptionStartDate),
    "status": Transform(fills: \.isInteger, explanation: "judged from the periods at the event's time", apply: status),
    "notificationUUID": Transform(
      fills: \.isText, explanation: "a name-based UUID of what identifies the event", apply: notificationUUID),
    "version": Transform(fills: \.isText, explanation: "always 2.0", apply: { _, _ in Cell("2.0") }),
    "signedDate": Transform(
      fills: { $0 == .milliseconds }, explanation: "the received time, else the event's time; never now",
      apply: signedDate),
    "appAppleId": Transform(
      fills: \.isInteger, explanation: "--app-apple-id, else the receipt's id of the app", apply: appAppleId),
    "notificationType": Transform(
      fills: \.isText, explanation: "the decision table of types", apply: notificationType),
    "subtype": Transform(fills: \.isText, explanation: "the decision table of types", apply: subtype),
    "eventTransaction": Transform(
      fills: { if case .object = $0 { true } else { false } }, explanation: "the transaction that the event is about",
      apply: { state, _ in state.transaction.isEmpty ? nil : Cell(kind: .row, integer: 1) }),
    "eventRenewal": Transform(
      fills: { if case .object = $0 { true } else { false } }, explanation: "the renewal of that subscription",
      apply: { state, _ in state.renewal.isEmpty ? nil : Cell(kind: .row, integer: 2) }),
    "receiptTransactions": Transform(
      fills: { if case .objects = $0 { true } else { false } }, explanation: "every transaction, oldest first",
      apply: { _, _ in Cell(kind: .list) }),
    "subscriptionGroups": Transform(
      fills: { if case .objects = $0 { true } else { false } }, explanation: "one item per subscription group",
      apply: { _, _ in Cell(kind: .list) }),
    "lastTransactions": Transform(
      fills: { if case .objects = $0 { true } else { false } },
      explanation: "one item per original transaction of the group", apply: { _, _ in Cell(kind: .list) }),
    "hasMore": Transform(fills: \.isBoolean, explanation: "always false", apply: { _, _ in Cell(false) }),
  ]
}

extension FieldKind {
  fileprivate var isText: Bool {
    switch self {
    case .text, .uuid, .word: true
    default: false
    }
  }

  fileprivate var isInteger: Bool {
    switch self {
    case .integer32, .integer64, .code: true
    default: false
    }
  }

  fileprivate var isBoolean: Bool { self == .boolean }
}
