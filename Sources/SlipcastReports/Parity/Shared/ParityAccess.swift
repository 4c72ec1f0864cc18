import SlipcastComparison
import SlipcastMapping
internal import SlipcastWire

/// Whether customers would have had access, as the forms for people show it.
struct ParityAccess {
  /// Pairs of one outcome.
  struct Outcome {
    /// `locked out`.
    let title: String
    /// `V1 grants access and V2 does not`.
    let meaning: String
    let count: Int
  }

  let parity: EntitlementParity

  /// True when a switch would change who is served.
  var hasConflicts: Bool { parity.conflicts > 0 }

  /// The finding in one sentence without a stop.
  var headline: String {
    if hasConflicts {
      let pairs = Words.count(parity.conflicts, "pair")
      let subjects = Words.count(parity.subscriptions, "subscription or purchase", "subscriptions or purchases")
      return "the switch would change who is served, in \(pairs) of \(subjects)"
    }
    if told == 0 { return "no pair tells who is served" }
    let pairs = told == 1 ? "in the one pair that tells" : "in all \(told.grouped) pairs that tell"
    let moment = parity.asOf.map { Words.moment($0) } ?? "each event"
    let apart =
      parity.endingApart == 0 ? "" : ", but access ends at another time in \(parity.endingApart.grouped) of them"
    return "as of \(moment), nobody would be locked out or served for free, \(pairs)\(apart)"
  }

  /// Conflict, agreement (`nil`), an end that differs, or nothing to go by.
  var tone: DifferenceClass? {
    hasConflicts ? .conflict : told == 0 ? .identical : parity.endingApart > 0 ? .timeDependent : nil
  }

  /// The two kinds of conflict.
  var conflicts: [Outcome] {
    [
      Outcome(title: "locked out", meaning: "V1 grants access and V2 does not", count: parity.legacyOnly),
      Outcome(title: "served for free", meaning: "V2 grants access and V1 does not", count: parity.serverOnly),
    ]
  }

  /// Everything that is no conflict.
  var others: [Outcome] {
    [
      Outcome(title: "granted by both", meaning: "", count: parity.granted),
      Outcome(title: "ending earlier by V2", meaning: "of those granted by both", count: parity.serverEndsEarlier),
      Outcome(title: "ending later by V2", meaning: "of those granted by both", count: parity.serverEndsLater),
      Outcome(title: "granted by neither", meaning: "", count: parity.denied),
      Outcome(title: "too near to an end to say", meaning: "both may be right", count: parity.timeDependent),
      Outcome(title: "not known", meaning: "one side does not tell enough", count: parity.unknown),
    ]
  }

  /// Pairs that were judged.
  var judged: Int { told + parity.timeDependent + parity.unknown + parity.conflicts }

  /// Pairs in which both sides say the same.
  private var told: Int { parity.granted + parity.denied }

  /// As of when.
  var time: String {
    guard let asOf = parity.asOf else {
      return "each pair was judged as of its V2 signing date, or of the time of its event"
    }
    return "all pairs were judged as of \(Words.moment(asOf))"
  }

  /// Conflicts that a baseline accepts; `nil` for none.
  var accepted: String? {
    parity.accepted > 0
      ? "\(parity.accepted.grouped) of the conflicts \(parity.accepted == 1 ? "is" : "are") accepted" : nil
  }
}

extension EntitlementParity.Access {
  /// `access (active)`, `no access (revoked)`.
  var words: String { "\(isGranted ? "access" : "no access") (\(shownReason))" }

  /// Why, in plain words and safe to print.
  var shownReason: String {
    switch reason {
    case "gracePeriod": "in its grace period"
    case "billingRetry": "in billing retry"
    default: SafeText.words(reason)
    }
  }
}

extension EntitlementParity.Sample {
  /// The two records.
  var records: String { ParityResult.records(legacyRecord, serverRecord) }

  /// `V1 says access (active), V2 says no access (revoked), as of 2025-07-15 00:00:00 UTC`.
  var words: String { "V1 says \(legacy.words), V2 says \(server.words), as of \(Words.moment(asOf))" }

  /// The explanation, safe to print.
  var shownExplanation: String { SafeText.words(explanation) }
}
