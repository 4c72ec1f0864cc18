@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// What one record is read as: a row of the decision table, and how sure this record makes it.
///
/// The confidence is the weakest link of the row itself, the facts that the row asks for, the subject, and the time.
struct EventReading {
  private(set) var decision: CompiledDecision
  private(set) var confidence: Confidence
  /// Other events that stay possible because the record does not show what would rule them out.
  private(set) var alternatives = EventMask()
  /// Candidates of the row that a visible value contradicts, by their places.
  private(set) var disproved: UInt64 = 0
  /// Events that this record cannot be.
  private(set) var excluded = EventMask()
  /// What other messages of the archive say, where they settle the reading.
  private(set) var settlement: Settlement?
  /// The confidence that the record alone gives.
  private(set) var ownConfidence: Confidence
  /// One of the readings that a value leaves open which cannot be read is the companion of another message.
  private(set) var mayBeAbsorbed = false
  /// It is `inferred` only because the record shows several subscriptions and names none.
  private(set) var lacksOnlyName = false

  init(_ decision: CompiledDecision) {
    self.decision = decision
    (confidence, ownConfidence) = (decision.confidence, decision.confidence)
  }

  mutating func lower(to limit: Confidence) { confidence = max(confidence, limit) }

  /// Another event would be read if the record showed more; where the row has candidates, it is one of them.
  mutating func allow(_ events: EventMask) {
    let others = events.subtracting(decision.events)
    guard !others.isEmpty else { return }
    alternatives.formUnion(others)
    lower(to: .inferred)
  }

  /// A value that cannot be read would show whether the event is one of another row.
  mutating func leaveOpen(_ other: CompiledDecision) {
    allow(other.possible)
    let readings = other.isAmbiguous ? other.readings : [other.own]
    mayBeAbsorbed = mayBeAbsorbed || readings.contains(where: \.isAbsorbed)
  }

  /// Removes candidates that a visible value contradicts, and events that did not exist yet; one always stays.
  mutating func exclude(_ places: UInt64, _ events: EventMask) {
    alternatives.subtract(events)
    let gone = decision.readings.indices.reduce(disproved | places) { known, place in
      decision.readings[place].mask.isDisjoint(with: events) ? known : known | 1 << UInt64(place)
    }
    excluded.formUnion(events)
    guard decision.isAmbiguous, decision.readings.indices.contains(where: { gone & 1 << UInt64($0) == 0 }) else {
      return
    }
    disproved = gone
    let remaining = remaining.reduce(EventMask()) { $0.union(decision.readings[$1].mask) }
    for place in decision.readings.indices where gone & 1 << UInt64(place) != 0 {
      excluded.formUnion(decision.readings[place].mask.subtracting(remaining))
    }
    alternatives.subtract(excluded)
    if isAmbiguous { return }
    confidence = .inferred
  }

  /// The candidates that nothing contradicts, by their places.
  var remaining: [Int] { decision.readings.indices.filter { disproved & 1 << UInt64($0) == 0 } }

  mutating func lower(to limit: Confidence, isOneOfSeveral: Bool) {
    lacksOnlyName = isOneOfSeveral && confidence < .inferred
    lower(to: limit)
  }

  /// Takes the reading that other messages of the archive settle.
  mutating func settle(_ settlement: Settlement) {
    ownConfidence = confidence
    if settlement.isDoubted, let row = decision.doubt?.row {
      (decision, confidence, alternatives) = (row, row.confidence, EventMask())
    }
    if settlement.isOpen {
      self.settlement = settlement
      return exclude(settlement.disproved, excluded)
    }
    // The other messages rule the alternatives out.
    (self.settlement, confidence, alternatives) = (settlement, .corroborated, EventMask())
    guard isNarrowed, let place = settlement.candidate else { return }
    (confidence, alternatives) = (.inferred, decision.readings[place].withOffer)
  }

  /// The other messages do not show whether the event has, or redeems, an offer.
  var isNarrowed: Bool {
    settlement.map { $0.facts & ArchiveFact.offerDoubts != 0 && $0.candidate != nil || $0.isOpen } ?? false
  }

  /// The event that the row or its settled candidate names.
  var named: CompiledDecision.Reading {
    let place = settlement?.candidate ?? (decision.isAmbiguous ? remaining.first : nil)
    guard let place, decision.readings.indices.contains(place) else { return decision.own }
    return decision.readings[place]
  }

  /// V2 sends no separate notification for the message.
  var isAbsorbed: Bool {
    if named.isAbsorbed { return true }
    guard decision.mayAccompany, let settlement, !settlement.isOpen else { return false }
    return settlement.facts & ArchiveFact.reports != 0
  }

  var isAmbiguous: Bool {
    guard decision.isAmbiguous else { return false }
    return (settlement == nil || settlement?.isOpen == true) && remaining.count + alternatives.count > 1
  }

  /// Events besides the one that is named which V2 may have sent.
  var others: EventMask {
    let accepted = settlement == nil && !decision.isAmbiguous ? decision.accepts : EventMask()
    return alternatives.union(accepted).subtracting(excluded).subtracting(named.mask)
  }
}

/// Events of the decision table as a set of bits, in the order of `RuleSet.events`.
package struct EventMask: OptionSet, Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// How many events it has.
  var count: Int { rawValue.nonzeroBitCount }
}

/// The events that a record leaves possible besides those of its row, and those of its row that it rules out.
package struct EventChoices: Hashable, Sendable {
  /// Other events that stay possible.
  package var added = EventMask()
  /// Events that the record rules out.
  package var excluded = EventMask()

  package init(added: EventMask = EventMask(), excluded: EventMask = EventMask()) {
    (self.added, self.excluded) = (added, excluded)
  }

  /// The row says all.
  package var isEmpty: Bool { added.isEmpty && excluded.isEmpty }
}

extension KnownRecord {
  /// Finds the first row of the decision table that fits, and how sure the record makes it.
  ///
  /// - Parameter notes: what the phases before noticed.
  func readEvent(_ notes: NoteCollector) -> EventReading? {
    let facts = findFacts()
    let rows = compiled.decisions(of: type).all
    let open = openPlaces(rows, facts) + placeElsewhere(rows)
    guard let place = readPlace(rows, open, facts) else { return nil }
    var reading = EventReading(rows[place])
    for other in open { reading.leaveOpen(rows[other]) }
    if !rows[place].condition.isObserved(in: facts) { reading.lower(to: .inferred) }
    if rows[place].isAmbiguous {
      allowOthers(&reading, rows[..<place], facts)
    } else if facts.unknown != 0 || facts.isTimeUnknown {
      for row in rows[..<place] where row.condition.couldHold(in: facts) { reading.allow(row.events) }
    }
    if facts.doubted != 0, let other = rows.first(where: { $0.condition.holds(in: facts.withoutDoubted) }) {
      reading.allow(other.possible)
    }
    for dispute in facts.disputes {
      let other = facts.taking(dispute)
      if let row = rows.first(where: { $0.condition.holds(in: other) }) { reading.allow(row.events) }
    }
    if isTargetAhead || notes.contains(where: \.isOfEvent) { reading.lower(to: .inferred) }
    if isTimeDecisive { reading.lower(to: .corroborated) }
    // An hour that a date may be off can decide between events.
    if reading.confidence < .inferred, hasIncompleteRow || !input.unclearDates.isEmpty { reading.lower(to: .inferred) }
    reading.lower(to: subjectLimit, isOneOfSeveral: subject.isOneOfSeveral)
    exclude(from: &reading, facts)
    return reading
  }

  /// The row that fits; where that hangs on what cannot be read, one that keeps its candidates.
  private func readPlace(_ rows: [CompiledDecision], _ open: [Int], _ facts: FactSet) -> Int? {
    let place = rows.firstIndex { $0.condition.holds(in: facts) }
    if let place, rows[place].isAmbiguous { return place }
    return open.first { rows[$0].isAmbiguous } ?? place
  }

  /// The row that fits in the Sandbox, whose windows are shorter, for a record that names no environment.
  private func placeElsewhere(_ rows: [CompiledDecision]) -> [Int] {
    guard !input.environment.isStated else { return [] }
    var facts = inSandbox.findFacts()
    facts.insert(.sandbox)
    return rows.firstIndex { $0.condition.holds(in: facts) }.map { [$0] } ?? []
  }

  /// The rows that fit for some value of the facts that cannot be read, up to the first that fits for every value.
  private func openPlaces(_ rows: [CompiledDecision], _ facts: FactSet) -> [Int] {
    guard facts.unreadable != 0 else { return [] }
    let open = facts.withUnreadableOnly
    var found: [Int] = []
    for (place, row) in rows.enumerated() where row.condition.couldHold(in: open) {
      if found.contains(where: { rows[$0].condition.mustHold(in: open, where: row.condition) }) { continue }
      found.append(place)
      if row.condition.holds(in: open), row.condition.isObserved(in: open) { break }
    }
    return found
  }

  /// Leaves out candidates whose need a visible value contradicts, and events that V2 did not have yet.
  private func exclude(from reading: inout EventReading, _ facts: FactSet) {
    var places: UInt64 = 0
    for (place, candidate) in reading.decision.readings.enumerated()
    where candidate.disproofs.contains(where: { $0.holds(in: facts) && $0.isObserved(in: facts) }) {
      places |= 1 << UInt64(place)
    }
    var events = EventMask()
    if let time = judgeTime, time < compiled.newestEra {
      for (mask, start) in compiled.eventStarts where time < start { events.formUnion(mask) }
      events.subtract(reading.decision.isAmbiguous ? EventMask() : reading.decision.own.mask)
    }
    guard places != 0 || !events.isEmpty, !gaps.isReadingUnclear else { return }
    reading.exclude(places, events)
  }

  /// The events that a row with candidates does not name: those of rows that fit for some value of the unknown facts, and
  /// which no row before them takes away then.
  private func allowOthers(_ reading: inout EventReading, _ rows: ArraySlice<CompiledDecision>, _ facts: FactSet) {
    var open = facts
    // The candidates are what is possible where the record does not show the history.
    open.unknown &= ~(Self.previousFacts | Self.groupFacts)
    guard open.unknown != 0 || open.isTimeUnknown else { return }
    for (place, row) in zip(rows.indices, rows) where row.condition.couldHold(in: open) {
      let isTaken = rows[..<place].contains { $0.condition.mustHold(in: open, where: row.condition) }
      if !isTaken { reading.allow(row.events) }
    }
  }

  private var subjectLimit: Confidence {
    switch subject.standing {
    case .named: .documented
    case .otherOriginal: .corroborated
    case .chosenByProduct, .chosenByConsent, .chosenByDate: .inferred
    // A named purchase that is not listed is still the one that the event is about.
    case .missing: subject.named == nil ? .inferred : .documented
    }
  }

  /// The purchase is later than the message was received, and not a renewal that Apple charges early.
  private var isTargetAhead: Bool {
    guard let receivedAt, let target = subject.target else { return false }
    return periods[target].purchase - receivedAt > length(compiled.parameters.early)
  }

  /// Another possible time of a failed renewal would change its reading.
  ///
  /// The time is taken from the expiry, but Apple may have tried a day later; without the expiry the message may be as old as
  /// Apple's last delivery. A grace period that ends in between changes the reading.
  private var isTimeDecisive: Bool {
    guard type.is(.failure) else { return false }
    guard let eventTime else { return true }
    guard renewalEntry >= 0, let grace = record.instant(renewalEntry, .grace) else { return false }
    return grace > eventTime && grace <= eventTime + length(compiled.parameters.early)
  }

  /// A listed purchase lacks its date, its product, its original transaction or, as a subscription, its expiry: it may be
  /// the period before the event's, or of another subscription.
  private var hasIncompleteRow: Bool {
    if gaps.isReadingUnclear { return true }
    return periods.contains { period in
      if period.purchase == Period.none || record.rows.slot(period.row, .product_id) == 0
        || record.rows.slot(period.row, .original_transaction_id) == 0
      {
        return true
      }
      guard period.expires == Period.none else { return false }
      return record.rows.slot(period.row, .web_order_line_item_id) != 0
        || record.rows.slot(period.row, .subscription_group_identifier) != 0
    }
  }
}
