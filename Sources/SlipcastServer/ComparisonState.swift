/// The last comparison of the journal with V2 data; read by reports while a comparison runs.
package struct ComparisonState: Sendable {
  /// Events by the result, in a fixed order.
  package var results: [(name: String, count: Int)] = []
  /// Comparisons that ended.
  package var runs = 0
  /// Comparisons that could not be made.
  package var failures = 0
  /// How long the last comparison took.
  package var seconds = 0.0

  package init() {}
}
