internal import SlipcastWire

/// The place of an item in the order of a spill: three numbers, one after another.
package struct SpillOrder: Hashable, Comparable, Sendable {
  package var first: UInt64
  package var second: UInt64
  package var third: UInt64

  package init(_ first: UInt64, _ second: UInt64, _ third: UInt64) {
    (self.first, self.second, self.third) = (first, second, third)
  }

  @inline(__always)
  package static func < (left: Self, right: Self) -> Bool {
    if left.first != right.first { return left.first < right.first }
    if left.second != right.second { return left.second < right.second }
    return left.third < right.third
  }
}

/// Items that follow each other in memory, and the order in which they are handed out.
struct SpillItems {
  struct Item {
    let order: SpillOrder
    let bytes: Range<Int>
    /// How many of the first bytes continue the order.
    let tail: Int
  }

  private(set) var items: [Item] = []
  private(set) var bytes: [UInt8] = []

  /// About how many bytes of memory they take.
  var size: Int { bytes.count + items.count * MemoryLayout<Item>.stride }

  mutating func add(_ order: SpillOrder, tail: Int, _ body: Span<UInt8>) {
    let start = bytes.count
    bytes.append(contentsOf: body)
    items.append(Item(order: order, bytes: start..<bytes.count, tail: tail))
  }

  /// Equal items keep their insertion order, which is that of their bytes.
  mutating func sort() {
    let bytes = bytes
    items.sort { left, right in
      if left.order != right.order { return left.order < right.order }
      let (one, other) = (left.bytes.lowerBound, right.bytes.lowerBound)
      let difference = bytes.span.extracting(one..<one + left.tail)
        .difference(from: bytes.span.extracting(other..<other + right.tail))
      return difference == 0 ? one < other : difference < 0
    }
  }

  /// Passes them on in their order, until the closure returns false.
  func forEach(_ use: SpillUse) throws {
    for item in items {
      guard try use(item.order, item.tail, bytes.span.extracting(item.bytes)) else { return }
    }
  }

  mutating func clear() {
    items.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}

extension Span<UInt8> {
  /// Less than 0 where these bytes come before the other ones, more than 0 where they come after them.
  func difference(from other: Span<UInt8>) -> Int {
    for place in 0..<Swift.min(count, other.count) where self[place] != other[place] {
      return Int(self[place]) - Int(other[place])
    }
    return count - other.count
  }
}
