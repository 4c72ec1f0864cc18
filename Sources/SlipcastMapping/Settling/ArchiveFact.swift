internal import SlipcastWire

/// The vocabulary in which `settledBy` asks about the other messages of a subscription; each fact is one bit.
///
/// `Mappings/rules/archive-facts.json` states the meaning and the source of each.
package enum ArchiveFact: UInt8, CaseIterable, Sendable {
  case recoveryReported, purchaseReported, upgradeReported, cancelReported
  case failedBefore, lapsedVoluntarily, retryOver, retryElapsed
  case nothingBoughtNear
  case autoRenewOnSince, autoRenewOffSince, offAtExpiry, wasOff
  case atPurchase, otherChangeAtPurchase, turnedOffBefore, lapsedLong, previousRevoked
  case beforeOffersOnInactive, sinceOffersOnInactive
  case previousEnded, previousRan, previousUpgraded, otherProductBefore, sameProductBefore
  case earlierEnded, firstOfGroup
  case markedUpgraded, notMarkedUpgraded, upgradeNear, upgradedUncancelled, uncancelledSince, cancelledBefore
  case offerShown, noOfferShown, offerUnseen, offerPendingBefore, offerShownBefore, graceShown, noGraceShown
  case noFailureReported, noRecoveryReported, noPurchaseReported, stayedOn, stayedOff
  case otherProductRan, sameProductRan, lapsedBefore, revokedBefore, nothingPending
  case sameProductOnly, otherChoiceBefore, noCancelReported
  case otherPeriodRan, samePeriodRan
  case nextOfferShown, noNextOfferShown, boughtInGrace

  var bit: UInt64 { 1 << UInt64(rawValue) }

  /// The fact as rule files spell it.
  package var name: String { Self.names[Int(rawValue)] }

  /// All of them, in the order of the cases, without reflection.
  private static let names = [
    "recoveryReported", "purchaseReported", "upgradeReported", "cancelReported", "failedBefore", "lapsedVoluntarily",
    "retryOver", "retryElapsed", "nothingBoughtNear", "autoRenewOnSince", "autoRenewOffSince", "offAtExpiry", "wasOff",
    "atPurchase", "otherChangeAtPurchase", "turnedOffBefore", "lapsedLong", "previousRevoked", "beforeOffersOnInactive",
    "sinceOffersOnInactive", "previousEnded", "previousRan", "previousUpgraded", "otherProductBefore",
    "sameProductBefore", "earlierEnded", "firstOfGroup", "markedUpgraded", "notMarkedUpgraded", "upgradeNear",
    "upgradedUncancelled", "uncancelledSince", "cancelledBefore", "offerShown", "noOfferShown", "offerUnseen",
    "offerPendingBefore", "offerShownBefore", "graceShown", "noGraceShown", "noFailureReported", "noRecoveryReported",
    "noPurchaseReported", "stayedOn", "stayedOff", "otherProductRan", "sameProductRan", "lapsedBefore", "revokedBefore",
    "nothingPending", "sameProductOnly", "otherChoiceBefore", "noCancelReported", "otherPeriodRan", "samePeriodRan",
    "nextOfferShown", "noNextOfferShown", "boughtInGrace",
  ]

  static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// It holds for a reading only where the message that shows it has the same event.
  var namesEvent: Bool { self == .purchaseReported || self == .upgradeReported }

  /// Another message reports the same event, and V2 sends one notification for both.
  static let reports = recoveryReported.bit | purchaseReported.bit
  /// Facts that leave open whether the event redeems an offer: the reading is narrowed, and not settled.
  static let offerDoubts = offerUnseen.bit | offerShownBefore.bit

  package static func all(in bits: UInt64) -> [ArchiveFact] { allCases.filter { bits & $0.bit != 0 } }

  /// The names of one condition, where they are joined by ` + `.
  static func names(in condition: String) -> [String] {
    condition.parts(at: "+").map { part in
      String(decoding: part.utf8.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    }
  }

  /// The bits of one condition; `nil` where a name is not a fact.
  static func bits(of condition: String) -> UInt64? {
    let facts = names(in: condition).map { byName[$0] }
    return facts.contains(nil) ? nil : facts.reduce(0) { $0 | ($1?.bit ?? 0) }
  }
}
