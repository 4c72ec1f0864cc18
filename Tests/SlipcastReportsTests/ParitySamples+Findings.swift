@testable import SlipcastComparison
@testable import SlipcastMapping

extension ParitySamples {
  /// Everything that can be found, in the sizes of a real archive.
  static let findings = ParityResult(
    legacy: .init(
      name: "exports/2024/v1-notifications.ndjson.zst", records: 1_012_402, span: start...(start + 364 * day)),
    server: .init(
      name: "exports/2024/v2-notifications.ndjson.zst", records: 1_044_870, span: start...(start + 365 * day))
  ).with { result in
    result.pairs = pairs(matched: 983_107, conflicting: 1_204)
    result.pairs.legacyWithoutServer = 311
    result.pairs.serverWithoutLegacy = 42
    result.pairs.serverOnlyEvents = 60_207
    result.pairs.absorbed = 27_410
    result.pairs.duplicates = .init(legacy: 360, server: 308)
    result.pairs.rejected = .init(legacy: 3, server: 2)
    result.pairs.notComparable = 7
    result.fields = conflictingFields + agreeingFields
    result.types = types
    result.entitlement = access
    result.unpaired = unpaired
    result.failingPairs = 1_192
    (result.missing, result.causes, result.appMonths) = (missing, causes, appMonths)
    result.shifts = [DateShifts(path: "data.transactionInfo.expiresDate", counts: shifts)]
    result.ambiguous = ambiguous
    result.periods = (0..<52).map(week)
    result.samplePairs = [Samples.full, Samples.parity].enumerated().map {
      .init(legacyRecord: 1_204 + $0.offset, serverRecord: 1_211 + $0.offset, comparison: $0.element)
    }
    result.unread = unread
    result.gates = gates
    result.coverage = coverage
    result.origin = origin
    result.notes = [
      .init(code: "unverified", isWarning: true, message: "No signature of the V2 archive was checked."),
      .init(code: "baselineUnused", isWarning: false, message: "Line 9 of the baseline fits no conflict any more."),
    ]
  }

  /// Few conflicts for thirty weeks, then more and more.
  private static func week(_ number: Int) -> ParityResult.Period {
    let from = start + Int64(number) * 7 * day
    let conflicting = number < 30 ? number % 3 : (number - 29) * 6 - number % 5
    let matched = 18_000 + number * 7_919 % 3_000
    var period = ParityResult.Period(start: from, end: from + 7 * day, matched: matched, conflicting: conflicting)
    // An outage of one week.
    if number == 20 { (period.missingInV2, period.missingInV1) = (300, 4) }
    return period
  }

  private static var coverage: ParityCoverage {
    var coverage = ParityCoverage()
    coverage.time = CommonTime(
      start...(start + 364 * day), start...(start + 364 * day), tolerance: 0, margin: 90_000_000)
    coverage.legacy.inside = .init(events: 984_622, missing: 311)
    coverage.legacy.all = coverage.legacy.inside
    coverage.server.inside = .init(events: 984_340, missing: 29)
    (coverage.server.all, coverage.server.undated) = (.init(events: 984_353, missing: 42), 3)
    return coverage
  }

  /// Folders, a database, standard input, and an option without a value.
  private static let origin = ComparisonOrigin(
    legacy: [
      .init(
        name: "exports/2024/v1-notifications.ndjson.zst", kind: .file, records: 1_012_402, bytes: 88_120_551,
        sha256: "9626c8d76b9203ae7f5a0f7cdc5b44e6a86f3a3d7dd1cc5a8a36c2a3d19e8c11", span: start...(start + 364 * day))
    ],
    server: [
      .init(name: "postgres://reader@localhost/shop?table=v2", kind: .database, records: 1_044_860),
      .init(
        name: "standard input", kind: .stream, records: 10, bytes: 20_133,
        sha256: "345936966696d2f4a1f8fbe2d2a0e9c5b1d8b2f9c7e6a5d4c3b2a1908f7e6d5c", span: start...start),
    ],
    options: [
      .init(name: "baseline", values: ["known.json"]), .init(name: "same-span", values: []),
      .init(name: "strict", values: ["semantic", "timeDependent"]),
    ],
    rules: .init(version: "0.1.0", digest: "7735dbff9105c2f1b0a9e8d7c6b5a4938271605f4e3d2c1b0a99887766554433"))

  private static let gates: [ParityResult.Gate] = [
    .init(
      name: "access", holds: false,
      message: "after the switch, access changes in 7 pairs (5 locked out, 2 served for free); the baseline accepts 1"),
    .init(name: "missing", holds: true, message: "311 of 984,622 V1 events have no counterpart in V2; 10% allowed"),
    .init(name: "baseline", holds: false, message: "1,192 of 1,204 conflicting pairs are not in the baseline."),
    .init(
      name: "minAgreement data.transactionInfo.expiresDate", holds: false,
      message: "99.87% of 984,311 pairs agree; at least 99.95% have to."),
    .init(name: "minAgreement notificationType", holds: true, message: "99.99% agree; at least 99.9% have to."),
    .init(name: "strict semantic", holds: true, message: "Nothing that is not in the baseline."),
  ]

  private static var conflictingFields: [ParityResult.Field] {
    let differences = Samples.full.fields
    let expires = Samples.field(
      "unified_receipt.latest_receipt_info[0].expires_date_ms", "data.transactionInfo.expiresDate",
      v1: "\"1752573600000\"", cast: "1752573600000", v2: "1752487200000", .conflict,
      "V1 ends a day later than V2: 2025-07-15 10:00:00 UTC against 2025-07-14 10:00:00 UTC.")
    let types = Samples.field(
      "notification_type", "subtype", v1: "\"DID_CHANGE_RENEWAL_STATUS\"", cast: "\"AUTO_RENEW_DISABLED\"",
      v2: "\"AUTO_RENEW_ENABLED\"", .conflict, "V1 says that the renewal was turned off; V2 says that it was turned on."
    )
    return [
      field("notificationType", [.identical: 640_000, .semantic: 344_305, .conflict: 6], [sample(77, types)]),
      field("subtype", [.derived: 684_299, .conflict: 12], accepted: 12, [sample(77, types, pair: 1)]),
      field(
        "data.transactionInfo.expiresDate", [.representation: 983_035, .timeDependent: 102, .conflict: 1_174],
        (0..<20).map { sample(1_204 + $0, expires, pair: $0 < 2 ? $0 : nil) }),
      field(
        "data.renewalInfo.priceIncreaseStatus", [.semantic: 2_040, .conflict: 31],
        [sample(9_120, differences[0], pair: 0), sample(41_007, differences[0])]),
      field("data.status", [.derived: 984_207, .timeDependent: 104], [sample(5_310, differences[3])]),
    ]
  }

  private static var agreeingFields: [ParityResult.Field] {
    let transaction = ["transactionId", "originalTransactionId", "webOrderLineItemId", "productId", "purchaseDate"]
    let renewal = ["autoRenewProductId", "autoRenewStatus", "renewalDate", "expirationIntent"]
    return transaction.map { field("data.transactionInfo.\($0)", [.representation: 984_311]) }
      + renewal.map { field("data.renewalInfo.\($0)", [.representation: 951_112]) } + [
        field("data.environment", [.identical: 984_311]),
        field("data.renewalInfo.recentSubscriptionStartDate", [.derived: 951_112]),
        field("data.transactionInfo.price", [.serverOnly: 984_311]),
        field("data.transactionInfo.currency", [.serverOnly: 984_311]),
        field("data.renewalInfo.gracePeriodExpiresDate", [.legacyOnly: 80, .representation: 3_112]),
        loss("latest_receipt", 984_311, "V2 signs its data instead of sending a receipt along."),
        loss("auto_renew_adam_id", 984_311, "A number of the App Store for the product; V2 names the product alone."),
        loss("unified_receipt.latest_receipt_info[*].is_in_intro_offer_period", 4_127, nil),
      ]
  }

  private static let types: [ParityResult.TypeCell] = [
    .init(legacy: "DID_RENEW", server: "DID_RENEW", count: 610_220, conflicting: 902),
    .init(legacy: "DID_CHANGE_RENEWAL_STATUS", server: "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", count: 171_114),
    .init(legacy: "INITIAL_BUY", server: "SUBSCRIBED/INITIAL_BUY", count: 101_402, conflicting: 204),
    .init(legacy: "DID_FAIL_TO_RENEW", server: "DID_FAIL_TO_RENEW", count: 40_210),
    .init(legacy: "DID_RECOVER", server: "DID_RENEW/BILLING_RECOVERY", count: 21_004, conflicting: 14),
    .init(legacy: "DID_CHANGE_RENEWAL_STATUS", server: "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", count: 19_340),
    .init(legacy: "DID_FAIL_TO_RENEW", server: "DID_FAIL_TO_RENEW/GRACE_PERIOD", count: 9_207, conflicting: 30),
    .init(legacy: "INTERACTIVE_RENEWAL", server: "SUBSCRIBED/RESUBSCRIBE", count: 6_112, conflicting: 18),
    .init(legacy: "CANCEL", server: "REFUND", count: 3_020, conflicting: 18),
    .init(legacy: "DID_CHANGE_RENEWAL_PREF", server: "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", count: 2_001),
    .init(legacy: "PRICE_INCREASE_CONSENT", server: "PRICE_INCREASE/PENDING", count: 610),
    .init(
      legacy: "DID_CHANGE_RENEWAL_STATUS", server: "EXPIRED/BILLING_RETRY", count: 58, conflicting: 12,
      typeConflicts: 12),
    .init(legacy: "REVOKE", server: "REVOKE", count: 7),
    .init(legacy: "CANCEL", server: "DID_CHANGE_RENEWAL_PREF/UPGRADE", count: 6, conflicting: 6, typeConflicts: 6),
  ]

  private static let access: EntitlementParity = {
    var access = EntitlementParity()
    (access.granted, access.denied) = (900_002, 84_098)
    (access.legacyOnly, access.serverOnly, access.accepted) = (5, 2, 1)
    (access.timeDependent, access.unknown, access.subscriptions) = (104, 100, 6)
    access.serverEndsEarlier = 12
    access.samples = [
      .init(
        legacyRecord: 1_204, serverRecord: 1_211, asOf: 1_752_530_000_000,
        legacy: .init(isGranted: true, reason: .active), server: .init(isGranted: false, reason: .expired),
        explanation: "V1's period runs to 2025-07-15 10:00:00 UTC, V2's ended on 2025-07-14.", pair: 0),
      .init(
        legacyRecord: 8_803, serverRecord: 8_990, asOf: 1_722_530_000_000,
        legacy: .init(isGranted: false, reason: .billingRetry),
        server: .init(isGranted: true, reason: .grace),
        explanation: "V1 gives no grace date; V2's grace period runs for 16 days more."),
    ]
    return access
  }()

  private static let unpaired: [ParityResult.UnpairedKind] = [
    .init(
      reason: .legacyWithoutServer, event: "DID_RENEW", count: 300, records: Array(1...20),
      explanation: "V2 may have been switched on later than the archive begins."),
    .init(
      reason: .legacyWithoutServer, event: "CANCEL", count: 11, records: [3_001, 3_377],
      explanation: "V2 tells refunds as REFUND; none of this transaction is in the archive."),
    .init(
      reason: .serverWithoutLegacy, event: "DID_RENEW", count: 42, records: [88, 1_017, 65_020],
      explanation: "The V1 message may have been lost on the way: V1 tries three times."),
    .init(
      reason: .serverOnlyEvents, event: "EXPIRED/VOLUNTARY", count: 60_001, records: [5, 9],
      explanation: "V1 is silent when a subscription ends as its owner wanted; the next receipt shows it."),
    .init(
      reason: .serverOnlyEvents, event: "TEST", count: 206, records: [1], explanation: "Asked for by the developer."),
    .init(
      reason: .notComparable, event: "DID_RENEW", count: 7, records: [2, 3, 4, 5, 6, 7, 8],
      explanation: "V2 went live on 2021-10-21."),
  ]

  private static let ambiguous: [ParityResult.AmbiguousKind] = [
    .init(
      legacy: "DID_CHANGE_RENEWAL_STATUS", rule: "notification-types/renewal-status-off-after-expiry",
      readings: [
        .init(event: "EXPIRED/BILLING_RETRY", needs: "the end of the billing retry period", count: 140),
        .init(event: "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", needs: "who turned the renewal off", count: 22),
      ], other: 3, undecided: 9),
    .init(
      legacy: "INTERACTIVE_RENEWAL", rule: "notification-types/interactive-renewal-unknown-order",
      readings: [
        .init(event: "DID_CHANGE_RENEWAL_PREF/UPGRADE", needs: "the ranks of both products in their group", count: 17),
        .init(event: "SUBSCRIBED/RESUBSCRIBE", needs: "whether the period before had ended", count: 0),
      ]),
  ]
}
