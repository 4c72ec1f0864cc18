/// Groups more items than fit in memory, and returns them partition by partition.
package final class SortingSpill {
  /// The partition of an item, and its position there.
  package struct Key: Hashable, Sendable {
    /// Items of one partition come one after another.
    package var partition: Int64
    /// The order inside a partition; equal items keep their insertion order.
    package var rank: Int64

    package init(partition: Int64, rank: Int64) { (self.partition, self.rank) = (partition, rank) }

    /// Partitions are numbers of names, in no order that means something; their bits decide here, as numbers of equal
    /// names do in other files.
    fileprivate var order: SpillOrder {
      let bits = UInt64(bitPattern: partition)
      return SpillOrder((bits ^ bits >> 32) % 64, bits ^ Self.sign, UInt64(bitPattern: rank) ^ Self.sign)
    }

    fileprivate init(_ order: SpillOrder) {
      partition = Int64(bitPattern: order.second ^ Self.sign)
      rank = Int64(bitPattern: order.third ^ Self.sign)
    }

    /// Without it, negative numbers would come after the others.
    private static let sign: UInt64 = 1 << 63
  }

  private let items: SortedSpill

  package init(in items: SortedSpill = SortedSpill()) { self.items = items }

  /// Items that went in.
  package var count: Int { items.count }

  /// Adds an item.
  ///
  /// - Throws: `FileError` when the disk is full.
  package func add(_ key: Key, _ body: Span<UInt8>) throws { try items.add(key.order, body) }

  /// Adds an item that is text.
  ///
  /// - Throws: `FileError` when the disk is full.
  package func add(_ key: Key, text: String) throws {
    var text = text
    try text.withUTF8 { bytes throws in try add(key, bytes.span) }
  }

  /// Passes the items of one partition to a closure, sorted, until it returns false.
  ///
  /// - Throws: `FileError`, and the closure's errors.
  package func forEach(
    in partition: Int64, _ use: (_ rank: Int64, Span<UInt8>) throws -> Bool
  ) throws {
    try items.forEach(from: Key(partition: partition, rank: .min).order) { order, _, body in
      let key = Key(order)
      return try key.partition == partition && use(key.rank, body)
    }
  }

  /// Passes all items to a closure, partition by partition and sorted; bodies are valid only during the call.
  ///
  /// - Throws: `FileError` when the disk is full, and the closure's errors.
  package func forEach(_ use: (Key, Span<UInt8>) throws -> Void) throws {
    try items.forEach { order, _, body in
      try use(Key(order), body)
      return true
    }
  }
}
