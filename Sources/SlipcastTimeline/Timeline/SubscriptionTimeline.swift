internal import SlipcastBulk
package import SlipcastMapping

/// Orders the events of one subscription and the gaps between them by time, in bounded memory.
package struct SubscriptionTimeline {
  /// The maximum number of entries that wait for a message that shows how a period ended; then they leave without it.
  package static let heldLimit = 64

  package private(set) var summary = SubscriptionSummary()
  private var finder: GapFinder
  private var held: [TimelineEntry] = []
  private var now: Int64?

  package init(rules: RuleSet, originalTransactionId: String?) {
    self.init(catalogue: GapCatalogue(rules), originalTransactionId: originalTransactionId)
  }

  init(catalogue: GapCatalogue, originalTransactionId: String?) {
    finder = GapFinder(catalogue: catalogue)
    summary.originalTransactionId = originalTransactionId
  }

  package var heldCount: Int { held.count }

  /// Adds the next event, and returns all entries whose position is certain now.
  package mutating func take(_ group: EventGroup) -> [TimelineEntry] {
    let gaps = finder.take(group)
    for gap in gaps.before { insert(gap) }
    held.append(.event(group.withoutBodies))
    held += gaps.after.map(TimelineEntry.gap)
    now = group.time ?? now
    let isOverdue = now.map(finder.isOverdue) ?? false
    return isOverdue && held.count < Self.heldLimit ? [] : release()
  }

  /// Returns what remains.
  ///
  /// - Parameter asOf: a time up to which the archive is complete, in milliseconds since 1970 UTC; it also decides ends
  ///   that no later message shows.
  package mutating func finish(asOf: Int64?) -> [TimelineEntry] {
    if let asOf {
      for gap in finder.ends(by: asOf) { insert(gap) }
    }
    return release()
  }

  /// After all entries that are not later.
  private mutating func insert(_ gap: Gap) {
    let place = held.firstIndex { ($0.time ?? .min) > gap.time } ?? held.count
    held.insert(.gap(gap), at: place)
  }

  private mutating func release() -> [TimelineEntry] {
    defer { held = [] }
    for entry in held { summary.add(entry) }
    return held
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
