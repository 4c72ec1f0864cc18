/// The first customers of a list of access changes, for reports: those who lose access first.
package struct AccessSamples: Sendable {
  package typealias Sample = (outcome: AccessChange.Outcome, change: AccessChange)

  /// So many are shown, and so many of each outcome are kept for pages.
  package static let limit = 10
  package static let mostKept = 500

  private let tolerance: Int64
  private var byOutcome: [AccessChange.Outcome: [AccessChange]] = [:]

  /// - Parameter tolerance: how much two clocks may differ, in milliseconds.
  package init(tolerance: Int64 = 0) { self.tolerance = tolerance }

  package mutating func add(_ change: AccessChange) {
    let outcome = change.outcome(tolerance: tolerance)
    guard byOutcome[outcome, default: []].count < Self.mostKept else { return }
    byOutcome[outcome, default: []].append(change)
  }

  package var shown: [Sample] { Array(kept.prefix(Self.limit)) }

  package var kept: [Sample] {
    AccessChange.Outcome.allCases.filter { $0 != .same }.flatMap { outcome in
      (byOutcome[outcome] ?? []).map { (outcome, $0) }
    }
  }
}
