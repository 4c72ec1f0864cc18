package import SlipcastBulk
package import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Merges the messages of one action into one V2 line: `convert --group`.
///
/// Events arrive sorted by `originalTransactionId` and, within one, by event time, else `signedDate`, else received
/// time, then place; those without a subscription stay separate. An event without any date follows the purchase that it
/// shows. The output is the line of each group's lead: its bytes unchanged, except for type, subtype and `migration`
/// where the group decides them. Memory is bounded by the longest window, not by the archive.
package final class GroupedLines {
  /// Receives the bytes of a line, without a line feed; they are valid only during the call.
  package typealias Sink = (_ line: Span<UInt8>, _ group: EventGroup) throws -> Void

  private let grouper: EventGrouper
  private var subscription: StoredEvent.Subscription?
  private let reader = EventReader()
  private let writer = JSONWriter(capacity: 8 << 10)
  private let sink: Sink
  /// Writes rows of CSV; `nil` for JSON lines.
  private let rows: EventTableRows?

  /// Prepares grouping by these rules.
  ///
  /// - Parameter isTable: the lines are rows of CSV.
  package init(rules: RuleSet, isTable: Bool = false, sink: @escaping Sink) {
    grouper = EventGrouper(rules: rules)
    self.sink = sink
    rows = isTable ? EventTableRows() : nil
  }

  package var counts: GroupingCounts { grouper.counts }

  package func feed(_ event: StoredEvent) throws {
    if event.subscription == nil || event.subscription != subscription { try grouper.finish(write) }
    subscription = event.subscription
    try grouper.feed(event, write)
  }

  package func finish() throws { try grouper.finish(write) }

  private func write(_ group: EventGroup) throws {
    let line = GroupLine(group: group)
    if rows == nil, !line.changesMigration {
      let body = group.lead.body
      return try sink(body.span, group)
    }
    writer.clear()
    reader.withRoot(of: group.lead.body) { root in
      if let rows { line.write(root, to: writer, as: rows) } else { line.write(root, to: writer) }
    }
    try sink(writer.buffer.span, group)
  }
}
