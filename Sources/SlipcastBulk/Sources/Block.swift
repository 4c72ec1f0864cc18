// Unsafe on purpose: a block owns one buffer that simdjson reads in place, with the required padding after the text.
import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// A piece of a source with whole records, cut so that no record is in two pieces.
final class Block {
  /// The arrangement of records in the text.
  enum Form {
    /// JSON texts one after another, mostly one a line.
    case lines
    /// Items of an array, already found.
    case items([Range<Int>])
    case receipt
    /// One record that exceeds the limit; its text was skipped.
    case oversized
    /// The source is damaged from here on, with the reason; its text is a row that the damage cut off.
    case damaged(String)
    case rows([RowPage.Row])
  }

  private var memory: UnsafeMutablePointer<UInt8>
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
  /// The digest of a source that was skipped as a whole.
  var digest: String?
  /// Lines of a log before its end that contain no record.
  var skippedLines = 0
  /// The start of the current row: positions are relative to it.
  var origin = 0
  /// The place of the current row in the source, when it is known.
  var place: RowPage.Place?
  /// The text of the current row in its source, where the row's body was made of it.
  var rowText: Range<Int>?
  /// The texts of such rows.
  var rowTexts: [UInt8] = []
  /// What its rows have where.
  var pointers = RowPointers()
  /// The header row of a table.
  var header: [UInt8] = []
  /// The form of the table.
  var tableForm: TableForm?
  /// The current row, where it is one of a database.
  var databaseRow: RowPage.Row?
  /// Line feeds before it in the source.
  var line = 0

  init(capacity: Int = Block.size) {
    self.capacity = capacity
    memory = .allocate(capacity: capacity + JSONReader.padding)
  }

  deinit { memory.deallocate() }

  /// Small enough for a processor's second cache, large enough for few system calls.
  static let size = 256 << 10

  var whole: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: memory, count: count) }

  /// The byte at a position; a position outside the block's memory is a broken invariant.
  @inline(__always)
  subscript(place: Int) -> UInt8 {
    precondition(place >= 0 && place < capacity + JSONReader.padding, "a position beyond the block")
    return memory[place]
  }

  func find(_ byte: UInt8, from start: Int, to end: Int) -> Int? {
    precondition(start >= 0 && end <= capacity, "a search beyond the block")
    return Platform.find(byte, in: memory, from: start, to: end)
  }

  func findLast(_ byte: UInt8, before end: Int) -> Int? {
    precondition(end <= capacity, "a search beyond the block")
    return Platform.findLast(byte, in: memory, before: end)
  }

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
    (origin, place, rowText) = (0, nil, nil)
    rowTexts.removeAll(keepingCapacity: true)
    (header, tableForm, databaseRow) = ([], nil, nil)
    (passedOver, digest) = (0, nil)
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

  /// A part of the text, valid until the block changes.
  func text(_ range: Range<Int>) -> JSONText {
    precondition(range.lowerBound >= 0 && range.upperBound <= capacity + JSONReader.padding, "a text beyond the block")
    return JSONText(base: memory + range.lowerBound, count: range.count, isVerbatim: false)
  }

  /// Reads a part of the text as JSON; the tape is valid until the block changes.
  func read(_ range: Range<Int>, with reader: JSONReader) throws(JSONError) -> JSONTape {
    precondition(range.lowerBound >= 0 && range.upperBound <= capacity, "a text beyond the block")
    return try reader.read(memory + range.lowerBound, count: range.count)
  }

  func append(_ bytes: Span<UInt8>) {
    reserve(count + bytes.count)
    bytes.withUnsafeBufferPointer { bytes in
      if let base = bytes.baseAddress { (memory + count).update(from: base, count: bytes.count) }
    }
    count += bytes.count
  }

  func append(_ bytes: [UInt8]) { append(bytes.span) }

  /// Appends a row again, with a part of it as a JSON string; returns where it is.
  func append(_ row: Range<Int>, quoting part: Range<Int>) -> Range<Int> {
    let writer = JSONWriter(capacity: row.count + part.count / 4)
    writer.raw(text(row.lowerBound..<part.lowerBound).buffer)
    writer.escaped(text(part).buffer.span)
    writer.raw(text(part.upperBound..<row.upperBound).buffer)
    let start = count
    // The writer owns the memory of its buffer.
    withExtendedLifetime(writer) { append(writer.buffer.span) }
    return start..<count
  }

  func fill(with page: RowPage, of source: Int = 0) {
    clear()
    (self.source, offset, line) = (source, 0, 0)
    append(page.bytes)
    form = .rows(page.rows)
    consumed = page.bytes.count
  }

  /// Appends the next bytes of a stream; returns how many, 0 at the end.
  ///
  /// - Parameter wanted: the number of bytes in the block that are wanted, for which there is room.
  func read(from stream: any ByteStream, upTo wanted: Int) throws(FileError) -> Int {
    precondition(wanted <= capacity, "more bytes than fit")
    let got = try stream.read(into: UnsafeMutableBufferPointer(start: memory + count, count: wanted - count))
    count += got
    return got
  }

  func removeFirst(_ discarded: Int) {
    precondition(discarded <= count, "more bytes than there are")
    memory.update(from: memory + discarded, count: count - discarded)
    count -= discarded
  }
}

extension Block {
  /// The text of a record as its source has it: in a table its row, elsewhere the text itself.
  func sourceText(_ range: Range<Int>) -> [UInt8] { rowText.map { Array(rowTexts[$0]) } ?? Array(text(range).buffer) }

  /// The length of that text, or of what was skipped in its place.
  func sourceLength(_ range: Range<Int>) -> Int { rowText?.count ?? (range.isEmpty ? passedOver : range.count) }

  /// The text of a record is here, and not only its place.
  var holdsSource: Bool {
    switch form {
    case .lines, .items, .receipt, .rows: true
    case .damaged: count > 0
    case .oversized: false
    }
  }
}

extension ByteStream {
  /// Fills memory with the next bytes; returns how many, 0 at the end.
  func read(into memory: UnsafeMutableBufferPointer<UInt8>) throws(FileError) -> Int {
    var room = OutputSpan(buffer: memory, initializedCount: 0)
    let got = try read(into: &room)
    _ = room.finalize(for: memory)
    return got
  }
}
