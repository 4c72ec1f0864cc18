package import SlipcastBulk
package import SlipcastMapping

/// Finds the messages of one subscription that belong to one action.
///
/// Events arrive sorted by time and leave as groups in the same order, each as soon as no later event can join it. Only
/// events within the longest window are held, and never more than `heldLimit`; slight disorder inside the window does
/// no harm.
package final class EventGrouper {
  /// A real subscription has a handful of events in the longest window; more than this many push the oldest out.
  package static let heldLimit = 64
  /// The maximum number of held bytes of lines, except for a single longer line.
  package static let heldBytesLimit = 16 << 20
  /// The maximum number of events without any date that wait for those before them.
  package static let undatedLimit = 64
  /// The number of ids that are remembered to detect repeated events.
  package static let knownLimit = 4096

  package private(set) var counts = GroupingCounts()

  let table: GroupingTable
  private let reader = EventReader()
  /// In the order of their keys.
  private(set) var held: [HeldEvent] = []
  /// Events without any date, in the order of their keys: they come first and belong after a purchase.
  private var undated: [HeldEvent] = []
  private var joinedCount = 0
  private var heldBytes = 0
  private var newest: Int64?
  private var known = RecentIds(limit: EventGrouper.knownLimit)
  /// The leads that left last, the latest at the end: an upgrade follows the purchase whose period it ends.
  private var settled: [HeldEvent] = []

  package init(rules: RuleSet) { table = GroupingTable(rules) }

  package var heldCount: Int { held.count + joinedCount + undated.count }

  /// Adds the next event and returns the groups that are complete now.
  package func feed(_ event: StoredEvent, _ emit: (EventGroup) throws -> Void) rethrows {
    guard let facts = reader.facts(of: event.body) else {
      counts.read += 1
      counts.unreadable += 1
      return
    }
    try feed(event, facts, emit)
  }

  /// Adds the next event, whose line has been read already.
  package func feed(_ event: StoredEvent, _ facts: EventFacts, _ emit: (EventGroup) throws -> Void) rethrows {
    counts.read += 1
    if let id = facts.notificationUUID, !known.insert(id) {
      counts.duplicate += 1
      return
    }
    let new = HeldEvent(event, facts, table: table)
    heldBytes += event.body.count
    decideCompanions(by: new)
    if new.isDated {
      newest = max(newest ?? new.key.time, new.key.time)
      Self.insert(new, into: &held)
    } else {
      Self.insert(new, into: &undated)
    }
    placeUndated()
    while let first = held.first, isFull || isOver(first) { try settleFirst(emit) }
  }

  private static func insert(_ new: HeldEvent, into events: inout [HeldEvent]) {
    events.insert(new, at: events.lastIndex { $0.key <= new.key }.map { $0 + 1 } ?? 0)
  }

  /// Moves events without a date to their position once the events before them have arrived.
  private func placeUndated() {
    while let first = undated.first, isReached(first) || undated.count > Self.undatedLimit || hasTooManyBytes {
      Self.insert(undated.removeFirst(), into: &held)
    }
  }

  private func isReached(_ event: HeldEvent) -> Bool { newest.map { event.key.time <= $0 } ?? false }

  /// Returns all remaining groups, and prepares for another subscription.
  package func finish(_ emit: (EventGroup) throws -> Void) rethrows {
    for event in undated { Self.insert(event, into: &held) }
    undated = []
    while !held.isEmpty { try settleFirst(emit) }
    newest = nil
    known = RecentIds(limit: Self.knownLimit)
    settled = []
    guard counts.addsUp else { fatalError("a message was lost: the counts of a subscription do not add up") }
  }

  private var isFull: Bool { held.count + joinedCount > Self.heldLimit || hasTooManyBytes }
  private var hasTooManyBytes: Bool { heldBytes > Self.heldBytesLimit && heldCount > 1 }

  private func isOver(_ event: HeldEvent) -> Bool {
    guard let newest else { return true }
    if isWaiting(for: event) { return false }
    let (end, overflow) = event.key.time.addingReportingOverflow(table.longestWindow)
    return !overflow && end < newest
  }

  // MARK: deciding

  /// Decides about the oldest event: it joins an event that is still held, or it leads and leaves with its companions.
  private func settleFirst(_ emit: (EventGroup) throws -> Void) rethrows {
    if let (lead, fit) = claimant(of: 0) {
      let companion = held.removeFirst()
      join(companion, to: lead - 1, fit)
      return
    }
    gather()
    let lead = held.removeFirst()
    joinedCount -= lead.joined.count
    heldBytes -= lead.joined.reduce(lead.event.body.count) { $0 + $1.held.event.body.count }
    if settled.count >= 8 { settled.removeFirst() }
    settled.append(lead)
    let group = EventGroup(lead)
    counts.add(group)
    try emit(group)
  }

  private func join(_ companion: HeldEvent, to lead: Int, _ fit: PairFit) {
    // Its own companions move with it.
    held[lead].joined += [(companion, fit)] + companion.joined
    companion.joined = []
    joinedCount += 1
  }

  /// The lead that an event belongs to, unless another message of its type is nearer to that lead.
  private func claimant(of companion: Int) -> (lead: Int, fit: PairFit)? {
    guard let best = bestLead(of: companion) else { return nil }
    if best.fit.rule.conditions.contains(.equal) { return best }
    let own = held[best.lead].distance(to: held[companion]) ?? .max
    for rival in held.indices where rival != companion && held[rival].type == held[companion].type {
      guard fit(best.lead, rival) != nil, let distance = held[best.lead].distance(to: held[rival]), distance < own
      else { continue }
      if bestLead(of: rival)?.lead == best.lead { return nil }
    }
    return best
  }

  /// Merges into the oldest event everything that belongs to it, and what belongs to that about the same line item.
  private func gather() {
    var chosen: [(index: Int, fit: PairFit)] = []
    for index in held.indices.dropFirst() where fit(0, index) != nil {
      guard let best = bestLead(of: index), best.lead == 0 else { continue }
      let rival = chosen.firstIndex { held[$0.index].type == held[index].type }
      guard let rival, !best.fit.rule.conditions.contains(.equal) else {
        chosen.append((index, best.fit))
        continue
      }
      if isNearer(index, than: chosen[rival].index) { chosen[rival] = (index, best.fit) }
    }
    for (companion, _) in chosen {
      for index in held.indices.dropFirst() where !chosen.contains(where: { $0.index == index }) {
        guard let other = fit(companion, index), other.rule.conditions.contains(.sameLine) else { continue }
        if let best = bestLead(of: index), best.lead == companion { chosen.append((index, best.fit)) }
      }
    }
    for (index, fit) in chosen.sorted(by: { $0.index > $1.index }) { join(held.remove(at: index), to: 0, fit) }
  }

  private func isNearer(_ new: Int, than old: Int) -> Bool {
    guard let near = held[0].distance(to: held[new]), let far = held[0].distance(to: held[old]) else { return false }
    return near < far
  }

  // MARK: matching

  /// The strongest lead that an event fits; of equals the nearest, or the earliest where a period waits for its end.
  private func bestLead(of companion: Int) -> (lead: Int, fit: PairFit)? {
    var best: (lead: Int, fit: PairFit)?
    for lead in held.indices where lead != companion {
      guard let fit = fit(lead, companion), held[lead].isFree(for: held[companion], fit) else { continue }
      let isLate = fit.rule.conditions.contains(.otherLine)
      if isLate, !isNext(lead, companion) { continue }
      if let old = best, !isBetter(lead, than: old.lead, for: companion, isLate: isLate) { continue }
      best = (lead, fit)
    }
    return best
  }

  private func isBetter(_ new: Int, than old: Int, for companion: Int, isLate: Bool) -> Bool {
    guard let newRank = held[new].rank, let oldRank = held[old].rank else { return false }
    if newRank.row != oldRank.row { return newRank < oldRank }
    guard !isLate, let near = held[new].distance(to: held[companion]), let far = held[old].distance(to: held[companion])
    else { return false }
    return near < far
  }

  private func fit(_ lead: Int, _ companion: Int) -> PairFit? {
    let (one, two) = (held[lead], held[companion])
    guard let first = one.type, let second = two.type, let strong = one.rank, let weak = two.rank else { return nil }
    guard strong < weak || (strong == weak && lead < companion) else { return nil }
    for pair in table.pairs(first, second) {
      guard let fit = PairFit(pair, lead: one, companion: two) else { continue }
      if !pair.forbidsPurchaseBetween || !isBought(after: one, until: two) { return fit }
    }
    return nil
  }

  /// A message shows a purchase of the subscription after one message and up to another.
  private func isBought(after lead: HeldEvent, until companion: HeldEvent) -> Bool {
    guard let start = lead.time, let end = companion.time, start < end else { return false }
    let isBetween = { (purchase: Int64?) in purchase.map { start < $0 && $0 <= end } ?? false }
    return held.contains { event in
      isBetween(event.purchase) || event.joined.contains { isBetween($0.held.purchase) }
    }
  }

  /// The upgraded period of the companion may be the purchase of an earlier lead; then its lead is the next one that
  /// ended it.
  private func isNext(_ lead: Int, _ companion: Int) -> Bool {
    let facts = held[companion].facts
    if let start = held.indices.first(where: { isPurchase($0, of: facts, like: lead) }) {
      let next = held.indices.first { $0 > start && held[$0].type == held[lead].type && fit($0, companion) != nil }
      return next == lead
    }
    let earlier = settled.filter { $0.type == held[lead].type }
    guard let start = earlier.lastIndex(where: { $0.facts.isSameLine(as: facts) }) else { return true }
    return start == earlier.count - 1
  }

  private func isPurchase(_ index: Int, of facts: EventFacts, like lead: Int) -> Bool {
    index != lead && held[index].type == held[lead].type && held[index].facts.isSameLine(as: facts)
  }
}
