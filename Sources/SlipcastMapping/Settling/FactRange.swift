@_spi(Slipcast) internal import SlipcastWire

/// A time that a row of the table of archive facts names.
enum FactTime: String, CaseIterable, Sendable {
  /// The purchase of the event's own period.
  case purchase
  case periodStart, periodEnd
  case event
  /// When the event's message was received, else the end of the period.
  case received
  /// For which the neighbour shows a state.
  case shown

  var needsPeriod: Bool {
    switch self {
    case .purchase, .periodStart, .periodEnd, .received: true
    case .event, .shown: false
    }
  }
}

/// The time of which no message may be missing: from one time to another, each with windows added or subtracted.
struct FactRange: Sendable {
  /// `periodEnd - early`: a time, and the names of windows.
  struct Bound: Sendable {
    let time: FactTime
    let windows: [(name: DecisionName, isAdded: Bool)]
    /// As the rule spells it.
    let text: String
  }

  let from: Bound
  let until: Bound

  /// Reads `["periodEnd - early", "purchase + delivery"]`; `nil` where a name is unknown, which the entry reports.
  init?(_ element: JSONElement, _ entry: RuleEntry) {
    let texts = element.kind == .array ? element.children.compactMap(\.string) : []
    let bounds = texts.compactMap(Bound.init)
    guard bounds.count == 2, element.children.count == 2 else {
      let times = FactTime.allCases.map(\.rawValue).joined(separator: ", ")
      entry.fault(
        "\"complete\" is not two times (\(times)) with windows: [\"periodEnd - early\", \"purchase + delivery\"]",
        in: element)
      return nil
    }
    (from, until) = (bounds[0], bounds[1])
  }

  /// The two times, as `explain` shows them.
  var text: String { "\(from.text) … \(until.text)" }

  var needsPeriod: Bool { from.time.needsPeriod || until.time.needsPeriod }
  var needsNeighbour: Bool { from.time == .shown || until.time == .shown }
}

extension FactRange.Bound {
  init?(_ text: String) {
    let words = text.parts(at: " ")
    guard let first = words.first, let time = FactTime(rawValue: first), words.count % 2 == 1 else { return nil }
    var windows: [(name: DecisionName, isAdded: Bool)] = []
    for place in stride(from: 1, to: words.count, by: 2) {
      guard ["+", "-"].contains(words[place]), let name = DecisionName(rawValue: "decision.window." + words[place + 1])
      else { return nil }
      windows.append((name, words[place] == "+"))
    }
    (self.time, self.windows, self.text) = (time, windows, text)
  }

  /// How far it is from its time, in milliseconds, in production and in the Sandbox.
  func distance(_ rules: RuleSet) -> (production: Int64, sandbox: Int64) {
    windows.reduce(into: (production: 0, sandbox: 0)) { sum, window in
      let (length, sandbox) = rules.window(window.name)
      sum.production += window.isAdded ? length : -length
      sum.sandbox += window.isAdded ? sandbox : -sandbox
    }
  }
}

/// The conditions of all archive facts.
struct ArchiveFactTable: Sendable {
  struct Row: Sendable {
    let conditions: ArchiveFactRow
    /// What is added to the two times of `complete`.
    let distances: (from: (production: Int64, sandbox: Int64), until: (production: Int64, sandbox: Int64))
  }

  /// By the number of the fact.
  private let rows: [[Row]]

  /// The rules must have passed `RuleCheck`.
  init(_ rules: RuleSet) {
    let entries = Dictionary(rules.archiveFacts.map { ($0.name, $0.rows) }) { first, _ in first }
    rows = ArchiveFact.allCases.map { fact in
      (entries[fact.name] ?? []).map { row in
        let none: (production: Int64, sandbox: Int64) = (0, 0)
        let range = row.complete
        return Row(
          conditions: row, distances: (range?.from.distance(rules) ?? none, range?.until.distance(rules) ?? none))
      }
    }
  }

  /// The rows of a fact, each of which alone shows it.
  subscript(fact: ArchiveFact) -> [Row] { rows[Int(fact.rawValue)] }

  /// The fact follows only from the owner's word that no message is missing (`--complete`).
  func needsCompleteArchive(_ fact: ArchiveFact) -> Bool { self[fact].contains { $0.conditions.complete != nil } }
}
