import SlipcastComparison
import SlipcastMapping
internal import SlipcastWire

extension ParityResult {
  /// The verdict in one sentence without a stop: `99.87% of 9,871 events agree, 12 conflict; 1 of 2 gates fails`.
  ///
  /// Events are those that both sides tell.
  var verdictWords: String {
    let failing = failingGates.count
    guard hasOwnGates, failing > 0 else { return eventWords }
    return "\(eventWords); \(failing) of \(Words.count(gates.count, "gate")) \(failing == 1 ? "fails" : "fail")"
  }

  private var eventWords: String {
    let (all, conflicting) = (pairs.compared, pairs.conflicting)
    if all == 0 { return "no event is told by both sides" }
    if conflicting == 0 { return all == 1 ? "the one event agrees" : "all \(all.grouped) events agree" }
    let conflict = "\(conflicting.grouped) \(conflicting == 1 ? "conflicts" : "conflict")"
    return "\(agreement) of \(Words.count(all, "event")) agree, \(conflict)"
  }

  /// The share of events without a conflict among those that both sides tell.
  var agreement: String { Share.percent(pairs.matched, of: pairs.compared) }

  /// The number of fields by the most serious class that they have.
  static func counts(_ fields: [ParityField]) -> [DifferenceClass: Int] {
    Dictionary(grouping: fields, by: \.worst).mapValues(\.count)
  }
}

extension ParityResult.Archive {
  /// The name, safe to print.
  var shownName: String { SafeText.words(name) }

  /// `1,012,345 records, 2021-11-02 to 2025-03-01`.
  var about: String {
    let days = span.map { [Words.day($0.lowerBound), Words.day($0.upperBound)] } ?? []
    let span = days.isEmpty ? "" : days[0] == days[1] ? ", \(days[0])" : ", \(days[0]) to \(days[1])"
    return Words.count(records, "record") + span
  }
}

extension ParityResult.UnpairedKind.Reason {
  /// What the events of this kind are, as a heading.
  var title: String {
    switch self {
    case .legacyWithoutServer: "V1 events without their V2 notification"
    case .serverWithoutLegacy: "V2 notifications without their V1 message"
    case .serverOnlyEvents: "V2 notifications of a kind that V1 never sends"
    case .unknownEvents: "V2 notifications of a kind unknown to this version"
    case .notComparable: "V1 events from before V2 existed"
    }
  }

  /// False when nothing is missing.
  var isOpen: Bool { self == .legacyWithoutServer || self == .serverWithoutLegacy }
}

extension ParityResult.UnpairedKind {
  /// The event, safe to print.
  var shownEvent: String { SafeText.words(event) }
  /// The explanation, safe to print.
  var shownExplanation: String { SafeText.words(explanation) }
  /// `records 1, 2, 3 and 17 more`; empty for none.
  func recordWords(_ most: Int) -> String {
    guard !records.isEmpty else { return "" }
    let rest = count - min(most, records.count)
    let numbers = records.prefix(most).map(\.grouped).joined(separator: " · ")
    return (count == 1 ? "record " : "records ") + numbers + (rest > 0 ? " and \(rest.grouped) more" : "")
  }
}

extension ParityResult {
  /// Unpaired kinds by reason, in the order of the reasons; reasons without any are left out.
  var unpairedByReason: [(reason: UnpairedKind.Reason, kinds: [UnpairedKind])] {
    let kinds = Dictionary(grouping: unpaired, by: \.reason)
    return UnpairedKind.Reason.allCases.compactMap { reason in kinds[reason].map { (reason, $0) } }
  }

  /// Combinations whose type or subtype is in conflict, the most frequent first.
  var typeConflicts: [TypeCell] {
    types.filter { $0.typeConflicts > 0 }.sorted { $0.typeConflicts > $1.typeConflicts }
  }
}

extension ParityResult.TypeCell {
  /// V1's type, safe to print.
  var shownLegacy: String { SafeText.words(legacy) }
  /// V2's type and subtype, safe to print.
  var shownServer: String { SafeText.words(server) }
}

extension ParityResult.AmbiguousKind {
  /// V1's type, safe to print.
  var shownLegacy: String { SafeText.words(legacy) }
  /// The row of the decision table, safe to print.
  var shownRule: String { SafeText.words(rule) }
  /// Messages of this kind.
  var count: Int { readings.reduce(other + undecided) { $0 + $1.count } }
}

extension ParityResult.AmbiguousKind.Reading {
  /// Type and subtype, safe to print.
  var shownEvent: String { SafeText.words(event) }
  /// What would have decided, safe to print.
  var shownNeeds: String { SafeText.words(needs) }
}
