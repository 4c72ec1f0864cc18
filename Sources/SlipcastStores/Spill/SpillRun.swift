internal import SlipcastBulk
import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire
internal import Synchronization

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

  /// The bytes of a block: the parts of the order, the lengths of tail and body, and the body, of one item after another.
  static let headBytes = 40

  fileprivate mutating func add(_ block: Block) { blocks.append(block) }
}

/// Takes an item; false ends the reading.
///
/// Its order, how many of the first bytes of its body continue the order, and its body, which is valid only during the call.
typealias SpillUse = (SpillOrder, _ tail: Int, Span<UInt8>) throws -> Bool

/// The temporary file of a spill; it has no name, so it is gone with the process.
final class SpillFile: Sendable {
  private let descriptor: Int32
  private let end = Mutex(0)
  private static let blockBytes = 128 << 10

  init() throws(FileError) { descriptor = try Platform.unnamedFile() }

  deinit { Platform.close(descriptor) }

  /// Writes sorted items.
  ///
  /// - Parameter items: passes them on, one after another.
  /// - Throws: `FileError` when the disk is full.
  func write(_ items: (SpillUse) throws -> Void) throws -> SpillRun {
    var run = SpillRun()
    var block: [UInt8] = []
    var first: SpillOrder?
    func flush() throws {
      guard let order = first else { return }
      let packed = try PackedBytes.pack(block)
      let offset = try keep(packed)
      run.add(SpillRun.Block(order: order, offset: offset, packed: packed.count, count: block.count))
      block.removeAll(keepingCapacity: true)
      first = nil
    }
    try items { order, tail, body in
      if first == nil { first = order }
      for part in [order.first, order.second, order.third, UInt64(tail), UInt64(body.count)] {
        block.append(bytesOf: part.littleEndian)
      }
      block.append(contentsOf: body)
      if block.count >= Self.blockBytes { try flush() }
      return true
    }
    try flush()
    return run
  }

  /// - Returns: where it is in the file.
  private func keep(_ packed: [UInt8]) throws(FileError) -> Int {
    let folder = Platform.temporaryFolder
    do throws(FileError) {
      return try end.withLock { end throws(FileError) in
        try Platform.write(descriptor, packed.span, path: folder)
        defer { end += packed.count }
        return end
      }
    } catch {
      guard error.isFull else { throw error }
      throw FileError(
        path: folder, doing: "write temporary files",
        reason: error.reason + "; make room there, or name a folder with more room in TMPDIR")
    }
  }

  /// The bytes of a block.
  func read(_ block: SpillRun.Block) throws(FileError) -> JSONBuffer {
    let packed = try Platform.read(descriptor, at: block.offset, count: block.packed)
    return JSONBuffer(try PackedBytes.unpack(packed, to: block.count))
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
  private(set) var tail = 0
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
    tail = Int(number(3))
    body = at + SpillRun.headBytes..<at + SpillRun.headBytes + Int(number(4))
    at = body.upperBound
    return true
  }

  private func text(_ range: Range<Int>) -> JSONText? {
    block.map { JSONText(base: $0.base, count: $0.count, isVerbatim: false).part(range) }
  }

  /// The item that it is at comes before that of a later run.
  func isBefore(_ other: SpillCursor) -> Bool {
    if order != other.order { return order < other.order }
    if tail == 0, other.tail == 0 { return true }
    return withBody { own in
      other.withBody { own.extracting(..<tail).difference(from: $0.extracting(..<other.tail)) <= 0 }
    }
  }

  /// Passes on the body of the item that it is at.
  func withBody<Result>(_ use: (Span<UInt8>) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(block) { try use((text(body) ?? JSONText("")).buffer.span) }
  }
}
