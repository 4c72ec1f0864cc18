@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) public import SlipcastWire

/// Something a person should know about a record that was converted all the same.
public struct Finding: Hashable, Sendable {
  /// How much it matters.
  public enum Severity: String, CaseIterable, Hashable, Sendable {
    /// Worth a count.
    case info
    /// Worth a look.
    case warning
  }

  /// One word for programs, such as `dateMismatch` or `subjectUncertain`.
  public var code: String
  /// How much it matters.
  public var severity: Severity
  /// The legacy value, or the record itself when empty.
  public var path: JSONPath
  /// One sentence; never a value of the record.
  public var message: String
}

/// What the mapping itself notices; drifts of the record's form are `LegacyDrift`.
enum ConversionNote: UInt8, CaseIterable, Sendable {
  case subjectUncertain, subjectNotListed, conflictingValues, pastGraceDate, lapseOnTheLimit, offerUndecided
  case tokenNotUUID, unknownEnvironment, catalogueDisagrees, eventTimeUnknown, cancellationDropped
  case receivedTimeUnreadable, conflictingEnvironments, cancellationUndecided
  case originalIdDiffers, subjectByProduct, subjectUnknown, familySharedUnexpected, lineItemRepeated, winBackPossible
  case statusTimeUnknown, failureUndecided, upgradedPeriodRefunded, familyTokenDropped, quantityOfSubscription
  case archiveContradicts, originalDatesDiffer, appAppleIdDiffers, listedDifferently, renewalListedDifferently
  case productTypeUnknown, conflictingChange, conflictingConsent, subscriptionNotShown, undocumentedValue
  case datesOutOfOrder, receivedBeforeEvent, purchaseAfterEvent, requestBeforeRefund
  case renewalByExclusion, renewalUnassigned, subjectByConsent, subjectUnreadable, oldTransactionsExcluded
  case listUnreadable, intentWhileRunning, reasonWithoutDate, transactionWithoutId, originalAfterEnd
  case appOfPurchase, versionOfSandbox
  /// The sentence comes from the decision table.
  case decision

  var message: String {
    switch self {
    case .subjectUncertain:
      "nothing names the purchase of the event, or the list does not show it clearly; one was chosen by its dates"
    case .subjectNotListed: "the transaction is named but not in the list; its dates and product are unknown"
    case .conflictingValues: "the body says another thing than the renewal entry; the renewal entry counts"
    case .pastGraceDate:
      "the grace period had ended by the event's time, or the renewal was paid since; V1 keeps the date, which is copied"
    case .lapseOnTheLimit:
      "a lapse of about the limit; Apple's pages differ on whether it begins a new run, and days are of the calendar"
    case .offerUndecided: "a promotional offer and an offer code; the record does not show which one was used"
    case .tokenNotUUID: "app_account_token is not a UUID; Apple's libraries reject such a token, so it is left out"
    case .unknownEnvironment:
      "not the word of an environment; another place of the record counts, or it is kept as it is"
    case .catalogueDisagrees: "the product catalogue names another type of product than the record shows"
    case .eventTimeUnknown:
      "V1 gives this event no time and no received time was given; status and signedDate are unknown"
    case .cancellationDropped: "a cancelled period that was upgraded: V2 says isUpgraded and no revocation"
    case .receivedTimeUnreadable: "the received time is missing, no date, or not of 2001 to 2286; used none"
    case .conflictingEnvironments: "the record names both environments; the outer one counts"
    case .cancellationUndecided:
      "the record does not show whether a cancelled period was refunded or upgraded; read as refunded"
    case .originalIdDiffers:
      "the list has no transaction of this original id; the one of this id, or the only subscription that fits, was chosen"
    case .subjectByProduct: "several subscriptions; the one with this next product was chosen"
    case .subjectUnknown: "nothing says which purchase the event is about; it has no transaction"
    case .familySharedUnexpected: "shared with the family; V1 did not send this type to family members at that time"
    case .lineItemRepeated: "another transaction has the same line item, as a restored purchase does"
    case .winBackPossible:
      "a promotional offer on a subscription that came back may be a win-back offer (4), which V1 does not distinguish"
    case .statusTimeUnknown: "the answer has no request date, so the status of its subscriptions is unknown"
    case .failureUndecided:
      "the record has no renewal entry, so it shows neither billing retry nor a grace period; the status is unknown"
    case .upgradedPeriodRefunded: "an upgraded period that was refunded; it has isUpgraded and revocationDate"
    case .familyTokenDropped: "V2 has no appAccountToken for a transaction that is shared with the family"
    case .quantityOfSubscription:
      "a subscription with a quantity above 1, which V1 does not document; V1 has no form of seats"
    case .originalDatesDiffer:
      "transactions of this original id have different original purchase dates; V2 has one, that of the original"
    case .appAppleIdDiffers: "the record names another app than the given app Apple id, which counts"
    case .listedDifferently:
      "listed again under the same transaction id with other values; one entry counts (that of the event, of "
        + "latest_receipt_info, or the one that says more), and a cancellation that only another one states"
    case .renewalListedDifferently:
      "another renewal entry of the same subscription and product has other values; it does not count"
    case .archiveContradicts: "other messages of the archive contradict this reading, or two readings; it was kept"
    case .productTypeUnknown: "a product type that is not among the known four; not used"
    default: messageOfGap ?? messageOfContradiction
    }
  }

  /// What the record leaves open.
  private var messageOfGap: String? {
    switch self {
    case .renewalByExclusion:
      "the renewal entry does not name this subscription; it belongs to it because it fits no other one of its product"
    case .renewalUnassigned:
      "several subscriptions or renewal entries fit each other, and nothing distinguishes them; none was assigned"
    case .subjectByConsent: "several subscriptions; the one whose renewal entry asks for consent was chosen"
    case .subjectUnreadable:
      "a part of the transactions cannot be read, so the record does not show which one the event is about"
    case .oldTransactionsExcluded:
      "the list lacks older periods (exclude-old-transactions): a gap in it proves no lapse and no first purchase"
    case .listUnreadable:
      "a part of the transactions or renewals cannot be read, or names no subscription, so what follows from all of them "
        + "is unknown"
    case .appOfPurchase:
      "an iOS 6 receipt is that of a purchase: it names the app and its version then, and nothing else about the app"
    case .versionOfSandbox: "in the sandbox the original version of an app is always 1.0"
    default: nil
    }
  }

  /// What of the record speaks against the rest of it.
  private var messageOfContradiction: String {
    switch self {
    case .conflictingChange:
      "the renewal entry says another thing; the event is read from the body, renewalInfo from the entry"
    case .conflictingConsent:
      "price_consent_status says another thing; price_increase_status counts, which has V2's meaning"
    case .subscriptionNotShown:
      "V1 sends this type for subscriptions only, but nothing else in the record shows the product to be one"
    case .undocumentedValue: "a value that V1 does not document for this key; kept as it is"
    case .datesOutOfOrder:
      "it ended, or was cancelled, before its purchase date, which may be that of a restore; the dates are kept"
    case .receivedBeforeEvent:
      "the received time is more than a day before the event that the message reports; used none"
    case .reasonWithoutDate:
      "a cancellation reason without a date: nothing shows when anything was taken back; not used"
    case .transactionWithoutId: "a transaction without any id: nothing can refer to it"
    case .originalAfterEnd: "its original purchase date is later than its end; the dates are kept"
    case .intentWhileRunning:
      "the renewal entry says why the subscription expired, and its newest period still runs"
    case .requestBeforeRefund:
      "a cancellation is later than the request date, so the answer was given after it: this subscription is refunded"
    case .purchaseAfterEvent: "the purchase is later than the event, and the record lists no earlier one"
    default: ""
    }
  }

  var isWarning: Bool {
    switch self {
    case .pastGraceDate, .eventTimeUnknown, .cancellationDropped, .familyTokenDropped, .oldTransactionsExcluded,
      .versionOfSandbox, .decision:
      false
    default: true
    }
  }

  /// The event's transaction or time contradicts the record, so that no reading of the event is documented.
  var isOfEvent: Bool {
    switch self {
    case .familySharedUnexpected, .subscriptionNotShown, .datesOutOfOrder, .receivedBeforeEvent: true
    default: false
    }
  }

  var code: String { Self.codes[Int(rawValue)] }

  /// The names of all cases, in their order, without reflection.
  private static let codes = [
    "subjectUncertain", "subjectNotListed", "conflictingValues", "pastGraceDate", "lapseOnTheLimit", "offerUndecided",
    "tokenNotUUID", "unknownEnvironment", "catalogueDisagrees", "eventTimeUnknown", "cancellationDropped",
    "receivedTimeUnreadable", "conflictingEnvironments", "cancellationUndecided", "originalIdDiffers",
    "subjectByProduct", "subjectUnknown", "familySharedUnexpected", "lineItemRepeated", "winBackPossible",
    "statusTimeUnknown", "failureUndecided", "upgradedPeriodRefunded", "familyTokenDropped", "quantityOfSubscription",
    "archiveContradicts", "originalDatesDiffer", "appAppleIdDiffers", "listedDifferently", "renewalListedDifferently",
    "productTypeUnknown", "conflictingChange", "conflictingConsent", "subscriptionNotShown", "undocumentedValue",
    "datesOutOfOrder", "receivedBeforeEvent", "purchaseAfterEvent", "requestBeforeRefund", "renewalByExclusion",
    "renewalUnassigned", "subjectByConsent", "subjectUnreadable", "oldTransactionsExcluded", "listUnreadable",
    "intentWhileRunning", "reasonWithoutDate", "transactionWithoutId", "originalAfterEnd", "appOfPurchase",
    "versionOfSandbox", "decision",
  ]
}

/// Findings about several records, which only a run over an archive can make.
package enum RepeatFinding: String, CaseIterable, Sendable {
  /// A duplicate by key or UUID with other content.
  case repeatDiffers
  /// A message that came late, between two that were taken for deliveries of one event.
  case repeatUndecided
  /// A message without any time, like one of an earlier run into the same store.
  case repeatOfEarlierRun

  package var message: String {
    switch self {
    case .repeatDiffers: "another record with the same id has other content; the first one was kept"
    case .repeatUndecided:
      "came out of order, between two messages that were read as one; sort the archive by received time, or use --settle"
    case .repeatOfEarlierRun:
      "states no time and equals a message of an earlier run into this store, for which it was taken; received times "
        + "(--received-at) distinguish separate events"
    }
  }

  /// The finding as a store keeps it.
  package var repeated: RepeatedFinding {
    RepeatedFinding(code: rawValue, severity: "warning", occurrences: 1, path: "", message: message)
  }
}

extension RuleSet {
  /// Every code that a finding of a cast may have, with its sentence and whether it is a warning, sorted.
  package var findings: [(code: String, message: String, isWarning: Bool)] {
    let drifts = LegacyDrift.allCases.map { ($0.code, $0.message, $0.isWarning) }
    let notes = ConversionNote.allCases.filter { $0 != .decision }.map { ($0.code, $0.message, $0.isWarning) }
    var seen: Set<String> = []
    let decisions = types.compactMap(\.finding).filter { seen.insert($0.code).inserted }
      .map { ($0.code, $0.message, ConversionNote.decision.isWarning) }
    let repeats = RepeatFinding.allCases.map { ($0.rawValue, $0.message, true) }
    return (drifts + notes + decisions + repeats).sorted { $0.0 < $1.0 }
  }
}

/// Counts of findings by code: cheap enough to keep for millions of records.
public struct FindingCounts: Hashable, Sendable {
  private static let codes = LegacyDrift.allCases.map(\.code) + ConversionNote.allCases.map(\.code)
  /// By code: those of drifts, then those of notes.
  private var counts = [Int](repeating: 0, count: codes.count)
  /// Findings whose codes are in the rules or come from the caller.
  private var named: [String: Int] = [:]

  /// No findings.
  public init() {}

  /// How often each code occurred; codes that did not occur are left out.
  public var byCode: [(code: String, count: Int)] {
    var all = named
    for (code, count) in zip(Self.codes, counts) where count > 0 { all[code, default: 0] += count }
    return all.map { (code: $0.key, count: $0.value) }.sorted { ($1.count, $0.code) < ($0.count, $1.code) }
  }

  /// All findings together.
  public var total: Int { byCode.reduce(0) { $0 + $1.count } }

  package func count(of finding: RepeatFinding) -> Int { named[finding.rawValue] ?? 0 }

  /// Adds so many findings of a code.
  public mutating func add(_ code: String, _ count: Int) {
    if count != 0 { named[code, default: 0] += count }
  }

  mutating func add(_ drift: LegacyDrift) { counts[Int(drift.rawValue)] += 1 }

  mutating func add(_ note: ConversionNote) { counts[LegacyDrift.allCases.count + Int(note.rawValue)] += 1 }

  /// Adds the counts of another part of the run.
  public mutating func add(_ other: FindingCounts) {
    for index in counts.indices { counts[index] += other.counts[index] }
    named.merge(other.named, uniquingKeysWith: +)
  }
}
