package import SlipcastV2

/// Settles the readings of one subscription after another with what its other messages show.
package struct Settler {
  private let compiled: CompiledRules
  private let complete: [ClosedRange<Int64>]
  private let table: ArchiveFactTable
  private let decisions: [Int: CompiledDecision]
  private let upgrades: Set<Int>
  /// The event of each row that has only one.
  private let events: [Int: EventName]
  /// A settled reading may settle another one in the next round; the longest chain seen is a companion and two changes.
  private static let rounds = 6
  /// Subscriptions with more messages stay as they are: their time would grow with the square.
  package static let mostMessages = 2000

  /// - Parameter complete: time ranges for which no message is missing, in milliseconds since 1970 UTC.
  package init(prepared: Converter.PreparedRules, complete: [ClosedRange<Int64>]) {
    compiled = prepared.compiled
    self.complete = complete
    table = ArchiveFactTable(prepared.compiled.rules)
    let rows = prepared.compiled.allDecisions.filter(\.isSettleable)
    let types = prepared.compiled.rules.types
    events = Dictionary(
      uniqueKeysWithValues: types.indices.filter { types[$0].candidates.isEmpty }.map { ($0, types[$0].to) })
    upgrades = Set(
      types.indices.filter { types[$0].events.contains { $0.subtype == Subtype.upgrade.rawValue } })
    decisions = Dictionary(rows.map { ($0.number, $0) }) { first, _ in first }
  }

  package struct Result {
    package var key: SettlingKey
    package var settlement: Settlement
    /// V1's type of the message.
    package var type: String
    /// The confidence before.
    package var from: Confidence
  }

  /// Settles the messages of one subscription, in the order of the archive.
  ///
  /// - Parameter periods: their periods, where they are united already.
  package func settle(
    _ messages: [HistoryMessage], _ periods: UnitedPeriods? = nil, _ use: (Result) throws -> Void
  ) rethrows {
    for (place, settlement) in settlements(of: messages, periods).sorted(by: { $0.key < $1.key }) {
      let message = messages[place]
      let key = SettlingKey(
        high: message.high, low: message.low, rule: message.rule,
        receivedAt: message.receivedAt == HistoryMessage.noTime ? nil : message.receivedAt)
      try use(Result(key: key, settlement: settlement, type: compiled.name(of: message.type), from: message.confidence))
    }
  }

  /// Settles only the newest message of a subscription, with the earlier ones.
  ///
  /// - Parameter messages: in their order; the newest one is the last.
  /// - Returns: `nil` where the record alone decides.
  package func settleLast(of messages: [HistoryMessage]) -> Settlement? {
    settlements(of: messages, nil)[messages.count - 1]
  }

  /// Whether other messages could settle the reading of a message.
  package func canSettle(_ message: HistoryMessage) -> Bool {
    decisions[message.rule] != nil && message.scope.contains(.named) && !message.scope.contains(.open)
  }

  private func settlements(of messages: [HistoryMessage], _ periods: UnitedPeriods?) -> [Int: Settlement] {
    guard messages.count <= Self.mostMessages, messages.contains(where: { decisions[$0.rule] != nil }) else {
      return [:]
    }
    let history = SubscriptionHistory(
      messages, periods: periods ?? UnitedPeriods(messages), compiled.parameters, table, complete: complete,
      upgrades: upgrades)
    var settled: [Int: Settlement] = [:]
    // What is certain so far; another message can support a reading only with its own certain one.
    var certain: [Int: EventName] = [:]
    for (place, message) in messages.enumerated() where isCertain(message) {
      certain[place] = events[message.rule]
    }
    let doubted = doubts(in: history, certain)
    for place in doubted.keys { certain[place] = nil }
    for _ in 0..<Self.rounds {
      // Each round sees only what the rounds before have settled: the order of the messages does not matter.
      let open = messages.indices.filter { settled[$0] == nil && canSettle(messages[$0]) }
      let found = open.compactMap { place in
        (doubted[place]?.row ?? decisions[messages[place].rule]).flatMap { decision in
          settlement(of: place, decision, in: history, certain, after: settled).map { (place, decision, $0) }
        }
      }
      for (place, decision, settlement) in found {
        settled[place] = settlement
        guard !settlement.isContradicted, settlement.disproved == 0 else { continue }
        certain[place] = settlement.candidate.map { decision.readings[$0].event } ?? events[messages[place].rule]
        guard let candidate = settlement.candidate else { continue }
        if decision.readings[candidate].event.notificationType == NotificationType.didChangeRenewalStatus.rawValue {
          history.notePlainChange(place)
        }
      }
      if found.isEmpty { break }
    }
    for (place, doubt) in doubted {
      var evidence = MessageEvidence(history, certain, about: place)
      if settled[place]?.isContradicted ?? true { settled[place] = evidence.settlement(nil, doubt.facts) }
      settled[place]?.isDoubted = true
    }
    for (place, settlement) in settled {
      let decision = doubted[place]?.row ?? decisions[messages[place].rule]
      settled[place] = accompanying(settlement, of: place, decision, in: history, certain: certain, settled: settled)
    }
    return settled
  }

  private typealias Doubt = (row: CompiledDecision, facts: UInt64)

  /// The messages whose own reading is one of several where the archive is known, and is not confirmed by it, each with
  /// the row of the others.
  private func doubts(in history: SubscriptionHistory, _ certain: [Int: EventName]) -> [Int: Doubt] {
    var doubted: [Int: Doubt] = [:]
    for (place, message) in history.messages.enumerated() where canSettle(message) {
      guard let doubt = decisions[message.rule]?.doubt else { continue }
      var evidence = MessageEvidence(history, certain, about: place)
      guard let facts = evidence.holding(doubt.by, nil) else { continue }
      let supported = doubt.row.readings.filter { evidence.holding($0.settledBy, $0.event) != nil }.map(\.event)
      if supported != [events[message.rule]] { doubted[place] = (doubt.row, facts) }
    }
    return doubted
  }

  /// A settled change of auto-renew at a purchase that another message reports: V2 sends one notification for both.
  ///
  /// Other facts may settle it before the reading of the report is certain.
  private func accompanying(
    _ settlement: Settlement, of place: Int, _ decision: CompiledDecision?, in history: SubscriptionHistory,
    certain: [Int: EventName], settled: [Int: Settlement]
  ) -> Settlement {
    let message = history.messages[place]
    guard let decision, let candidate = settlement.candidate,
      message.type.changesAutoRenew, settlement.facts & ArchiveFact.reports == 0,
      history.evidence(for: .atPurchase, of: place) != nil,
      let report = history.evidence(for: .purchaseReported, of: place)?.last,
      certain[report] == decision.readings[candidate].event
    else { return settlement }
    var joined = settlement
    joined.facts |= ArchiveFact.purchaseReported.bit | ArchiveFact.atPurchase.bit | doubt(settled[report])
    let known = history.messages.indices.filter { $0 == report || joined.by.contains(history.messages[$0].witness) }
    joined.by = known.map { history.messages[$0].witness }
    return joined
  }

  /// The record alone shows what the message means, or it lacks only the name of the one subscription that fits.
  private func isCertain(_ message: HistoryMessage) -> Bool {
    message.confidence < .inferred || message.scope.isSuperset(of: [.named, .lacksName])
  }

  private func settlement(
    of place: Int, _ decision: CompiledDecision, in history: SubscriptionHistory, _ certain: [Int: EventName],
    after settled: [Int: Settlement]
  ) -> Settlement? {
    var evidence = MessageEvidence(history, certain, about: place)
    if let facts = evidence.holding(decision.contradictedBy, nil) {
      return evidence.settlement(nil, facts, isContradicted: true)
    }
    let message = history.messages[place]
    guard message.confidence >= .inferred || decision.number != message.rule else { return nil }
    var found: [(candidate: Int?, facts: UInt64)] = decision.readings.indices.compactMap { index in
      let reading = decision.readings[index]
      return evidence.holding(reading.settledBy, reading.event).map { (index, $0) }
    }
    if message.confidence == .inferred, let facts = evidence.holding(decision.settledBy, decision.own.event) {
      found.append((nil, facts))
    }
    guard let first = found.first else { return evidence.disproof(of: decision) }
    if found.count > 1 {
      return evidence.settlement(nil, found.reduce(0) { $0 | $1.facts }, isContradicted: true)
    }
    var facts = first.facts
    if facts & ArchiveFact.noOfferShown.bit != 0, evidence.places(.offerUnseen) != nil {
      facts |= ArchiveFact.offerUnseen.bit
    }
    for fact in ArchiveFact.all(in: facts) where fact.namesEvent {
      if let report = evidence.places(fact)?.last { facts |= doubt(settled[report]) }
    }
    return evidence.settlement(first.candidate, facts)
  }

  /// What supports a reading, and was itself settled with an offer unseen, hands that doubt on.
  private func doubt(_ report: Settlement?) -> UInt64 { (report?.facts ?? 0) & ArchiveFact.offerUnseen.bit }
}
