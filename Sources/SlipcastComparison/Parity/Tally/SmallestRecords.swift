/// The records of a pair.
package struct PairNumbers: Hashable, Sendable {
  /// Number of the record in the legacy archive, from 1.
  package var legacy: Int
  /// Number of the record in the server archive, from 1.
  package var server: Int
  /// Which item of two answers is meant; 0 for whole records.
  package var unit: UInt64

  package init(legacy: Int, server: Int, unit: UInt64) {
    (self.legacy, self.server, self.unit) = (legacy, server, unit)
  }

  init(_ pair: SmallestRecords.Pair) { self.init(legacy: pair.legacy, server: pair.server, unit: pair.unit) }
}

/// A number of pairs, and the first of them.
struct CountedPairs {
  /// The number of what they have in common; `nil` where nobody asks for all pairs.
  var number: Int?
  private(set) var count = 0
  private(set) var records = SmallestRecords()

  mutating func add(_ pair: SmallestRecords.Pair) {
    count += 1
    records.add(pair)
  }

  /// These pairs, counted as the more of the two: a customer's change of access shows in pairs, or in the last records.
  func joined(_ customers: CountedPairs) -> CountedPairs {
    var joined = self
    joined.count = max(count, customers.count)
    return joined
  }
}

/// The pairs with the smallest record numbers of all that came, so that samples do not depend on the order of work.
struct SmallestRecords {
  /// A pair, or one record where the other number is 0.
  struct Pair: Hashable, Comparable {
    var legacy: Int
    var server: Int
    /// Which item of the two answers is meant; 0 for whole records.
    var unit: UInt64 = 0

    init(legacy: Int, server: Int, unit: UInt64 = 0) {
      (self.legacy, self.server, self.unit) = (legacy, server, unit)
    }

    init(_ pair: PairNumbers) { self.init(legacy: pair.legacy, server: pair.server, unit: pair.unit) }

    static func < (left: Pair, right: Pair) -> Bool {
      (left.legacy, left.server, left.unit) < (right.legacy, right.server, right.unit)
    }
  }

  /// So many are kept.
  static let limit = 20

  /// In ascending order.
  private(set) var pairs: [Pair] = []

  /// The last one, once there is no room for more.
  private var worst: Pair?

  @inline(__always)
  mutating func add(_ pair: Pair) {
    if let worst, !(pair < worst) { return }
    insert(pair)
  }

  private mutating func insert(_ pair: Pair) {
    if pairs.count == Self.limit { pairs.removeLast() }
    defer { if pairs.count == Self.limit { worst = pairs.last } }
    let place = pairs.firstIndex { pair < $0 } ?? pairs.count
    pairs.insert(pair, at: place)
  }
}
