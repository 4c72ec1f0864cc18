/// A condition of the table of archive facts (`archive-facts.json`), of the event with its period or of another message.
///
/// A fact holds if all of its conditions do: `when` are those of the event, `shows` those of one other message.
enum ArchiveCondition: String, CaseIterable, Sendable {
  // Of the event.
  case dated, timed, written, ended, atPurchase, beforeOffersOnInactive, sinceOffersOnInactive
  // Of the period.
  case ownPeriod, upgraded, notUpgraded
  // Of the period before, and the event's own.
  case otherProduct, sameProduct, notRenewedEarly, notChosen, lapsedLong, revoked, ran, endedBefore, notInGrace
  case nothingRunning
  // Of another message: what it reports.
  case aboutPeriod, newestIsPeriod, named, purchaseByHand, failure, changesAutoRenew, plainChange
  // What it states of the renewal.
  case on, off, changeStated, unchangedSinceEvent, changedAtEvent, changedBeforeEvent, changedLongBeforeEvent
  case changedBeforeEnd, changedSincePurchase, changedAwayFromPurchase, voluntary, retryGivenUp
  case hasRenewal, retrying, graceAfterEnd, noGrace
  // When it was written or received.
  case writtenThen, writtenAfterAction, writtenAfterEnd, writtenAfterCancellation, writtenLater, receivedRetryEndBefore
  // What its list shows of the period.
  case showsUpgraded, showsUncancelledUpgrade, showsCancelledUnmarked, showsEarlierCancellation, showsOffer

  /// It asks about the event; any other one about another message.
  var isOfEvent: Bool { Self.ofEvent.contains(self) }

  private static let ofEvent: Set<Self> = [
    .dated, .timed, .written, .ended, .atPurchase, .beforeOffersOnInactive, .sinceOffersOnInactive, .ownPeriod,
    .upgraded, .notUpgraded, .otherProduct, .sameProduct, .notRenewedEarly, .notChosen, .lapsedLong, .revoked, .ran,
    .endedBefore, .notInGrace, .nothingRunning,
  ]

  /// The names of those that ask about the event, or about another message.
  static func names(ofEvent isOfEvent: Bool) -> [String] {
    allCases.filter { $0.isOfEvent == isOfEvent }.map(\.rawValue)
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

/// The conditions of an archive fact as its entry states them.
public struct ArchiveFactRow: Sendable {
  /// The period that they are about, a name of `FactPeriod`.
  var period: String
  /// Conditions of the event and the period.
  var when: [String]
  /// Conditions of one other message; empty: none is needed.
  var shows: [String]
}

/// The archive facts whose conditions are data.
struct ArchiveFactTable: Sendable {
  struct Row: Sendable {
    let period: FactPeriod
    let when: [ArchiveCondition]
    let shows: [ArchiveCondition]
  }

  private let rows: [ArchiveFact: Row]

  init(_ rules: RuleSet) {
    var rows: [ArchiveFact: Row] = [:]
    for entry in rules.archiveFacts {
      guard let fact = ArchiveFact.byName[entry.name], let row = entry.row else { continue }
      rows[fact] = Row(
        period: FactPeriod(rawValue: row.period) ?? .own, when: row.when.compactMap(ArchiveCondition.init(rawValue:)),
        shows: row.shows.compactMap(ArchiveCondition.init(rawValue:)))
    }
    self.rows = rows
  }

  subscript(fact: ArchiveFact) -> Row? { rows[fact] }
}
