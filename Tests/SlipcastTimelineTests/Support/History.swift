import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import SlipcastWire
import Testing

/// The history of one subscription in few words, gaps in parentheses.
enum History {
  static func entries(
    _ messages: [Message], asOf: Int64? = nil, complete: [ClosedRange<Int64>] = [], evidence: (any LifeEvidence)? = nil
  ) throws -> [TimelineEntry] {
    let rules = BuiltIn.rules
    var options = TimelineOptions()
    (options.complete, options.evidence) = (complete, evidence)
    let events = try messages.enumerated().map { try $0.element.stored(place: Int64($0.offset)) }
    var timeline = Life(rules: rules, options: options, originalTransactionId: Message.original)
    var entries: [TimelineEntry] = []
    for group in try Outcome.groups(Outcome.sorted(events)) { entries += timeline.take(group) }
    entries += timeline.finish(asOf: asOf)
    #expect(timeline.heldCount == 0)
    let times = entries.compactMap(\.time)
    #expect(times == times.sorted())
    return entries
  }

  static func words(_ messages: [Message], asOf: Int64? = nil) throws -> [String] {
    try entries(messages, asOf: asOf).map { entry in
      switch entry {
      case .event(let group): group.event?.description ?? "nothing"
      case .gap(let gap): "(\(gap.event))"
      case .transaction(let transaction): transaction.transactionId ?? "nothing"
      }
    }
  }

  static func gaps(
    _ messages: [Message], asOf: Int64? = nil, complete: [ClosedRange<Int64>] = [], evidence: (any LifeEvidence)? = nil
  ) throws -> [Gap] {
    try entries(messages, asOf: asOf, complete: complete, evidence: evidence).compactMap { entry in
      if case .gap(let gap) = entry { gap } else { nil }
    }
  }

  /// The intervals of the life.
  static func states(
    _ messages: [Message], asOf: Int64? = nil, complete: [ClosedRange<Int64>] = [], evidence: (any LifeEvidence)? = nil
  ) throws -> [LifeInterval] {
    var options = TimelineOptions()
    (options.asOf, options.complete, options.evidence) = (asOf, complete, evidence)
    return try states(messages.enumerated().map { try $0.element.stored(place: Int64($0.offset)) }, options)
  }

  static func states(_ events: [StoredEvent], _ options: TimelineOptions = TimelineOptions()) throws -> [LifeInterval] {
    let writer = TimelineWriter(rules: BuiltIn.rules, options: options) { _ in }
    var intervals: [LifeInterval] = []
    writer.watchIntervals = { one, _ in intervals += one }
    for event in Outcome.sorted(events) { try writer.feed(event) }
    try writer.finish()
    return intervals
  }

  /// The bytes that a writer gives.
  static func text(
    _ events: [StoredEvent], _ format: TimelineOptions.Format, asOf: Int64? = nil, isColored: Bool = false
  ) throws -> String {
    var options = TimelineOptions()
    (options.format, options.asOf, options.isColored) = (format, asOf, isColored)
    var bytes: [UInt8] = []
    let writer = TimelineWriter(rules: BuiltIn.rules, options: options) { bytes.append(contentsOf: $0) }
    for event in events { try writer.feed(event) }
    try writer.finish()
    return String(decoding: bytes, as: UTF8.self)
  }
}
