/// What the other messages of a subscription show about one of them, in one round of settling.
struct MessageEvidence {
  private let history: SubscriptionHistory
  /// The events of messages that are certain so far.
  private let certain: [Int: EventName]
  private let place: Int
  /// Facts that were looked up already.
  private var known: [ArchiveFact: [Int]?] = [:]

  init(_ history: SubscriptionHistory, _ certain: [Int: EventName], about place: Int) {
    (self.history, self.certain, self.place) = (history, certain, place)
  }

  /// The places of the messages that show a fact; `nil` where none does.
  mutating func places(_ fact: ArchiveFact) -> [Int]? {
    if let found = known[fact] { return found }
    let found = history.evidence(for: fact, of: place)
    known[fact] = .some(found)
    return found
  }

  /// The first of some conditions whose facts are all shown for an event.
  mutating func holding(_ conditions: [UInt64], _ event: EventName?) -> UInt64? {
    for facts in conditions where shows(facts, event) { return facts }
    return nil
  }

  private mutating func shows(_ facts: UInt64, _ event: EventName?) -> Bool {
    for fact in ArchiveFact.all(in: facts) {
      guard let found = places(fact) else { return false }
      guard fact.namesEvent, let event else { continue }
      if found.last.map({ certain[$0] == event }) != true { return false }
    }
    return true
  }

  /// The settlement by some facts, with the messages that show them.
  mutating func settlement(_ candidate: Int?, _ facts: UInt64, isContradicted: Bool = false) -> Settlement {
    var shown: Set<Int> = []
    for fact in ArchiveFact.all(in: facts) { shown.formUnion(places(fact) ?? []) }
    shown.remove(place)
    return Settlement(
      candidate: candidate, facts: facts, by: shown.sorted().map { history.messages[$0].witness },
      usesCompleteness: ArchiveFact.all(in: facts).contains(where: history.table.needsCompleteArchive),
      isContradicted: isContradicted)
  }

  /// The candidates whose needs the other messages contradict; `nil` where they contradict all candidates, or not one.
  mutating func disproof(of decision: CompiledDecision) -> Settlement? {
    var (places, facts): (UInt64, UInt64) = (0, 0)
    for (index, reading) in decision.readings.enumerated() {
      guard let shown = holding(reading.disprovedBy, reading.event) else { continue }
      (places, facts) = (places | 1 << UInt64(index), facts | shown)
    }
    guard decision.isAmbiguous, places != 0,
      decision.readings.indices.contains(where: { places & 1 << UInt64($0) == 0 })
    else { return nil }
    var settlement = settlement(nil, facts)
    settlement.disproved = places
    return settlement
  }
}
