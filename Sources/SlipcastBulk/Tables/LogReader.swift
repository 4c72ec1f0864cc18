internal import SlipcastWire

/// Finds records in the lines of a log: JSON objects after a prefix, or between other text.
///
/// Lines without a record are counted and left out. A record ends on its line.
final class LogReader: WindowReader {
  var window: TextWindow
  private let limit: Int

  init(_ member: SourceMembers.Member, source: Int, limit: Int) {
    (window, self.limit) = (TextWindow(member, source: source), limit)
  }

  func cut(_ block: Block, _ rows: inout [RowPage.Row]) throws(BulkError) -> Bool {
    var seen = 0
    while !window.isFinished {
      if let next = window.lineEnd(from: window.used + seen) {
        take(window.used..<next - 1, block, &rows)
        window.used = next
        return true
      }
      seen = window.text.count - window.used
      if window.isAtEnd {
        take(window.used..<window.text.count, block, &rows)
        window.used = window.text.count
        return true
      }
      if seen > limit {
        try skipLine(block)
        rows.append(Self.fault("recordTooLarge", "the line has more than \(limit) bytes (--max-record)", block))
        return true
      }
      _ = try window.readMore()
    }
    return false
  }

  private func skipLine(_ block: Block) throws(BulkError) {
    let before = window.position
    var next = window.lineEnd(from: window.used)
    while next == nil {
      window.used = window.text.count
      guard try window.readMore() else { break }
      next = window.lineEnd(from: 0)
    }
    window.used = next ?? window.text.count
    block.passedOver += window.position - before
  }

  private static func fault(_ code: String, _ message: String, _ block: Block) -> RowPage.Row {
    var row = RowPage.Row(body: block.count..<block.count)
    row.fault = RecordFault(stage: .row, code: code, message: message)
    return row
  }

  // MARK: lines

  private static let keys = ["notification_type", "signedPayload", "latest_receipt", "receipt", "latest_receipt_info"]
    .map { Array("\"\($0)\"".utf8) }

  /// Objects that do not end on their line are tried so often in one line: braces of other text come before records.
  private static let mostUnended = 64

  private func take(_ line: Range<Int>, _ block: Block, _ rows: inout [RowPage.Row]) {
    let before = rows.count
    let window = window.text
    let text = window.span
    var (at, unended, cutOff) = (line.lowerBound, 0, Range<Int>?.none)
    while unended < Self.mostUnended,
      let start = Platform.find(UInt8(ascii: "{"), in: text, from: at, to: line.upperBound)
    {
      at = start + 1
      guard Self.mayBeObject(text, at, line.upperBound) else { continue }
      let end = Self.end(of: start, text, line.upperBound)
      let object = start..<(end ?? line.upperBound)
      if Self.isRecord(text.extracting(object)) {
        if end != nil { rows.append(Self.row(text, object, block)) } else { cutOff = cutOff ?? object }
      }
      if let end { at = end } else { unended += 1 }
    }
    if rows.count == before, let cutOff {
      var row = Self.row(text, cutOff, block)
      row.fault = RecordFault(
        stage: .row, code: "incomplete",
        message: "expected the end of the object on its line; --from-logs reads no record over several lines")
      rows.append(row)
    }
    if rows.count == before { self.window.skipped += 1 }
  }

  private static func row(_ text: Span<UInt8>, _ range: Range<Int>, _ block: Block) -> RowPage.Row {
    let place = block.count
    block.append(text.extracting(range))
    return RowPage.Row(body: place..<block.count)
  }

  /// What follows the brace begins like members: a name, a colon, and the first character of a value.
  private static func mayBeObject(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    func behindBlanks(_ place: Int) -> Int {
      var at = place
      while at < end, BlockReader.isSpace(text[at]) { at += 1 }
      return at
    }
    let name = behindBlanks(start)
    guard name < end, text[name] == UInt8(ascii: "\""),
      let close = Platform.find(UInt8(ascii: "\""), in: text, from: name + 1, to: end)
    else { return false }
    let colon = behindBlanks(close + 1)
    guard colon < end, text[colon] == UInt8(ascii: ":") else { return false }
    let value = behindBlanks(colon + 1)
    return value < end && valueStarts.contains(text[value])
  }

  private static let valueStarts = Array("{[\"-tfn0123456789".utf8)

  /// Every record has one of these members; a search that passes others is enough, because conversion checks the rest.
  private static func isRecord(_ object: Span<UInt8>) -> Bool {
    keys.contains { key in
      var at = 0
      while let quote = Platform.find(UInt8(ascii: "\""), in: object, from: at) {
        if object.starts(with: key, at: quote) { return true }
        at = quote + 1
      }
      return false
    }
  }

  /// The position behind the object that starts at a position; `nil` when it does not end before `limit`.
  private static func end(of start: Int, _ text: Span<UInt8>, _ limit: Int) -> Int? {
    var (depth, isString, at) = (0, false, start)
    while at < limit {
      switch text[at] {
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
