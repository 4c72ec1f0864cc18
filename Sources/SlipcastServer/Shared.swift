internal import Synchronization

/// Values that one thread changes while others read them.
package final class Shared<Values: Sendable>: Sendable {
  private let values: Mutex<Values>

  package init(_ values: Values) { self.values = Mutex(values) }

  /// The current values.
  package var now: Values { values.withLock { $0 } }

  /// Changes the values.
  package func change(_ change: (inout Values) -> Void) { values.withLock { change(&$0) } }
}
