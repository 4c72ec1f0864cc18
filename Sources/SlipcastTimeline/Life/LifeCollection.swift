package import SlipcastBulk
package import SlipcastMapping

/// A subscription with all that `timeline` writes of it, in memory.
package struct CollectedLife: Sendable {
  package var subscription: StoredEvent.Subscription?
  package var entries: [TimelineEntry] = []
  package var intervals: [LifeInterval] = []
  package var terms: [LifeTerm] = []

  package init(_ subscription: StoredEvent.Subscription?) { self.subscription = subscription }
}

/// Collects the lives that a `TimelineWriter` goes through; for pages about a few subscriptions.
package final class LifeCollection {
  /// More entries would make a page that no browser shows well.
  package static let limit = 5000

  package private(set) var lives: [CollectedLife] = []
  /// Entries that are not kept.
  package private(set) var omitted = 0
  private var kept = 0
  private var known: [StoredEvent.Subscription?: Int] = [:]

  package init() {}

  /// Collects what the writer goes through from now on.
  package func watch(_ writer: TimelineWriter) {
    writer.watch = { [self] entry, subscription in add(entry, of: subscription) }
    var intervals: [LifeInterval] = []
    let others = writer.watchIntervals
    writer.watchIntervals = { found, id in
      intervals = found
      try others?(found, id)
    }
    writer.watchTerms = { [self] terms in
      // A life ends before the next one begins.
      guard let last else { return }
      lives[last].intervals = intervals
      lives[last].terms = terms
    }
  }

  private var last: Int?

  private func add(_ entry: TimelineEntry, of subscription: StoredEvent.Subscription?) {
    let place = known[subscription] ?? lives.count
    if place == lives.count {
      lives.append(CollectedLife(subscription))
      known[subscription] = place
    }
    last = place
    guard kept < Self.limit else {
      omitted += 1
      return
    }
    kept += 1
    lives[place].entries.append(entry)
  }

  /// The lives of events in the order in which a store returns them.
  package static func lives(
    of events: [StoredEvent], rules: RuleSet, options: TimelineOptions = TimelineOptions()
  ) throws -> [CollectedLife] {
    let collection = LifeCollection()
    let writer = TimelineWriter(rules: rules, options: options) { _ in }
    collection.watch(writer)
    for event in events { try writer.feed(event) }
    try writer.finish()
    return collection.lives
  }
}
