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
  }

  private(set) var items: [Item] = []
  private(set) var bytes: [UInt8] = []

  /// About how many bytes of memory they take.
  var size: Int { bytes.count + items.count * MemoryLayout<Item>.stride }

  mutating func add(_ order: SpillOrder, _ body: Span<UInt8>) {
    let start = bytes.count
    bytes.append(contentsOf: body)
    items.append(Item(order: order, bytes: start..<bytes.count))
  }

  /// Equal items keep their insertion order, which is that of their bytes.
  mutating func sort() {
    items.sort { left, right in
      left.order == right.order ? left.bytes.lowerBound < right.bytes.lowerBound : left.order < right.order
    }
  }

  mutating func clear() {
    items.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}
