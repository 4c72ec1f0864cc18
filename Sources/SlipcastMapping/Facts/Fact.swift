/// The vocabulary in which the decision table asks about an event; each is one bit.
///
/// `Mappings/rules/facts.json` says what each means; `before:<era>` and `from:<era>` ask for eras.
enum Fact: UInt8, CaseIterable, Sendable {
  case subscription, targetMissing, familyShared, offerOnPeriod, offerOnNextPeriod, cancelled, upgraded
  case previousPeriod, previousPeriodExpired, previousPeriodRunning, previousPeriodUpgraded, productChanged
  case earlierPeriodInGroupExpired, earlierPeriodOfUnknownGroup, historyVisible
  case pendingKnown, renewalListed, pendingProductDiffers, pendingOffer, graceAfterEvent, inBillingRetry, consentGiven
  case expirationIntent1, expirationIntent2, expirationIntent3, expirationIntent4, expirationIntent5
  case autoRenewOn, autoRenewOff
  case eventTimeKnown, periodRunning, periodExpired, periodRevoked, retryPeriodElapsed
  case boughtNearEvent, cancelledNearEvent, upgradedNearEvent

  /// The bit of this fact.
  var bit: UInt64 { 1 << UInt64(rawValue) }

  /// The fact as rule files spell it.
  var name: String {
    let word = "\(self)"
    guard word.hasPrefix("expirationIntent"), let value = word.last else { return word }
    return "expirationIntent:\(value)"
  }

  static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}

/// A set of facts, and the eras that the event is known to lie before.
struct FactSet: Hashable, Sendable {
  var facts: UInt64 = 0
  /// One bit per era, in the order of `RuleSet.eras`.
  var erasAhead: UInt64 = 0

  mutating func insert(_ fact: Fact, if holds: Bool = true) { if holds { facts |= fact.bit } }

  /// Notes that the event lies before an era.
  mutating func insert(before era: Int) { erasAhead |= 1 << UInt64(era) }
}

/// What one row of the decision table asks, as bits.
struct FactCondition: Hashable, Sendable {
  private var all = FactSet()
  private var none = FactSet()

  func holds(in found: FactSet) -> Bool {
    found.facts & all.facts == all.facts && found.facts & none.facts == 0
      && found.erasAhead & all.erasAhead == all.erasAhead && found.erasAhead & none.erasAhead == 0
  }

  /// Compiles names of facts; gives the first unknown name instead when there is one.
  static func compile(all: [String], none: [String], eras: [Era]) -> Result<FactCondition, UnknownFact> {
    var condition = FactCondition()
    for name in all where !condition.require(name, eras) { return .failure(UnknownFact(name: name)) }
    for name in none {
      guard let fact = Fact.byName[name] else { return .failure(UnknownFact(name: name)) }
      condition.none.insert(fact)
    }
    return .success(condition)
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

/// A name in the decision table that is no fact and no era.
struct UnknownFact: Error { let name: String }
