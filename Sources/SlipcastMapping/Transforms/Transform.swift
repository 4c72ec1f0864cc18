@_spi(Slipcast) internal import SlipcastWire

/// How a V1 value becomes a V2 value: the verbs of the rule language.
///
/// A transform takes the event and the rule and returns a cell, or `nil` when V1 has no value.
struct Transform: Sendable {
  typealias Function = @Sendable (RecordBuilder, CompiledRule) -> Cell?

  enum Result { case text, integer, boolean, date, object, objects }

  /// How it reads a V1 value: what accounts compare the V2 value with, and expect of an unreadable one.
  enum Reading {
    case text, uuid, environment, integer, appAppleId, flag, date
    /// It concludes a value from several keys, from lists, or from the event.
    case several
  }

  struct Traits: OptionSet, Sendable {
    let rawValue: Int

    /// It reads a setting, or writes a constant: a rule may name no V1 key.
    static let sourceless = Traits(rawValue: 1)
    /// It writes a value although V1 states none: what its absence usually means.
    static let assuming = Traits(rawValue: 2)
    /// It describes what a refund took back, which does not apply to an upgrade.
    static let revoking = Traits(rawValue: 4)
    /// A flag that is off says the same as its absence.
    static let offIsAbsent = Traits(rawValue: 8)
  }

  let result: Result
  let reads: Reading
  let traits: Traits
  let explanation: String
  let apply: Function

  private init(
    _ result: Result, reads: Reading, _ explanation: String, _ traits: Traits = [], apply: @escaping Function
  ) {
    (self.result, self.reads, self.explanation, self.traits) = (result, reads, explanation, traits)
    self.apply = apply
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

  /// All transforms by the name that rules use.
  static let all: [String: Transform] = [
    "text": Transform(.text, reads: .text, "copied as text", apply: copyText),
    "uuid": Transform(.text, reads: .uuid, "copied when it is a UUID, in its spelling", apply: copyUUID),
    "purchaserToken": Transform(
      .text, reads: .uuid, "copied when it is a UUID; absent when shared with the family", apply: purchaserToken),
    "quantity": Transform(
      .integer, reads: .integer, "decimal text becomes a number; 0, and for a subscription above 1, is an anomaly",
      apply: quantity),
    "integer": Transform(.integer, reads: .integer, "decimal text becomes a number", apply: copyInteger),
    "expirationIntent": Transform(
      .integer, reads: .integer, "decimal text becomes a number; others than 1 to 5 are an anomaly",
      apply: expirationIntent),
    "instant": Transform(.date, reads: .date, "the _ms field as a number; else the text date", apply: copyInstant),
    "originalPurchaseDate": Transform(
      .date, reads: .date,
      "the date as a number; where dates of one original id differ, that of the original transaction",
      apply: originalPurchaseDate),
    "environment": Transform(
      .text, reads: .environment, "PROD and Production become Production, the sandbox names Sandbox", apply: environment
    ),
    "trueOnly": Transform(.boolean, reads: .flag, "true, or absent", .offIsAbsent, apply: trueOnly),
    "flag": Transform(.boolean, reads: .flag, "every spelling of a flag becomes a boolean", apply: flag),
    "flagNumber": Transform(.integer, reads: .flag, "every spelling of a flag becomes 1 or 0", apply: flagNumber),
    "revocationDate": Transform(
      .date, reads: .date, "the cancellation date, unless the period was upgraded", .revoking, apply: revocationDate),
    "revocationReason": Transform(
      .integer, reads: .integer, "the reason as a number, unless the period was upgraded", .revoking,
      apply: revocationReason),
    "offerType": Transform(
      .integer, reads: .several, "offer code 3, promotional offer 2, trial or introductory price 1", apply: offerType),
    "offerIdentifier": Transform(.text, reads: .several, "the offer's id or reference name", apply: offerIdentifier),
    "offerDiscountType": Transform(
      .text, reads: .several, "FREE_TRIAL for a trial; otherwise unknown", apply: offerDiscountType),
    "nextOfferType": Transform(
      .integer, reads: .several, "offer code 3, promotional offer 2, of the next period", apply: nextOfferType),
    "nextOfferIdentifier": Transform(
      .text, reads: .several, "the next period's offer id or reference name", apply: nextOfferIdentifier),
    "productType": Transform(
      .text, reads: .several,
      "what an app receipt states; else Auto-Renewable Subscription where the row shows one; else the catalogue",
      apply: productType),
    "ownership": Transform(
      .text, reads: .text, "copied; PURCHASED, as a conclusion, when absent", .assuming, apply: ownership),
    "transactionReason": Transform(
      .text, reads: .several, "PURCHASE or RENEWAL, from the event or the period before", apply: transactionReason),
    "priceIncreaseStatus": Transform(
      .integer, reads: .flag, "price_increase_status, else price_consent_status; absent stays absent",
      apply: priceIncreaseStatus),
    "renewalDate": Transform(
      .date, reads: .several, "the newest period's expiry, upgraded periods left out", apply: renewalDate),
    "recentSubscriptionStartDate": Transform(
      .date, reads: .several, "the purchase date of the first period of the newest unbroken run",
      apply: recentSubscriptionStartDate),
    "status": Transform(.integer, reads: .several, "judged from the periods at the event's time", apply: status),
    "notificationUUID": Transform(
      .text, reads: .several, "a name-based UUID of what identifies the event", apply: notificationUUID),
    "version": Transform(.text, reads: .several, "always 2.0", .sourceless, apply: { _, _ in Cell("2.0") }),
    "signedDate": Transform(
      .date, reads: .several, "the received time, else the event's time; never now", apply: signedDate),
    "appAppleId": Transform(
      .integer, reads: .appAppleId, "--app-apple-id, else the receipt's id of the app", .sourceless, apply: appAppleId),
    "notificationType": Transform(.text, reads: .several, "the decision table of types", apply: notificationType),
    "subtype": Transform(.text, reads: .several, "the decision table of types", apply: subtype),
    "eventTransaction": Transform(
      .object, reads: .several, "the transaction that the event is about",
      apply: { builder, _ in builder.transaction.isEmpty ? nil : Cell(kind: .row, integer: 1) }),
    "eventRenewal": Transform(
      .object, reads: .several, "the renewal of that subscription",
      apply: { builder, _ in builder.renewal.isEmpty ? nil : Cell(kind: .row, integer: 2) }),
    "receiptTransactions": Transform(
      .objects, reads: .several, "every transaction, oldest first", apply: { _, _ in Cell(kind: .list) }),
    "subscriptionGroups": Transform(
      .objects, reads: .several, "one item per subscription group", apply: { _, _ in Cell(kind: .list) }),
    "lastTransactions": Transform(
      .objects, reads: .several, "one item per original transaction of the group", apply: { _, _ in Cell(kind: .list) }),
    "appText": Transform(
      .text, reads: .text, "copied as text; a conclusion where the receipt is that of a purchase", apply: appText),
    "originalApplicationVersion": Transform(
      .text, reads: .text, "copied as text, from an app receipt", apply: originalApplicationVersion),
    "ofAppReceipt.environment": Transform(
      .text, reads: .environment, "Production or Sandbox, from an app receipt", apply: ofAppReceipt(environment)),
    "ofAppReceipt.identifier": Transform(
      .integer, reads: .appAppleId, "decimal text becomes a number, from an app receipt; 0 counts as absent",
      apply: ofAppReceipt(copyIdentifier)),
    "ofAppReceipt.instant": Transform(
      .date, reads: .date, "the _ms field as a number, else the text date, from an app receipt",
      apply: ofAppReceipt(copyInstant)),
    "hasMore": Transform(
      .boolean, reads: .several, "false; absent for a part of an answer", .sourceless, apply: hasMore),
  ]
}
