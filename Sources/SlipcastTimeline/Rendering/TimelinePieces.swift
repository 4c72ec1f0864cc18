package import SlipcastBulk
package import SlipcastMapping
internal import SlipcastWire

/// Some timelines, as they are written, and the intervals of their subscriptions.
package struct TimelinePiece: Sendable {
  package var bytes: [UInt8] = []
  package var intervals: [(intervals: [LifeInterval], id: String?)] = []
}

/// Writes one piece of the sorted events after another; serves one worker.
package final class TimelinePieces {
  private final class Made { var piece = TimelinePiece() }

  private let made: Made
  private let writer: TimelineWriter

  /// - Parameters:
  ///   - isFirst: what precedes all timelines comes with the first piece.
  ///   - keepsIntervals: the intervals of subscriptions are wanted.
  package init(rules: RuleSet, options: TimelineOptions, isFirst: Bool, keepsIntervals: Bool) {
    let made = Made()
    self.made = made
    writer = TimelineWriter(rules: rules, options: options, isFirst: isFirst) {
      made.piece.bytes.append(contentsOf: $0)
    }
    if keepsIntervals { writer.watchIntervals = { made.piece.intervals.append(($0, $1)) } }
  }

  package var totals: TimelineTotals { writer.totals }

  /// The timelines of events.
  ///
  /// - Parameter isWhole: the last subscription ends with these events.
  package func timelines(of events: [StoredEvent], isWhole: Bool) throws -> TimelinePiece {
    made.piece = TimelinePiece()
    for event in events { try writer.feed(event) }
    if isWhole { try writer.close() }
    return made.piece
  }

  /// What follows all timelines.
  package func finish() throws -> TimelinePiece {
    made.piece = TimelinePiece()
    try writer.finish()
    return made.piece
  }
}
