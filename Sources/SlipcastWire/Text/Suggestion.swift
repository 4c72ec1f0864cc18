/// The closest known name to a mistyped one.
package enum Suggestion {
  /// A name within a third of its letters, by edit distance, or `nil`: of a single letter, none is a misspelling.
  package static func closest(to name: String, among known: [String]) -> String? {
    let limit = max(1, name.count / 3)
    let letters = Array(name.lowercased())
    let best = known.filter { abs($0.count - name.count) <= limit }
      .map { ($0, Misspelling.distance(letters[...], Array($0.lowercased())[...], countsSwaps: true)) }
      .min { $0.1 < $1.1 }
    guard let best, best.1 <= limit, best.1 < name.count else { return nil }
    return best.0
  }
}
