/// Values of a V2 record of another kind than Apple sends: numbers and booleans as text, and the reverse, as warehouses write
/// them.
package struct ValuesOfOtherKind: Hashable, Sendable {
  package private(set) var count = 0
  /// The path of the first one.
  package private(set) var path = ""

  package init() {}

  mutating func add(_ path: @autoclosure () -> String) {
    if count == 0 { self.path = path() }
    count += 1
  }

  /// Adds those of another record.
  package mutating func add(_ other: ValuesOfOtherKind) {
    if count == 0 { path = other.path }
    count += other.count
  }

  /// A note about them; `nil` without any.
  ///
  /// - Parameter place: what has them: `the second record`.
  package func note(_ place: String) -> Comparison.Note? {
    guard count > 0 else { return nil }
    let values = count == 1 ? "1 value of \(place) is" : "\(count) values of \(place) are"
    return Comparison.Note(
      code: "unexpectedKind", isWarning: false,
      message: "\(values) of another kind than Apple sends (a number or boolean as text, or the reverse): read all the "
        + "same (\(count == 1 ? "" : "the first one: ")\(path))")
  }
}
