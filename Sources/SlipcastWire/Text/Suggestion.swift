/// The closest known name to a mistyped one.
package enum Suggestion {
  /// A name within a third of its letters, by edit distance, or `nil`.
  package static func closest(to name: String, among known: [String]) -> String? {
    let limit = max(1, name.count / 3)
    let best = known.map { ($0, distance(Array(name.lowercased()), Array($0.lowercased()), limit)) }.min { $0.1 < $1.1 }
    guard let best, best.1 <= limit else { return nil }
    return best.0
  }

  /// The number of letters that are changed, added, dropped, or swapped with their neighbor.
  private static func distance(_ left: [Character], _ right: [Character], _ limit: Int) -> Int {
    if abs(left.count - right.count) > limit { return limit + 1 }
    var rows = [Array(0...right.count)]
    for (i, a) in left.enumerated() {
      var row = [i + 1]
      for (j, b) in right.enumerated() {
        var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a == b ? 0 : 1))
        if i > 0, j > 0, a == right[j - 1], left[i - 1] == b { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
