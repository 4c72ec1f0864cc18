package import SlipcastBulk
package import SlipcastMapping
internal import SlipcastWire

/// The lines of some groups, and what decides where each of them goes.
package struct GroupedPiece: Sendable {
  package struct Mark: Sendable {
    var end: Int
    package var signedDate: Int64?
    package var bundleId: String?
  }

  fileprivate var bytes: [UInt8] = []
  fileprivate var marks: [Mark] = []

  /// Passes on each line, without a line feed.
  package func forEach(_ use: (Span<UInt8>, Mark) throws -> Void) throws {
    var start = 0
    for mark in marks {
      try use(bytes.span.extracting(start..<mark.end), mark)
      start = mark.end
    }
  }
}

/// Groups one piece of the sorted events after another; serves one worker.
package final class GroupedPieces {
  private final class Made { var piece = GroupedPiece() }

  private let made: Made
  private let grouped: GroupedLines

  /// Prepares grouping by these rules.
  ///
  /// - Parameter isTable: the lines are rows of CSV.
  package init(rules: RuleSet, isTable: Bool) {
    let made = Made()
    self.made = made
    grouped = GroupedLines(rules: rules, isTable: isTable) { line, group in
      made.piece.bytes.append(contentsOf: line)
      made.piece.marks.append(
        GroupedPiece.Mark(
          end: made.piece.bytes.count, signedDate: group.facts.signedDate, bundleId: group.facts.bundleId))
    }
  }

  package var counts: GroupingCounts { grouped.counts }

  /// The lines of the groups that are complete.
  ///
  /// - Parameter isWhole: the last subscription ends with these events.
  package func lines(of events: [StoredEvent], isWhole: Bool) throws -> GroupedPiece {
    made.piece = GroupedPiece()
    for event in events { try grouped.feed(event) }
    if isWhole { try grouped.finish() }
    return made.piece
  }
}
