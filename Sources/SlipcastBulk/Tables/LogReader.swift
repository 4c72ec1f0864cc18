// Unsafe on purpose: a line is searched in place in the reader's own buffer.
/// Finds records in the lines of a log: JSON objects after a prefix, or between other text.
///
/// Lines without a record are counted and left out. A record ends on its line.
final class LogReader: BlockSource {
  private let stream: HeadedBytes
  private let source: Int
  private let limit: Int
  private var text: [UInt8] = []
  private var used = 0
  private var base = 0
  private var isAtEnd = false
  private var accounted = 0
  private var skipped = 0
  let passedOver = 0

  init(_ member: SourceMembers.Member, source: Int, limit: Int) {
    (stream, self.source, self.limit) = (member.bytes, source, limit)
  }

  var remainder: Int { base + used - accounted }

  /// Lines without a record since the last block.
  func takeSkipped() -> Int {
    defer { skipped = 0 }
    return skipped
  }

  var state: ReaderState {
    ReaderState(offset: base + used, line: 0, isFirst: false, isOver: false, skipping: .nothing, array: nil)
  }

  func resume(at state: ReaderState) throws(BulkError) {
    try stream.skip(to: state.offset, path: "log")
    (base, used, accounted) = (state.offset, 0, state.offset)
  }

  func fill(_ block: Block) throws(BulkError) -> Bool {
    block.clear()
    (block.source, block.offset, block.line) = (source, base + used, 0)
    var rows: [RowPage.Row] = []
    var lines = 0
    // A block of a log without records ends too, so that the run can be watched and ended.
    while block.count < Block.size, lines < 100_000, try cut(block, &rows) { lines += 1 }
    guard !rows.isEmpty || lines > 0 else { return false }
    block.form = .rows(rows)
    block.skippedLines = takeSkipped()
    block.consumed = base + used - accounted
    accounted = base + used
    return true
  }

  private func readMore() throws(BulkError) {
    if used > 0 {
      base += used
      text.removeFirst(used)
      used = 0
    }
    let (before, piece) = (text.count, max(Block.size, text.count / 2))
    text.append(contentsOf: repeatElement(0, count: piece))
    let got = try text.withUnsafeMutableBufferPointer { (buffer) throws(BulkError) -> Int in
      guard let base = buffer.baseAddress else { return 0 }
      return try stream.read(into: base + before, count: piece)
    }
    text.removeLast(piece - got)
    isAtEnd = got == 0
  }

  /// Takes the next line; false at the end.
  private func cut(_ block: Block, _ rows: inout [RowPage.Row]) throws(BulkError) -> Bool {
    var seen = used
    while true {
      if let feed = text[seen...].firstIndex(of: 0x0A) {
        take(used..<feed, block, &rows)
        used = feed + 1
        return true
      }
      if isAtEnd {
        guard used < text.count else { return false }
        take(used..<text.count, block, &rows)
        used = text.count
        return true
      }
      if text.count - used > limit {
        try skipLine()
        rows.append(Self.fault("recordTooLarge", "the line has more than \(limit) bytes (--max-record)", block))
        return true
      }
      seen = text.count - used
      try readMore()
      seen += used
    }
  }

  private func skipLine() throws(BulkError) {
    while true {
      if let feed = text[used...].firstIndex(of: 0x0A) {
        used = feed + 1
        return
      }
      used = text.count
      if isAtEnd { return }
      try readMore()
    }
  }

  private static func fault(_ code: String, _ message: String, _ block: Block) -> RowPage.Row {
    var row = RowPage.Row(body: block.count..<block.count)
    row.fault = RecordFault(stage: .row, code: code, message: message)
    return row
  }

  // MARK: lines

  private static let keys = ["notification_type", "signedPayload", "latest_receipt", "receipt", "latest_receipt_info"]
    .map { Array("\"\($0)\"".utf8) }

  private func take(_ line: Range<Int>, _ block: Block, _ rows: inout [RowPage.Row]) {
    var found = false
    text.withUnsafeBufferPointer { text in
      guard let base = text.baseAddress else { return }
      var at = line.lowerBound
      while let start = Platform.find(UInt8(ascii: "{"), in: base, from: at, to: line.upperBound) {
        let end = Self.end(of: start, base, line.upperBound)
        let object = UnsafeBufferPointer(start: base + start, count: (end ?? line.upperBound) - start)
        if Self.isRecord(object) {
          found = true
          let place = block.count
          block.append(base + start, object.count)
          var row = RowPage.Row(body: place..<block.count)
          if end == nil {
            row.fault = RecordFault(
              stage: .row, code: "incomplete",
              message:
                "expected the end of the object on its line; a record over several lines cannot be read with --from-logs"
            )
          }
          rows.append(row)
        }
        guard let end else { return }
        at = end
      }
    }
    if !found { skipped += 1 }
  }

  /// Every record has one of these members; a search that passes others is enough, because conversion checks the rest.
  private static func isRecord(_ object: UnsafeBufferPointer<UInt8>) -> Bool {
    keys.contains { object.firstRange(of: $0) != nil }
  }

  /// The position behind the object that starts at a position; `nil` when it does not end before `limit`.
  private static func end(of start: Int, _ base: UnsafePointer<UInt8>, _ limit: Int) -> Int? {
    var (depth, isString, at) = (0, false, start)
    while at < limit {
      switch base[at] {
      case UInt8(ascii: "\\") where isString: at += 1
      case UInt8(ascii: "\""): isString.toggle()
      case UInt8(ascii: "{") where !isString: depth += 1
      case UInt8(ascii: "}") where !isString:
        depth -= 1
        if depth == 0 { return at + 1 }
      default: break
      }
      at += 1
    }
    return nil
  }
}
