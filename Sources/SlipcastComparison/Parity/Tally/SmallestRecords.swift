/// The records of a pair, or one record where the other number is 0.
package struct PairNumbers: Hashable, Comparable, Sendable {
  /// Number of the record in the legacy archive, from 1.
  package var legacy: Int
  /// Number of the record in the server archive, from 1.
  package var server: Int
  /// Which item of two answers is meant; 0 for whole records.
  package var unit: UInt64
  /// False for the last records of a customer, which need not be about the same event.
  package var isPair: Bool

  package init(legacy: Int, server: Int, unit: UInt64 = 0, isPair: Bool = true) {
    (self.legacy, self.server, self.unit, self.isPair) = (legacy, server, unit, isPair)
  }

  package static func < (left: PairNumbers, right: PairNumbers) -> Bool {
    (left.legacy, left.server, left.unit) < (right.legacy, right.server, right.unit)
  }
}

/// The pairs with the smallest record numbers of all that came, so that samples do not depend on the order of work.
struct SmallestRecords {
  static let limit = 20

  private(set) var pairs: [PairNumbers] = []

  /// The last one, once the list is full.
  private var worst: PairNumbers?

  @inline(__always)
  mutating func add(_ pair: PairNumbers) {
    if let worst, !(pair < worst) { return }
    insert(pair)
  }

  private mutating func insert(_ pair: PairNumbers) {
    if pairs.count == Self.limit { pairs.removeLast() }
    defer { if pairs.count == Self.limit { worst = pairs.last } }
    let place = pairs.firstIndex { pair < $0 } ?? pairs.count
    pairs.insert(pair, at: place)
  }
}
