/// Numbers and booleans that a V2 record has as text, as warehouses and protobuf write them.
package struct ValuesAsText: Hashable, Sendable {
  package private(set) var count = 0
  /// The path of the first one.
  package private(set) var path = ""

  package init() {}

  mutating func add(_ path: @autoclosure () -> String) {
    if count == 0 { self.path = path() }
    count += 1
  }

  /// Adds those of another record.
  package mutating func add(_ other: ValuesAsText) {
    if count == 0 { path = other.path }
    count += other.count
  }

  /// A note about them; `nil` without any.
  ///
  /// - Parameter place: what has them: `the second record`.
  package func note(_ place: String) -> Comparison.Note? {
    guard count > 0 else { return nil }
    let values = count == 1 ? "1 number or boolean" : "\(count) numbers and booleans"
    return Comparison.Note(
      code: "unexpectedKind", isWarning: false,
      message: "\(values) of \(place) \(count == 1 ? "is" : "are") written as text, as Apple does not send them: read "
        + "all the same (\(count == 1 ? "" : "the first one: ")\(path))")
  }
}
