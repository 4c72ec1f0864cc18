@_spi(Slipcast) internal import SlipcastWire

/// How a V1 value becomes a V2 value: the verbs of the rule language.
///
/// A transform takes the event and the rule and returns a cell, or `nil` when V1 has no value.
struct Transform: Sendable {
  typealias Function = @Sendable (ConversionState, CompiledRule) -> Cell?

  enum Result { case text, integer, boolean, date, object, objects }

  let result: Result
  let explanation: String
  let apply: Function

  private init(_ result: Result, _ explanation: String, _ apply: @escaping Function) {
    (self.result, self.explanation, self.apply) = (result, explanation, apply)
  }

  /// The result is of a kind that a V2 field holds.
  func fills(_ kind: FieldKind) -> Bool {
    switch (result, kind) {
    case (.text, .text), (.text, .uuid), (.text, .word), (.integer, .integer32), (.integer, .integer64),
      (.integer, .code), (.boolean, .boolean), (.date, .milliseconds), (.object, .object), (.objects, .objects):
      true
    default: false
    }
  }

  /// Transforms that read a setting, or write a constant.
  static let sourceless: Set = ["appAppleId", "hasMore", "version"]

  /// Transforms that write a value although V1 states none: what its absence usually means.
  static let assuming: Set = ["ownership"]

  /// All transforms by the name that rules use.
  static let all: [String: Transform] = [
    "text": Transform(.text, "copied as text", copyText),
    "uuid": Transform(.text, "copied when it is a UUID, in its spelling", copyUUID),
    "purchaserToken": Transform(.text, "copied when it is a UUID; absent when shared with the family", purchaserToken),
    "quantity": Transform(
      .integer, "decimal text becomes a number; 0, and for a subscription above 1, is an anomaly", quantity),
    "integer": Transform(.integer, "decimal text becomes a number", copyInteger),
    "expirationIntent": Transform(
      .integer, "decimal text becomes a number; others than 1 to 5 are an anomaly", expirationIntent),
    "instant": Transform(.date, "the _ms field as a number; else the text date", copyInstant),
    "originalPurchaseDate": Transform(
      .date, "the date as a number; where dates of one original id differ, that of the original transaction",
      originalPurchaseDate),
    "environment": Transform(.text, "PROD and Production become Production, the sandbox names Sandbox", environment),
    "trueOnly": Transform(.boolean, "true, or absent", trueOnly),
    "flag": Transform(.boolean, "every spelling of a flag becomes a boolean", flag),
    "flagNumber": Transform(.integer, "every spelling of a flag becomes 1 or 0", flagNumber),
    "revocationDate": Transform(.date, "the cancellation date, unless the period was upgraded", revocationDate),
    "revocationReason": Transform(.integer, "the reason as a number, unless the period was upgraded", revocationReason),
    "offerType": Transform(.integer, "offer code 3, promotional offer 2, trial or introductory price 1", offerType),
    "offerIdentifier": Transform(.text, "the offer's id or reference name", offerIdentifier),
    "offerDiscountType": Transform(.text, "FREE_TRIAL for a trial; otherwise unknown", offerDiscountType),
    "nextOfferType": Transform(.integer, "offer code 3, promotional offer 2, of the next period", nextOfferType),
    "nextOfferIdentifier": Transform(.text, "the next period's offer id or reference name", nextOfferIdentifier),
    "productType": Transform(
      .text, "what an app receipt states; else Auto-Renewable Subscription where the row shows one; else the catalogue",
      productType),
    "ownership": Transform(.text, "copied; PURCHASED, as a conclusion, when absent", ownership),
    "transactionReason": Transform(
      .text, "PURCHASE or RENEWAL, from the event or the period before", transactionReason),
    "priceIncreaseStatus": Transform(
      .integer, "price_increase_status, else price_consent_status; absent stays absent", priceIncreaseStatus),
    "renewalDate": Transform(.date, "the newest period's expiry, upgraded periods left out", renewalDate),
    "recentSubscriptionStartDate": Transform(
      .date, "the purchase date of the first period of the newest unbroken run", recentSubscriptionStartDate),
    "status": Transform(.integer, "judged from the periods at the event's time", status),
    "notificationUUID": Transform(.text, "a name-based UUID of what identifies the event", notificationUUID),
    "version": Transform(.text, "always 2.0", { _, _ in Cell("2.0") }),
    "signedDate": Transform(.date, "the received time, else the event's time; never now", signedDate),
    "appAppleId": Transform(.integer, "--app-apple-id, else the receipt's id of the app", appAppleId),
    "notificationType": Transform(.text, "the decision table of types", notificationType),
    "subtype": Transform(.text, "the decision table of types", subtype),
    "eventTransaction": Transform(
      .object, "the transaction that the event is about",
      { state, _ in state.transaction.isEmpty ? nil : Cell(kind: .row, integer: 1) }),
    "eventRenewal": Transform(
      .object, "the renewal of that subscription",
      { state, _ in state.renewal.isEmpty ? nil : Cell(kind: .row, integer: 2) }),
    "receiptTransactions": Transform(.objects, "every transaction, oldest first", { _, _ in Cell(kind: .list) }),
    "subscriptionGroups": Transform(.objects, "one item per subscription group", { _, _ in Cell(kind: .list) }),
    "lastTransactions": Transform(
      .objects, "one item per original transaction of the group", { _, _ in Cell(kind: .list) }),
    "hasMore": Transform(.boolean, "always false", { _, _ in Cell(false) }),
  ]
}
