@_spi(Slipcast) internal import SlipcastWire

/// A condition of an archive fact (`archive-facts.json`): of the event with its period, or of another message.
protocol ArchiveCondition: RawRepresentable<String>, CaseIterable, Sendable {
  /// What its names are, as errors call one.
  static var what: String { get }
  /// It asks about a period, so a fact with `"period": "none"` cannot have it.
  var needsPeriod: Bool { get }
}

/// A condition of the event and its period (`when`).
enum EventCondition: String, ArchiveCondition {
  // Of the event.
  case dated, timed, written, beforeOffersOnInactive, sinceOffersOnInactive
  // Of the period.
  case ended, atPurchase, ownPeriod, upgraded, notUpgraded
  // Of the period before, and the event's own.
  case otherProduct, sameProduct, notRenewedEarly, notChosen, lapsedLong, revoked, ran, endedBefore, notInGrace
  case nothingRunning

  static var what: String { "a condition of the event" }

  var needsPeriod: Bool {
    switch self {
    case .dated, .timed, .written, .beforeOffersOnInactive, .sinceOffersOnInactive: false
    case .ended, .atPurchase, .ownPeriod, .upgraded, .notUpgraded, .otherProduct, .sameProduct, .notRenewedEarly,
      .notChosen, .lapsedLong, .revoked, .ran, .endedBefore, .notInGrace, .nothingRunning:
      true
    }
  }
}

/// A condition of one other message (`shows`).
enum MessageCondition: String, ArchiveCondition {
  // What it reports.
  case aboutPeriod, newestIsPeriod, named, purchaseByHand, failure, changesAutoRenew, plainChange
  // What it states of the renewal.
  case on, off, changeStated, unchangedSinceEvent, changedAtEvent, changedBeforeEvent, changedLongBeforeEvent
  case changedBeforeEnd, changedSincePurchase, changedAwayFromPurchase, voluntary, retryGivenUp
  case hasRenewal, retrying, graceAfterEnd, noGrace
  // When it was written or received.
  case writtenThen, writtenAfterAction, writtenAfterEnd, writtenAfterCancellation, writtenLater, receivedRetryEndBefore
  // What its list shows of the period.
  case showsUpgraded, showsUncancelledUpgrade, showsCancelledUnmarked, showsEarlierCancellation, showsOffer

  static var what: String { "a condition of another message" }

  var needsPeriod: Bool {
    switch self {
    case .named, .purchaseByHand, .failure, .changesAutoRenew, .plainChange, .on, .off, .changeStated,
      .unchangedSinceEvent, .changedAtEvent, .changedBeforeEvent, .changedLongBeforeEvent, .retryGivenUp, .hasRenewal,
      .retrying, .noGrace, .writtenAfterAction, .writtenLater, .receivedRetryEndBefore:
      false
    case .aboutPeriod, .newestIsPeriod, .changedBeforeEnd, .changedSincePurchase, .changedAwayFromPurchase, .voluntary,
      .graceAfterEnd, .writtenThen, .writtenAfterEnd, .writtenAfterCancellation, .showsUpgraded,
      .showsUncancelledUpgrade, .showsCancelledUnmarked, .showsEarlierCancellation, .showsOffer:
      true
    }
  }
}

/// The period that the conditions of an archive fact are about.
enum FactPeriod: String, CaseIterable, Sendable {
  /// No period.
  case none
  /// The event's, with what all messages show of it.
  case own
  /// The event's, as its own message shows it.
  case told
  /// The event's, with the cancellation that its own message shows: an upgraded one may be refunded later.
  case cancelled
  /// The newest period of the message.
  case newest
  /// The period before the event's own, as a list shows it that has both.
  case before
}

/// The conditions of an archive fact.
public struct ArchiveFactRow: Sendable {
  /// The period that they are about.
  var period = FactPeriod.own
  /// Conditions of the event and the period.
  var when: [EventCondition] = []
  /// Conditions of one other message; empty: none is needed.
  var shows: [MessageCondition] = []

  /// Reads `"period"`, `"when"` and `"shows"`; `nil` where a name is unknown, which the entry reports.
  init?(_ entry: RuleEntry) {
    guard let when = entry.conditions("when", EventCondition.self),
      let shows = entry.conditions("shows", MessageCondition.self)
    else { return nil }
    (self.when, self.shows) = (when, shows)
    guard entry.element["period"] != nil else { return }
    guard let period = entry.period("period") else { return nil }
    self.period = period
  }
}

extension RuleEntry {
  /// The conditions that a member names; `nil` where one is unknown, which is reported with those that exist.
  func conditions<Condition: ArchiveCondition>(_ member: String, _ type: Condition.Type) -> [Condition]? {
    let names = texts(member)
    let known = Condition.allCases.map(\.rawValue)
    for name in names where !known.contains(name) {
      let hint = RuleCheck.suggestion(name, known)
      fault("\"\(name)\" is not \(Condition.what) (\(known.joined(separator: ", ")))\(hint)", at: member)
    }
    let found = names.compactMap(Condition.init(rawValue:))
    return found.count == names.count ? found : nil
  }

  fileprivate func period(_ member: String) -> FactPeriod? {
    if let period = optionalText(member).flatMap(FactPeriod.init(rawValue:)) { return period }
    let name = element[member]?.string ?? ""
    fault("\"\(name)\" is not a period of a fact (\(words(FactPeriod.self)))", at: member)
    return nil
  }
}

/// The archive facts whose conditions are data.
struct ArchiveFactTable: Sendable {
  private let rows: [ArchiveFact: ArchiveFactRow]

  init(_ rules: RuleSet) {
    var rows: [ArchiveFact: ArchiveFactRow] = [:]
    for entry in rules.archiveFacts {
      guard let fact = ArchiveFact.byName[entry.name], let row = entry.row else { continue }
      rows[fact] = row
    }
    self.rows = rows
  }

  subscript(fact: ArchiveFact) -> ArchiveFactRow? { rows[fact] }
}
