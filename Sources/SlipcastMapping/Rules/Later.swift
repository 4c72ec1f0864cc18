internal import Synchronization

/// A value that is made at its first use: a run uses few of all rules.
///
/// Threads that ask at the same time may each make it; all of them get the one that was kept.
final class Later<Value: Sendable>: Sendable {
  /// The value, in a separate object: one member of a large value is taken from it without a copy of the others.
  final class Made: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private let made = AtomicLazyReference<Made>()

  @inline(__always)
  func made(_ make: () -> Value) -> Made {
    if let made = made.load() { return made }
    return made.storeIfNil(Made(make()))
  }

  @inline(__always)
  func value(_ make: () -> Value) -> Value { made(make).value }

  /// It was used.
  var isMade: Bool { made.load() != nil }
}
