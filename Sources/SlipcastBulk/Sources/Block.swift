// Unsafe on purpose: a block owns one buffer that simdjson reads in place, with the required padding after the text.
@_spi(Slipcast) internal import SlipcastWire

/// A piece of a source with whole records, cut so that no record is in two pieces.
final class Block {
  /// The arrangement of records in the text.
  enum Form {
    /// JSON texts one after another, mostly one a line.
    case lines
    /// Items of an array, already found.
    case items([Range<Int>])
    /// One app receipt in its bytes.
    case receipt
    /// One record that exceeds the limit; its text was skipped.
    case oversized
    /// The source is damaged from here on, with the reason.
    case damaged(String)
    /// Rows of a database, already found.
    case rows([RowPage.Row])
  }

  private(set) var memory: UnsafeMutablePointer<UInt8>
  private(set) var capacity: Int
  var count = 0
  var form = Form.lines
  /// The source ended inside the array of these items.
  var isUnclosed = false
  /// What is in place of the array's opening bracket; `nil` when the bracket is present.
  var beforeArray: Range<Int>?
  /// The index of its source in the list of sources.
  var source = 0
  /// Bytes before it in the source.
  var offset = 0
  /// Bytes of the source that it covers, including skipped ones.
  var consumed = 0
  /// How many of these belong to no record and to no reject's text.
  var passedOver = 0
  /// Lines of a log before its end that contain no record.
  var skippedLines = 0
  /// The start of the current row: positions are relative to it.
  var origin = 0
  /// Line feeds before it in the source.
  var line = 0

  init(capacity: Int = Block.size) {
    self.capacity = capacity
    memory = .allocate(capacity: capacity + JSONReader.padding)
  }

  deinit { memory.deallocate() }

  /// Small enough for a processor's second cache, large enough for few system calls.
  static let size = 256 << 10

  /// All of the text.
  var whole: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: memory, count: count) }

  func reserve(_ wanted: Int) {
    guard wanted > capacity else { return }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted + JSONReader.padding)
    larger.update(from: memory, count: count)
    memory.deallocate()
    memory = larger
    capacity = wanted
  }

  func clear() {
    count = 0
    origin = 0
    passedOver = 0
    skippedLines = 0
    form = .lines
    isUnclosed = false
    beforeArray = nil
    if capacity > 4 * Block.size {
      memory.deallocate()
      capacity = Block.size
      memory = .allocate(capacity: capacity + JSONReader.padding)
    }
  }

  func append(_ bytes: UnsafePointer<UInt8>, _ more: Int) {
    reserve(count + more)
    (memory + count).update(from: bytes, count: more)
    count += more
  }
}
