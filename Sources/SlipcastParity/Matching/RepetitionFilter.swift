internal import SlipcastBulk
internal import SlipcastComparison
internal import SlipcastMapping

/// Finds, among the events of one side of a subscription, those that repeat another one.
///
/// V1 messages without a time are distinguished as `convert` does it (`EventSequence`), but here all messages of the
/// subscription are known, so that they are taken by received time whatever the order of the archive. Of several
/// records with one id and different content, the one with the smallest digest represents the event and the others are
/// its variants: the choice does not depend on the order of the records.
final class RepetitionFilter {
  /// What is left of some events.
  struct Outcome {
    /// Indexes of events without duplicates, in their order.
    var places: [Int] = []
    /// Places of records that have the id of an event and other content, by the place of the event.
    var variants: [Int: [Int]] = [:]
    /// Records that repeat another one.
    var duplicates = 0
    /// Those among them that are variants.
    var differing = 0
  }

  private let sequence: EventSequence
  private let view: RecordView
  private var known = SeenIds()

  init(_ rules: RuleSet, _ shapes: ShapeTable) {
    view = RecordView(shapes)
    sequence = EventSequence(RepeatWindows(rules))
  }

  func begin() {
    known.clear()
    sequence.removeAll()
  }

  /// Filters the events of one subscription, or a part of them.
  func filter(_ events: [PairEvent]) throws -> Outcome {
    let ids = try ids(of: events)
    var outcome = Outcome()
    var repeated: [SeenIds.Id] = []
    var repeatedItems: [Int] = []
    for place in inOrderOfWords(events) {
      if let id = ids[place], !isNew(events[place], id) {
        outcome.duplicates += 1
        if events[place].head.unit != .notification {
          repeatedItems.append(place)
        } else if !repeated.contains(id) {
          repeated.append(id)
        }
      } else {
        outcome.places.append(place)
      }
    }
    outcome.places.sort()
    noteTakenBack(outcome.places, ids, of: events)
    for id in repeated { represent(id, among: ids, of: events, in: &outcome) }
    if !repeatedItems.isEmpty { addVariants(repeatedItems, ids, of: events, to: &outcome) }
    return outcome
  }

  /// A message says that an item was taken back, and a newer list may not.
  private func noteTakenBack(_ places: [Int], _ ids: [SeenIds.Id?], of events: [PairEvent]) {
    let taken = Set(events.indices.lazy.filter { events[$0].head.isTakenBackUndated }.compactMap { ids[$0] })
    guard !taken.isEmpty else { return }
    for place in places where ids[place].map(taken.contains) ?? false && events[place].head.unit != .notification {
      events[place].takeBack()
    }
  }

  /// The places of events, what states most first: a message without a list states nothing about a subscription of which
  /// another one shows a newer period.
  private func inOrderOfWords(_ events: [PairEvent]) -> [Int] {
    guard events.contains(where: { $0.head.showsOnePeriod && $0.head.unit == .subscription }) else {
      return Array(events.indices)
    }
    // A renewal that was taken back before it began is not the newest period.
    let begun = events.lazy.filter { event in event.time.map { $0 >= event.keys.purchaseDate ?? .min } ?? true }
    let newest = begun.compactMap(\.keys.purchaseDate).max()
    func isOutdone(_ place: Int) -> Bool {
      events[place].head.showsOnePeriod && events[place].keys.purchaseDate != newest
    }
    return events.indices.filter { !isOutdone($0) } + events.indices.filter(isOutdone)
  }

  /// The latest time at which an event came first; of one side of a subscription.
  func lastFirstTime(of events: [PairEvent]) throws -> Int64? {
    var first: [SeenIds.Id: Int64] = [:]
    var last: Int64?
    for (event, id) in zip(events, try ids(of: events)) {
      guard let time = event.keys.coveredTime else { continue }
      if let id { first[id] = min(first[id] ?? time, time) } else { last = max(last ?? time, time) }
    }
    return (first.values.max()).map { max($0, last ?? $0) } ?? last
  }

  /// Of several transactions that stand for one period each is new; an earlier copy of one of them is not.
  private func isNew(_ event: PairEvent, _ id: SeenIds.Id) -> Bool {
    guard event.head.unit == .transaction, let transaction = event.keys.transactionId else { return known.insert(id) }
    let isNew = known.insert(SeenIds.Id(high: id.high | Self.exact, low: transaction ^ id.low &* 31))
    return event.keys.isSeatAddition ? isNew : known.insert(id) && isNew
  }

  /// Marks ids that name line item and transaction.
  private static let exact: UInt64 = 1 << 32

  /// Chooses the record that stands for an event with several.
  private func represent(_ id: SeenIds.Id, among ids: [SeenIds.Id?], of events: [PairEvent], in outcome: inout Outcome)
  {
    let places = ids.indices.filter { ids[$0] == id }
    guard let first = places.first, let index = outcome.places.firstIndex(of: first) else { return }
    var byContent: [UInt64: Int] = [:]
    for place in places {
      let content = fingerprint(of: events[place])
      // The first delivery, also in an archive that is not in order.
      if let known = byContent[content], events[known].delivery < events[place].delivery { continue }
      byContent[content] = place
    }
    let chosen = byContent.sorted { $0.key < $1.key }.map(\.value)
    outcome.places[index] = chosen[0]
    guard chosen.count > 1 else { return }
    outcome.variants[chosen[0]] = Array(chosen.dropFirst())
    outcome.differing += chosen.count - 1
    outcome.places.sort()
  }

  /// Of the transactions that answers list the newest word counts, whatever the others say.
  ///
  /// Where no date shows which of two is newer, both are compared.
  private func addVariants(_ repeated: [Int], _ ids: [SeenIds.Id?], of events: [PairEvent], to outcome: inout Outcome) {
    func name(_ place: Int) -> ItemName { ItemName(id: ids[place], transaction: events[place].keys.transactionId) }
    var newest: [ItemName: Int] = [:]
    for place in outcome.places where events[place].head.unit == .transaction { newest[name(place)] = place }
    var contents: [Int: Set<UInt64>] = [:]
    for place in repeated {
      guard let known = newest[name(place)],
        events[place].time == nil || events[place].time == events[known].time
      else { continue }
      let content = fingerprint(of: events[place])
      guard contents[known, default: [fingerprint(of: events[known])]].insert(content).inserted else { continue }
      outcome.variants[known, default: []].append(place)
      outcome.differing += 1
    }
  }

  /// One transaction of a subscription or purchase, whatever lists it.
  private struct ItemName: Hashable {
    let id: SeenIds.Id?
    let transaction: UInt64?
  }

  /// A digest of what the record contains.
  private func fingerprint(of event: PairEvent) -> UInt64 {
    event.show(in: view)
    return view.fingerprint
  }

  /// The ids of events; those of messages that were sent more than once under one key are made distinct.
  private func ids(of events: [PairEvent]) throws -> [SeenIds.Id?] {
    var ids = events.map { event in event.head.id.map { SeenIds.Id(high: $0.high, low: $0.low) } }
    guard events.contains(where: \.dependsOnOrder) else { return ids }
    for place in order(events) {
      guard let trace = events[place].trace else { continue }
      let outcome = try sequence.settle(trace)
      guard outcome.ordinal > 0 else { continue }
      let id = sequence.id(trace, ordinal: outcome.ordinal)
      ids[place] = SeenIds.Id(high: id.high, low: id.low)
      events[place].rename(to: id.high, id.low)
    }
    return ids
  }

  /// By received time where all are known, else in the order of the archive.
  private func order(_ events: [PairEvent]) -> [Int] {
    let isTimed = events.allSatisfy { $0.head.receivedAt != nil || $0.trace == nil }
    func key(_ place: Int) -> (Int64, Int64) {
      (isTimed ? events[place].head.receivedAt ?? 0 : 0, events[place].head.record)
    }
    return events.indices.sorted { key($0) < key($1) }
  }
}

extension PairEvent {
  /// Its id alone does not show whether it repeats another message.
  fileprivate var dependsOnOrder: Bool { trace.map { $0.kind != .dated } ?? false }

  /// What decides whether it repeats another message; `nil` for what is not a V1 message.
  fileprivate var trace: EventTrace? {
    guard head.origin == .legacy, head.unit == .notification, let id = head.id else { return nil }
    var trace = EventTrace()
    (trace.kind, trace.state, trace.receivedAt) = (head.kind, head.state, head.receivedAt)
    (trace.high, trace.low, trace.content) = (id.high, id.low, head.content ?? 0)
    (trace.subscription, trace.isSandbox) = (1, keys.isSandbox)
    return trace
  }

  /// When it came, as far as it is known, and where it stands.
  fileprivate var delivery: (Int64, Int64) { (head.receivedAt ?? .min, head.record) }
}
