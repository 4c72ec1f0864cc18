internal import SlipcastBulk
import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// Sorted items in a temporary file, in compressed blocks that are read one by one.
struct SpillRun: Sendable {
  struct Block: Sendable {
    /// That of its first item.
    let order: SpillOrder
    /// Where it is in the file, and how many bytes it has there and in memory.
    let offset: Int
    let packed: Int
    let count: Int
  }

  private(set) var blocks: [Block] = []

  /// The block that may have the first item of an order or after it.
  func block(for order: SpillOrder) -> Int {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].order < order { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  /// The bytes of a block: the parts of the order, the length, and the body of one item after another.
  static let headBytes = 32

  fileprivate mutating func add(_ block: Block) { blocks.append(block) }
}

/// The temporary file of a spill; it has no name, so it is gone with the process.
final class SpillFile {
  private let descriptor: Int32
  private var end = 0
  private static let blockBytes = 64 << 10

  init() throws(FileError) { descriptor = try Platform.unnamedFile() }

  deinit { Platform.close(descriptor) }

  /// Writes sorted items.
  ///
  /// - Parameter items: passes them on, one after another.
  /// - Throws: `FileError` when the disk is full.
  func write(_ items: ((SpillOrder, Span<UInt8>) throws -> Void) throws -> Void) throws -> SpillRun {
    var run = SpillRun()
    var block: [UInt8] = []
    var first: SpillOrder?
    func flush() throws {
      guard let order = first else { return }
      let packed = try DeflatedBytes.compress(block)
      try Platform.write(descriptor, packed.span, path: Platform.temporaryFolder)
      run.add(SpillRun.Block(order: order, offset: end, packed: packed.count, count: block.count))
      end += packed.count
      block.removeAll(keepingCapacity: true)
      first = nil
    }
    try items { order, body in
      if first == nil { first = order }
      for part in [order.first, order.second, order.third, UInt64(body.count)] {
        block.append(bytesOf: part.littleEndian)
      }
      block.append(contentsOf: body)
      if block.count >= Self.blockBytes { try flush() }
    }
    try flush()
    return run
  }

  /// The bytes of a block.
  func read(_ block: SpillRun.Block) throws(FileError) -> JSONBuffer {
    let packed = try Platform.read(descriptor, at: block.offset, count: block.packed)
    return JSONBuffer(try DeflatedBytes.expand(packed, to: block.count))
  }
}

/// Reads the items of a run one after another.
struct SpillCursor {
  private let file: SpillFile
  private let run: SpillRun
  private var next: Int
  private var block: JSONBuffer?
  private var at = 0
  /// The item that it is at.
  private(set) var order = SpillOrder(0, 0, 0)
  private var body = 0..<0

  /// - Returns: `nil` for a run without items from there on.
  init?(_ file: SpillFile, _ run: SpillRun, from block: Int = 0) throws(FileError) {
    (self.file, self.run, next) = (file, run, block)
    guard try advance() else { return nil }
  }

  /// Goes to the next item; false after the last one.
  mutating func advance() throws(FileError) -> Bool {
    if at >= block?.count ?? 0 {
      guard next < run.blocks.count else { return false }
      (block, at) = (try file.read(run.blocks[next]), 0)
      next += 1
    }
    guard let text = text(at..<at + SpillRun.headBytes) else { return false }
    func number(_ place: Int) -> UInt64 { text.number(8 * place, as: UInt64.self) }
    order = SpillOrder(number(0), number(1), number(2))
    body = at + SpillRun.headBytes..<at + SpillRun.headBytes + Int(number(3))
    at = body.upperBound
    return true
  }

  private func text(_ range: Range<Int>) -> JSONText? {
    block.map { JSONText(base: $0.base, count: $0.count, isVerbatim: false).part(range) }
  }

  /// Passes on the body of the item that it is at.
  func withBody<Result>(_ use: (Span<UInt8>) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(block) { try use((text(body) ?? JSONText("")).buffer.span) }
  }
}
