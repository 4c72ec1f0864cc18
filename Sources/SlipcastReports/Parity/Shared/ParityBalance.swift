import SlipcastComparison
import SlipcastWire

/// What became of the records of both sides: columns that add up.
struct ParityBalance {
  /// One line.
  struct Row {
    let title: String
    /// Records of V1; `nil` where this cannot be.
    let legacy: Int?
    /// Records of V2; `nil` where this cannot be.
    let server: Int?
  }

  let rows: [Row]
  /// The sums.
  let total: Row

  init(_ pairs: ParityResult.Pairs) {
    var rows = [
      Row(title: "told by both, in agreement", legacy: pairs.matched, server: pairs.matched),
      Row(title: "told by both, in conflict", legacy: pairs.conflicting, server: pairs.conflicting),
      Row(title: "V1 event without its V2 notification", legacy: pairs.legacyWithoutServer, server: nil),
      Row(title: "V2 notification without its V1 message", legacy: nil, server: pairs.serverWithoutLegacy),
      Row(title: "V2 notification of a kind that V1 never sends", legacy: nil, server: pairs.serverOnlyEvents),
      Row(title: "V1 companion message that V2 never sends", legacy: pairs.absorbed, server: nil),
      Row(title: "repeats an earlier one", legacy: pairs.duplicates.legacy, server: pairs.duplicates.server),
    ]
    if pairs.unknownEvents > 0 {
      rows.append(
        Row(title: "V2 notification of a kind unknown to this version", legacy: nil, server: pairs.unknownEvents))
    }
    if pairs.rejected != .init() {
      rows.append(Row(title: "could not be read", legacy: pairs.rejected.legacy, server: pairs.rejected.server))
    }
    if pairs.notComparable > 0 {
      rows.append(Row(title: "V1 event from before V2 existed", legacy: pairs.notComparable, server: nil))
    }
    self.rows = rows
    total = Row(
      title: "records", legacy: rows.reduce(0) { $0 + ($1.legacy ?? 0) },
      server: rows.reduce(0) { $0 + ($1.server ?? 0) })
  }

  /// Rows as texts, the sums last; a dash where something cannot be.
  var texts: [[String]] {
    (rows + [total]).map { [$0.title, $0.legacy?.grouped ?? "–", $0.server?.grouped ?? "–"] }
  }
}
