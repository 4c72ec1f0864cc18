internal import Synchronization

/// Objects for one thread at a time, as many as are used at the same time.
package final class Pool<Value>: Sendable {
  // Safe to send: a value is in the pool or with one thread.
  private struct Handed: @unchecked Sendable { let value: Value }

  private let make: @Sendable () -> Value
  private let free = Mutex<[Handed]>([])

  package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

  /// Lends an object for a piece of work.
  package func use<Result, Failure: Error>(
    _ work: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let handed = free.withLock { $0.popLast() } ?? Handed(value: make())
    defer { free.withLock { $0.append(handed) } }
    return try work(handed.value)
  }
}
