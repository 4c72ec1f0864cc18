internal import Synchronization

/// The memory that bodies of running requests may have together.
final class BodyBudget: Sendable {
  private let limit: Int
  private let taken = Atomic(0)

  /// - Parameter limit: bytes.
  init(_ limit: Int) { self.limit = limit }

  /// Takes memory; false when it is not there.
  func take(_ bytes: Int) -> Bool {
    guard taken.add(bytes, ordering: .relaxed).newValue > limit else { return true }
    release(bytes)
    return false
  }

  func release(_ bytes: Int) { taken.subtract(bytes, ordering: .relaxed) }
}
