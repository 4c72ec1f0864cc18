/// The vocabulary in which the decision table asks about an event; each fact is one bit.
///
/// `Mappings/rules/facts.json` says what each means; `before:<era>` and `from:<era>` ask for eras.
enum Fact: UInt8, CaseIterable, Sendable {
  case subscription, targetMissing, familyShared, offerOnPeriod, offerOnNextPeriod, cancelled, upgraded
  case cancellationForApp, newerProductListed, cancelledNearUpgrade, cancelledAtPurchase, upgradeKeyInForm
  case transactionRenumbered, originalPurchaseOlder
  case previousPeriod, previousPeriodExpired, previousPeriodRunning, previousPeriodUpgraded, previousPeriodRevoked
  case purchaseInGrace, productChanged, gapBefore, lapseBeyondGrace, lapseBeyondRetry, renewedToNextProduct
  case boughtAtExpiry, upgradedToNextProduct
  case renewedWithOffer
  case earlierPeriodInGroupExpired, earlierPeriodOfUnknownGroup, earlierFamilyPeriod
  case otherPeriodRunning, historyVisible
  case pendingKnown, renewalListed, pendingProductDiffers, pendingOffer, graceAfterEvent, inBillingRetry, failureShown
  case consentGiven, consentPending, increaseAgreed
  case expirationIntent1, expirationIntent2, expirationIntent3, expirationIntent4, expirationIntent5
  case undocumentedIntent
  case autoRenewOn, autoRenewOff
  case eventTimeKnown, periodRunning, periodExpired, periodRevoked, retryPeriodElapsed
  case boughtNearEvent, cancelledNearEvent, upgradedNearEvent, sandbox
  case purchaserOwned, otherProductRenews, promotionalOffer

  var bit: UInt64 { 1 << UInt64(rawValue) }

  /// The fact as rule files spell it.
  var name: String { Self.names[Int(rawValue)] }

  /// All of them, in the order of the cases, without reflection.
  private static let names = [
    "subscription", "targetMissing", "familyShared", "offerOnPeriod", "offerOnNextPeriod", "cancelled", "upgraded",
    "cancellationForApp", "newerProductListed", "cancelledNearUpgrade", "cancelledAtPurchase", "upgradeKeyInForm",
    "transactionRenumbered", "originalPurchaseOlder", "previousPeriod", "previousPeriodExpired",
    "previousPeriodRunning", "previousPeriodUpgraded", "previousPeriodRevoked", "purchaseInGrace", "productChanged",
    "gapBefore", "lapseBeyondGrace", "lapseBeyondRetry", "renewedToNextProduct", "boughtAtExpiry",
    "upgradedToNextProduct", "renewedWithOffer", "earlierPeriodInGroupExpired", "earlierPeriodOfUnknownGroup",
    "earlierFamilyPeriod", "otherPeriodRunning", "historyVisible", "pendingKnown", "renewalListed",
    "pendingProductDiffers", "pendingOffer", "graceAfterEvent", "inBillingRetry", "failureShown", "consentGiven",
    "consentPending", "increaseAgreed", "expirationIntent:1", "expirationIntent:2", "expirationIntent:3",
    "expirationIntent:4", "expirationIntent:5", "undocumentedIntent", "autoRenewOn", "autoRenewOff", "eventTimeKnown",
    "periodRunning", "periodExpired", "periodRevoked", "retryPeriodElapsed", "boughtNearEvent", "cancelledNearEvent",
    "upgradedNearEvent", "sandbox", "purchaserOwned", "otherProductRenews", "promotionalOffer",
  ]

  static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// The intents 1 to 5, then every later one.
  static let intents: [Fact] = [
    .expirationIntent1, .expirationIntent2, .expirationIntent3, .expirationIntent4, .expirationIntent5,
    .undocumentedIntent,
  ]

  static func bits(_ facts: [Fact]) -> UInt64 { facts.reduce(0) { $0 | $1.bit } }
}

/// What a record shows of an event: the facts that hold, those that it cannot show, and the eras ahead of the event.
struct FactSet: Hashable, Sendable {
  var facts: UInt64 = 0
  /// Facts that the record neither shows nor rules out, because a value is missing; they are assumed not to hold.
  var unknown: UInt64 = 0
  /// Those of them that a value would show which is there and cannot be read.
  private(set) var unreadable: UInt64 = 0
  /// Facts that hold by two dates which may belong to separate actions.
  private(set) var doubted: UInt64 = 0
  /// What else holds if the other one of two contradicting statements of the record is true.
  private(set) var disputes: [Dispute] = []
  /// One bit per era, in the order of `RuleSet.eras`.
  var erasAhead: UInt64 = 0
  var isTimeUnknown = false

  mutating func insert(_ fact: Fact, if holds: Bool = true) {
    guard holds else { return }
    facts |= fact.bit
    unknown &= ~fact.bit
  }

  /// Notes a fact; `nil` where the record does not show whether it holds.
  mutating func set(_ fact: Fact, _ value: Bool?) {
    if let value { insert(fact, if: value) } else { setUnknown(fact.bit) }
  }

  /// Notes facts of which the record shows nothing, unless they hold already.
  mutating func setUnknown(_ bits: UInt64) { unknown |= bits & ~facts }

  /// Notes that the record does not show whether facts hold at the time of the event, whatever it shows of later times.
  mutating func assume(_ bits: UInt64) { unknown |= bits }

  /// Notes facts that a value would show which cannot be read.
  mutating func leaveOpen(_ bits: UInt64) {
    assume(bits)
    unreadable |= bits
  }

  /// The same record, if only what cannot be read were unknown.
  var withUnreadableOnly: FactSet {
    var found = self
    found.unknown = unreadable
    return found
  }

  /// Notes that a fact holds only if two dates belong to one action, which the record does not show.
  mutating func doubt(_ fact: Fact) {
    doubted |= fact.bit & facts
    unknown |= fact.bit & facts
  }

  /// The same record, if no doubted fact held.
  var withoutDoubted: FactSet {
    var found = self
    found.facts &= ~doubted
    return found
  }

  /// Facts of which two statements of the record contradict each other: those of the one that counts, and of the other.
  struct Dispute: Hashable, Sendable {
    let held: UInt64
    let other: UInt64
  }

  /// Notes that another statement of the record contradicts the one that counts.
  mutating func dispute(_ held: UInt64, _ other: UInt64) {
    assume(held | other)
    disputes.append(Dispute(held: held, other: other))
  }

  /// The same record, if the other statement counted.
  func taking(_ dispute: Dispute) -> FactSet {
    var found = self
    found.facts = found.facts & ~dispute.held | dispute.other
    return found
  }

  mutating func insert(before era: Int) { erasAhead |= 1 << UInt64(era) }
}

/// What one row of the decision table asks, as bits.
struct FactCondition: Hashable, Sendable {
  private var all = FactSet()
  private var none = FactSet()

  var asked: UInt64 { all.facts | none.facts }

  private var hasEras: Bool { all.erasAhead | none.erasAhead != 0 }

  /// The row fits, taking every unknown fact as not holding.
  func holds(in found: FactSet) -> Bool {
    found.facts & all.facts == all.facts && found.facts & none.facts == 0
      && found.erasAhead & all.erasAhead == all.erasAhead && found.erasAhead & none.erasAhead == 0
  }

  /// The row would fit for some value of the unknown facts.
  func couldHold(in found: FactSet) -> Bool {
    let possible = found.facts | found.unknown
    guard possible & all.facts == all.facts, found.facts & ~found.unknown & none.facts == 0 else { return false }
    return found.isTimeUnknown && hasEras
      || found.erasAhead & all.erasAhead == all.erasAhead && found.erasAhead & none.erasAhead == 0
  }

  /// The row fits for every value of the unknown facts for which another row fits.
  func mustHold(in found: FactSet, where other: FactCondition) -> Bool {
    let certain = found.facts & ~found.unknown | other.all.facts
    let possible = (found.facts | found.unknown) & ~other.none.facts | other.all.facts
    return certain & all.facts == all.facts && possible & none.facts == 0
      && !(found.isTimeUnknown && hasEras)
      && found.erasAhead & all.erasAhead == all.erasAhead && found.erasAhead & none.erasAhead == 0
  }

  /// The record shows every fact that the row asks for.
  func isObserved(in found: FactSet) -> Bool {
    found.unknown & (all.facts | none.facts) == 0 && !(found.isTimeUnknown && hasEras)
  }

  /// Compiles names of facts; `nil` where one of them is neither a fact nor an era.
  init?(all: [String], none: [String], eras: [Era]) {
    for name in all where !require(name, eras) { return nil }
    for name in none {
      guard let fact = Fact.byName[name] else { return nil }
      self.none.insert(fact)
    }
  }

  /// `from:<era>` asks for a known time that is not before the era.
  private mutating func require(_ name: String, _ eras: [Era]) -> Bool {
    if let fact = Fact.byName[name] {
      all.insert(fact)
      return true
    }
    let parts = name.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let era = eras.firstIndex(where: { $0.id == parts[1] }), era < 64 else { return false }
    switch parts[0] {
    case "before": all.insert(before: era)
    case "from":
      all.insert(.eventTimeKnown)
      none.insert(before: era)
    default: return false
    }
    return true
  }
}
