/// The vocabulary in which the decision table asks about an event; each is one bit.
///
/// `Mappings/README.md` says what each means; era conditions (`before:<era>`, `from:<era>`) take the bits behind them.
enum Fact: UInt8, CaseIterable, Sendable {
  case subscription, targetMissing, familyShared, offerOnPeriod, offerOnNextPeriod, cancelled, upgraded
  case previousPeriod, previousPeriodExpired, previousPeriodRunning, previousPeriodUpgraded, productChanged
  case earlierPeriodInGroupExpired, earlierPeriodOfUnknownGroup, historyVisible
  case pendingKnown, pendingProductDiffers, pendingOffer, graceAfterEvent, inBillingRetry, consentGiven
  case expirationIntent1, expirationIntent2, expirationIntent3, expirationIntent4, expirationIntent5
  case autoRenewOn, autoRenewOff
  case eventTimeKnown, periodRunning, periodExpired, boughtNearEvent, cancelledNearEvent, upgradedNearEvent
  case retryPeriodElapsed

  /// The bit of this fact.
  var bit: UInt64 { 1 << UInt64(rawValue) }

  /// The fact as rule files spell it.
  var name: String {
    let word = "\(self)"
    guard word.hasPrefix("expirationIntent"), let value = word.last else { return word }
    return "expirationIntent:\(value)"
  }

  static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
  /// Bits behind the facts belong to eras: one each for "the event is known to lie before it".
  static let firstEraBit = allCases.count
}

/// A set of facts and eras.
struct FactSet: Hashable, Sendable {
  var bits: UInt64 = 0

  mutating func insert(_ fact: Fact, if holds: Bool = true) { if holds { bits |= fact.bit } }
  func contains(_ fact: Fact) -> Bool { bits & fact.bit != 0 }
}

/// What one row of the decision table asks, as bits.
struct FactCondition: Hashable, Sendable {
  var all: UInt64 = 0
  var none: UInt64 = 0

  func holds(in facts: FactSet) -> Bool { facts.bits & all == all && facts.bits & none == 0 }

  /// Compiles names of facts; gives the first unknown name instead when there is one.
  static func compile(all: [String], none: [String], eras: [Era]) -> Result<FactCondition, UnknownFact> {
    var condition = FactCondition()
    for name in all {
      guard let (required, refused) = bits(name, eras) else { return .failure(UnknownFact(name: name)) }
      condition.all |= required
      condition.none |= refused
    }
    for name in none {
      guard let (required, refused) = bits(name, eras), refused == 0 else { return .failure(UnknownFact(name: name)) }
      condition.none |= required
    }
    return .success(condition)
  }

  /// `from:<era>` asks for a known time that is not before the era.
  private static func bits(_ name: String, _ eras: [Era]) -> (all: UInt64, none: UInt64)? {
    if let fact = Fact.byName[name] { return (fact.bit, 0) }
    let parts = name.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let era = eras.firstIndex(where: { $0.id == parts[1] }), Fact.firstEraBit + era < 64 else {
      return nil
    }
    let bit: UInt64 = 1 << UInt64(Fact.firstEraBit + era)
    switch parts[0] {
    case "before": return (bit, 0)
    case "from": return (Fact.eventTimeKnown.bit, bit)
    default: return nil
    }
  }
}

/// A name in the decision table that is no fact and no era.
struct UnknownFact: Error { let name: String }
