@_spi(Slipcast) internal import SlipcastLegacy

/// Values of a V2 record of another kind than Apple sends: numbers and booleans as text, and the reverse, as warehouses write
/// them.
package struct ValuesOfOtherKind: Hashable, Sendable {
  package private(set) var count = 0
  /// The path of the first one.
  package private(set) var path = ""

  package init() {}

  /// Adds one.
  package mutating func add(_ path: @autoclosure () -> String) {
    if count == 0 { self.path = path() }
    count += 1
  }

  /// Adds those of another record.
  package mutating func add(_ other: ValuesOfOtherKind) {
    if count == 0 { path = other.path }
    count += other.count
  }

  /// The finding about them, as a store keeps it; `nil` without any.
  package var finding: RepeatedFinding? {
    guard count > 0 else { return nil }
    let drift = LegacyDrift.unexpectedKind
    return RepeatedFinding(
      code: drift.code, severity: drift.isWarning ? "warning" : "info", occurrences: count, path: path,
      message: drift.message)
  }
}
