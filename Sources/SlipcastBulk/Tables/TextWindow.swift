package import SlipcastSystem
internal import SlipcastWire

/// Text of a stream that was read and not yet used.
package struct TextWindow {
  private let stream: HeadedBytes
  /// The text; everything before `used` was used.
  package private(set) var text: [UInt8] = []
  var used = 0
  /// Bytes before the text in the source.
  private(set) var base = 0
  private(set) var isAtEnd = false
  /// Why the source cannot be read after the text.
  private(set) var damage: String?
  /// The damage was reported: nothing follows.
  var isOver = false

  let name: String
  /// The index of the source in the list of sources.
  let source: Int
  /// Bytes of the source in earlier blocks.
  var accounted = 0
  /// Lines without a record since the last block.
  var skipped = 0
  /// How much of the text was searched for line feeds, and their number from the start of the source.
  private var counted = (place: 0, feeds: 0)

  init(_ member: SourceMembers.Member, source: Int = 0) {
    (stream, name, self.source) = (member.bytes, member.name, source)
  }

  package init(_ file: InputFile) throws(FileError) {
    self.init(SourceMembers.Member(name: file.path, bytes: HeadedBytes(try FileBytes(file))))
  }

  /// The text that was read and not used.
  package var unused: ArraySlice<UInt8> { text[used...] }

  /// Bytes of the source that were used.
  package var position: Int { base + used }

  var isFinished: Bool { used == text.count && isAtEnd }

  /// The position behind the first line feed after a place, up to an end.
  func lineEnd(from place: Int, before end: Int? = nil) -> Int? {
    Platform.find(0x0A, in: text.span, from: place, to: end ?? text.count).map { $0 + 1 }
  }

  /// The next line without its line feed, and where the one after it starts; `nil` at the end.
  ///
  /// A line that is longer than the limit has no range. Its beginning is not used then.
  mutating func nextLine(limit: Int) throws(FileError) -> (line: Range<Int>?, next: Int)? {
    var seen = 0
    while !isFinished {
      if let next = lineEnd(from: used + seen) { return (used..<next - 1, next) }
      seen = text.count - used
      if isAtEnd { return (used..<text.count, text.count) }
      if seen > limit { return (nil, used) }
      _ = try readMore()
    }
    return nil
  }

  /// The next line with a line feed, without it; `nil` after the last one.
  package mutating func nextWholeLine() throws(FileError) -> Range<Int>? {
    guard let (line, next) = try nextLine(limit: .max), let line, next > line.upperBound else { return nil }
    used = next
    return line
  }

  /// A position of the text in the source; each is at or behind the one before.
  mutating func place(_ position: Int, isVerbatim: Bool) -> RowPage.Place {
    counted.feeds += Platform.count(0x0A, in: text.span.extracting(min(counted.place, position)..<position))
    counted.place = max(counted.place, position)
    return RowPage.Place(offset: base + position, line: counted.feeds, isVerbatim: isVerbatim)
  }

  /// The text after the last line feed was cut off by damage: what it says of its last value is not certain.
  func isCutOff(_ end: Int) -> Bool { damage != nil && end == text.count && text.last != 0x0A }

  /// Reads more; false at the end, and where the source is damaged.
  ///
  /// What is not used moves to the start of the text.
  mutating func readMore() throws(FileError) -> Bool {
    _ = place(used, isVerbatim: true)
    counted.place -= used
    base += used
    text.removeFirst(used)
    used = 0
    guard damage == nil else { return false }
    do throws(FileError) {
      let got = try text.append(max(Block.size, text.count / 2), from: stream)
      isAtEnd = got == 0
      return got > 0
    } catch {
      // An error of the system ends the run; damage ends the source, and what was read of it counts.
      guard error.number == 0 else { throw error }
      (isAtEnd, damage) = (true, error.reason)
      return false
    }
  }

  /// Moves to a later position of the source; false when it is shorter.
  package mutating func skip(to offset: Int) throws(FileError) -> Bool {
    while base + text.count < offset {
      used = text.count
      guard try readMore() else { return false }
    }
    used = max(used, offset - base)
    return true
  }

  /// Moves to where the blocks of an earlier run end.
  mutating func resume(at state: ReaderState) throws(FileError) {
    isOver = state.isOver
    guard try skip(to: state.offset) || isOver else {
      throw FileError(path: name, doing: "resume", reason: "the file is shorter than at the checkpoint")
    }
    // The damage is passed again, so that an archive around the source is at the same position.
    while isOver, damage == nil, try readMore() { used = text.count }
    accounted = state.offset
  }
}

/// Reads a text whose records are in rows or lines.
///
/// Blocks end where they are long enough, so that they depend on the text alone.
protocol WindowReader: BlockSource {
  var window: TextWindow { get set }
  /// Reads what comes before the rows.
  func begin() throws(FileError)
  /// Takes the next row or line; false at the end.
  func cut(_ block: Block, _ rows: inout [RowPage.Row]) throws(FileError) -> Bool
}

extension WindowReader {
  func begin() throws(FileError) {}

  var remainder: Int { window.position - window.accounted }
  var state: ReaderState { ReaderState(offset: window.position, isOver: window.isOver) }

  func resume(at state: ReaderState) throws(FileError) {
    try begin()
    try window.resume(at: state)
  }

  /// A line that is too long to be read, as a row without text; the next line follows.
  func longLine(_ limit: Int, _ block: Block) throws(FileError) -> RowPage.Row {
    var row = RowPage.Row(body: block.count..<block.count)
    row.fault = RecordFault(
      stage: .row, code: "recordTooLarge", message: "the line has more than \(limit) bytes (--max-record)")
    row.place = window.place(window.used, isVerbatim: true)
    let before = window.position
    var next = window.lineEnd(from: window.used)
    while next == nil {
      window.used = window.text.count
      guard try window.readMore() else { break }
      next = window.lineEnd(from: 0)
    }
    window.used = next ?? window.text.count
    block.passedOver += window.position - before
    return row
  }

  func fill(_ block: Block) throws(FileError) -> Bool {
    try begin()
    block.clear()
    (block.source, block.offset, block.line) = (window.source, window.position, 0)
    var rows: [RowPage.Row] = []
    var lines = 0
    // A block of a log without records ends too, so that the run can be watched and ended.
    while block.count < Block.size, lines < 100_000, try cut(block, &rows) { lines += 1 }
    if lines == 0, !tellDamage(block) { return false }
    if lines > 0 { block.form = .rows(rows) }
    (block.skippedLines, window.skipped) = (window.skipped, 0)
    block.consumed = remainder
    window.accounted = window.position
    return true
  }
  /// Damage is the last thing that is reported about a source, with the row that it cut off.
  private func tellDamage(_ block: Block) -> Bool {
    guard let damage = window.damage, !window.isOver else { return false }
    window.isOver = true
    block.form = .damaged(damage)
    block.line = window.place(window.used, isVerbatim: true).line
    let text = window.text
    block.append(text.span.extracting(window.used...))
    window.used = text.count
    return true
  }
}
