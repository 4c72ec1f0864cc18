package import SlipcastBulk
package import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// How timelines are written.
package struct TimelineOptions: Sendable {
  package enum Format: String, CaseIterable, Sendable {
    /// For people: columns, as wide as `TimelineOptions.columns`.
    case text
    /// For programs: one JSON object a line.
    case json
    /// For spreadsheets: one row for each event, merged message and gap, with a header row.
    case csv
  }

  package var format = Format.text
  /// A time up to which the archive is complete, in milliseconds since 1970 UTC.
  ///
  /// It decides ends that no later message shows; without it they stay undecided.
  package var asOf: Int64?
  /// What the lists of the archive show in addition to its messages.
  package var evidence: (any LifeEvidence)?
  /// Time ranges for which the archive lacks no message, in milliseconds since 1970 UTC.
  package var complete: [ClosedRange<Int64>] = []
  package var isColored = false
  /// The columns of text, within `TextLayout.widths`.
  package var columns = TextLayout.width
  /// Transactions of V2 to be shown among the events, by their original transaction ids, in the order of their purchases.
  package var transactions: [String: [TimelineTransaction]] = [:]

  package init() {}
}

/// Writes the history of one subscription after another: events, merged messages, and the events that V1 never sends.
///
/// Events arrive sorted by subscription and, within one, by time; an event without a subscription stays separate. Text
/// is written in whole blocks of lines. As JSON each line is one object with `kind`:
///
/// - `subscription` starts one: `originalTransactionId`, `bundleId`, `environment`.
/// - `event`: `time`, `timeSource`, `notificationType`, `subtype`, `notificationUUID`, `notification_type` (V1's),
///   `productId`, `webOrderLineItemId`, `expiresDate`, `rule`, `confidence`, `candidates`, `absorbed` (the event of a
///   message whose lead is missing), `companions` (how many follow).
/// - `companion`: `time`, `notificationUUID`, `notification_type`, `rule`, `lead` (the id of the event that it was
///   merged into).
/// - `gap`: `time`, `timeIs` (`exact`, or `latest` when it happened then or before), `notificationType`, `subtype`,
///   `trace`, `rule`, `confidence`, `source`, `meaning`, `comparable` (false before V2 went live).
/// - `transaction`, with `--order`: `time` (of the purchase), `transactionId`, `webOrderLineItemId`, `productId`,
///   `expiresDate`, `revocationDate`, `isOfOrder` (the order holds it).
/// - `end` closes one: `products`, `first`, `last`, `messages`, `events`, `absorbed`, `duplicate`, `unreadable`,
///   `gaps`.
/// - `legend`, once, at the very end: the events that leave no trace: `notificationType`, `subtype`, `rule`,
///   `confidence`, `source`, `meaning`.
///
/// All except `legend` start with `originalTransactionId` where there is one; times are milliseconds since 1970 UTC.
package final class TimelineWriter {
  /// Receives complete bytes; they are valid only during the call.
  package typealias Sink = (_ bytes: Span<UInt8>) throws -> Void

  private let options: TimelineOptions
  private let catalogue: GapCatalogue
  private let grouper: EventGrouper
  private let form: any TimelineForm
  private let output = JSONWriter(capacity: 2 * chunk)
  /// Bytes that are passed on at once; the rest waits for the end of the next subscription.
  private static let chunk = 16 << 10
  private let sink: Sink
  private var timeline: Life?
  private var subscription: StoredEvent.Subscription?
  private var isAnnounced = false
  /// The subscription's transactions of V2 that are not written yet.
  private var transactions: ArraySlice<TimelineTransaction> = []
  private var shown: Set<String> = []
  /// The counts of all subscriptions before the current one.
  private var countsBefore = GroupingCounts()

  /// Called with each entry and the subscription that it belongs to.
  package var watch: ((TimelineEntry, StoredEvent.Subscription?) -> Void)?
  /// Called with the intervals of each subscription and its id.
  package var watchIntervals: (([LifeInterval], String?) throws -> Void)?
  /// Called with the periods of each subscription, after its intervals.
  package var watchTerms: (([LifeTerm]) throws -> Void)?
  private var states: LifeStates?

  /// Events that V1 never sends, over all subscriptions so far.
  package private(set) var gapCount = 0
  /// Renewals without a message, over all subscriptions so far.
  package private(set) var unreportedCount = 0
  /// Subscriptions and purchases so far; messages that name none are not counted.
  package private(set) var subscriptionCount = 0

  /// - Parameter isFirst: it writes what precedes all timelines; false where others write the timelines before.
  package init(
    rules: RuleSet, options: TimelineOptions = TimelineOptions(), isFirst: Bool = true, sink: @escaping Sink
  ) {
    self.options = options
    self.sink = sink
    catalogue = GapCatalogue(rules, options)
    grouper = EventGrouper(rules: rules)
    form =
      switch options.format {
      case .text: TextTimeline(isColored: options.isColored, columns: options.columns)
      case .json: JSONTimeline()
      case .csv: CSVTimeline()
      }
    if isFirst { form.open(output) }
  }

  package var counts: GroupingCounts { grouper.counts }

  package var totals: TimelineTotals {
    TimelineTotals(counts: counts, subscriptions: subscriptionCount, gaps: gapCount, unreported: unreportedCount)
  }

  package var heldCount: Int { grouper.heldCount + (timeline?.heldCount ?? 0) }

  /// Adds the next event; starts and ends subscriptions as their ids change.
  package func feed(_ event: StoredEvent) throws {
    if timeline == nil || event.subscription == nil || event.subscription != subscription {
      try begin(event.subscription)
    }
    try grouper.feed(event, take)
  }

  package func begin(_ next: StoredEvent.Subscription?) throws {
    try end()
    countsBefore = grouper.counts
    timeline = Life(catalogue: catalogue, originalTransactionId: next?.originalTransactionId)
    (subscription, isAnnounced) = (next, false)
    states = watchIntervals == nil && watchTerms == nil ? nil : LifeStates(catalogue: catalogue)
    let id = next?.originalTransactionId
    if id != nil { subscriptionCount += 1 }
    transactions = id.flatMap { shown.insert($0).inserted ? options.transactions[$0]?[...] : nil } ?? []
    for transaction in transactions { timeline?.note(transaction) }
  }

  package func end() throws {
    try grouper.finish(take)
    guard var last = timeline else { return }
    timeline = nil
    let entries = last.finish(asOf: options.asOf)
    if !isAnnounced, !entries.isEmpty || !transactions.isEmpty { announce(last.summary) }
    try write(entries)
    show(upTo: .max)
    last.close(grouper.counts - countsBefore)
    if !isAnnounced { announce(last.summary) }
    form.end(last.summary, to: output)
    if let lived = states?.lived(asOf: options.asOf) {
      try watchIntervals?(lived.all(), subscription?.originalTransactionId)
      try watchTerms?(lived.terms())
    }
    gapCount += last.summary.gaps - last.summary.unreported
    unreportedCount += last.summary.unreported
    if output.count >= Self.chunk { try flush() }
  }

  /// Shows a subscription that only transactions of V2 are known of.
  package func show(_ subscription: StoredEvent.Subscription) throws {
    guard !shown.contains(subscription.originalTransactionId) else { return }
    try begin(subscription)
  }

  /// Ends the last subscription and passes on all that is written.
  package func close() throws {
    try end()
    try flush()
  }

  /// Ends the last subscription and lists the events that leave no trace.
  package func finish() throws {
    try end()
    form.legend(catalogue.legend, to: output)
    try flush()
  }

  private func take(_ group: EventGroup) throws {
    guard let entries = timeline?.take(group), !entries.isEmpty else { return }
    if !isAnnounced, let timeline { announce(timeline.summary) }
    try write(entries)
  }

  private func announce(_ summary: SubscriptionSummary) {
    form.begin(summary, to: output)
    isAnnounced = true
  }

  private func write(_ entries: [TimelineEntry]) throws {
    let id = subscription?.originalTransactionId
    for entry in entries {
      if let time = entry.time { show(upTo: time) }
      watch?(entry, subscription)
      states?.add(entry)
      switch entry {
      case .event(let group): form.event(group, of: id, to: output)
      case .gap(let gap): form.gap(gap, of: id, to: output)
      case .transaction(let transaction): form.transaction(transaction, of: id, to: output)
      }
    }
    if output.count >= Self.chunk { try flush() }
  }

  /// Writes the transactions that were bought until then.
  private func show(upTo time: Int64) {
    while let next = transactions.first, next.purchaseDate ?? .min <= time {
      transactions.removeFirst()
      watch?(.transaction(next), subscription)
      form.transaction(next, of: subscription?.originalTransactionId, to: output)
    }
  }

  private func flush() throws {
    guard output.count > 0 else { return }
    defer { output.clear() }
    try sink(output.buffer.span)
  }
}

/// What timelines are counted by, over all subscriptions.
package struct TimelineTotals: Sendable {
  package var counts = GroupingCounts()
  /// Subscriptions, and purchases of other products.
  package var subscriptions = 0
  /// Events that V1 never sends.
  package var gaps = 0
  /// Renewals without a message.
  package var unreported = 0

  package init(counts: GroupingCounts = GroupingCounts(), subscriptions: Int = 0, gaps: Int = 0, unreported: Int = 0) {
    (self.counts, self.subscriptions, self.gaps, self.unreported) = (counts, subscriptions, gaps, unreported)
  }

  package mutating func add(_ other: TimelineTotals) {
    counts.add(other.counts)
    subscriptions += other.subscriptions
    gaps += other.gaps
    unreported += other.unreported
  }
}

protocol TimelineForm {
  func open(_ output: JSONWriter)
  /// Names a subscription; the summary knows only the app for sure.
  func begin(_ summary: SubscriptionSummary, to output: JSONWriter)
  func event(_ group: EventGroup, of id: String?, to output: JSONWriter)
  func gap(_ gap: Gap, of id: String?, to output: JSONWriter)
  func transaction(_ transaction: TimelineTransaction, of id: String?, to output: JSONWriter)
  func end(_ summary: SubscriptionSummary, to output: JSONWriter)
  func legend(_ events: [ServerEvent], to output: JSONWriter)
}

extension TimelineForm {
  func open(_ output: JSONWriter) {}
}
