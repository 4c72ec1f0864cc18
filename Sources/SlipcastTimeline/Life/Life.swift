internal import SlipcastBulk
package import SlipcastMapping

/// One subscription, reconstructed from all its messages and what the lists of the archive show of its periods: the
/// events in their order, and the ones that no message reports.
///
/// The whole subscription is in memory; of one with very many events the older ones leave first.
package struct Life {
  /// The events that are ordered together at most.
  package static let heldLimit = 16_384

  package private(set) var summary = SubscriptionSummary()
  private var finder: GapFinder
  private let order: LifeOrder
  private var groups: [EventGroup] = []

  package init(
    rules: RuleSet, options: TimelineOptions = TimelineOptions(), originalTransactionId: String?
  ) {
    self.init(catalogue: GapCatalogue(rules, options), originalTransactionId: originalTransactionId)
  }

  init(catalogue: GapCatalogue, originalTransactionId: String?) {
    finder = GapFinder(catalogue: catalogue)
    order = LifeOrder(catalogue: catalogue)
    summary.originalTransactionId = originalTransactionId
  }

  package var heldCount: Int { groups.count }

  /// Adds the next event, and returns what has to leave because there are too many.
  package mutating func take(_ group: EventGroup) -> [TimelineEntry] {
    groups.append(group.withoutBodies)
    return groups.count < Self.heldLimit ? [] : entries { _ in [] }
  }

  /// Returns what remains.
  ///
  /// - Parameter asOf: a time up to which the archive is complete, in milliseconds since 1970 UTC; it also decides ends
  ///   that no later message shows.
  package mutating func finish(asOf: Int64?) -> [TimelineEntry] {
    entries { finder in finder.ends(by: asOf) }
  }

  private mutating func entries(_ ends: (inout GapFinder) -> [Gap]) -> [TimelineEntry] {
    let groups = order.ordered(self.groups)
    self.groups = []
    finder.expect(groups)
    var entries: [TimelineEntry] = []
    for group in groups {
      let gaps = finder.take(group)
      for gap in gaps.before { insert(gap, into: &entries) }
      entries.append(.event(group))
      entries += gaps.after.map(TimelineEntry.gap)
    }
    for gap in ends(&finder) { insert(gap, into: &entries) }
    for entry in entries { summary.add(entry) }
    return entries
  }

  /// After all entries that are not later; what a period begins with comes before the messages about it.
  private func insert(_ gap: Gap, into entries: inout [TimelineEntry]) {
    var place = entries.count
    for index in entries.indices.reversed() {
      guard let time = entries[index].time else { continue }
      guard time > gap.time || gap.isRenewal && time == gap.time && entries[index].isAbout(gap.period) else { break }
      place = index
    }
    entries.insert(.gap(gap), at: place)
  }

  /// Notes a transaction of V2, which is written among the events.
  mutating func note(_ transaction: TimelineTransaction) { summary.add(.transaction(transaction)) }

  mutating func close(_ counts: GroupingCounts) { summary.counts = counts }
}

extension EventGroup {
  /// The same without the lines, which no timeline shows.
  fileprivate var withoutBodies: EventGroup {
    var group = self
    group.lead.body = []
    for index in group.companions.indices { group.companions[index].event.body = [] }
    return group
  }
}

extension TimelineEntry {
  fileprivate func isAbout(_ period: UntoldPeriod.Key?) -> Bool {
    guard case .event(let group) = self, let period, let transaction = group.facts.transaction,
      let name = transaction.lineName
    else { return false }
    return transaction.key(name) == period
  }
}
