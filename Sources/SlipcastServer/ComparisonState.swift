internal import Synchronization

/// The last comparison of the journal with V2 data; read by reports while a comparison runs.
package final class ComparisonState: Sendable {
  /// What a comparison counted.
  package struct Values: Sendable {
    /// Events by the result, in a fixed order.
    package var results: [(name: String, count: Int)] = []
    /// Comparisons that ended.
    package var runs = 0
    /// Comparisons that could not be made.
    package var failures = 0
    /// How long the last comparison took.
    package var seconds = 0.0
  }

  private let values = Mutex(Values())

  package init() {}

  /// The current values.
  package var now: Values { values.withLock { $0 } }

  /// Changes the values.
  package func change(_ change: (inout Values) -> Void) { values.withLock { change(&$0) } }
}
