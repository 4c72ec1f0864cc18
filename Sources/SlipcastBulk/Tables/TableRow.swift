import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// Finds the end of a row and the cells in it.
///
/// Our own code, because a library (libcsv) reports no positions, changes cells, and stops at the first error.
struct TableRow {
  /// A cell, without its quotes.
  struct Cell {
    var range: Range<Int>
    /// It contains escapes, which are not in `contents`.
    var isEscaped = false
    /// Where the content of a cell with doubled quotes is in `contents`.
    var content: Range<Int>?
    var isQuoted = false
    /// Its text in the source is its content.
    var isPlain: Bool { !isEscaped && content == nil }
  }

  enum Found {
    /// The text ends inside the row.
    case incomplete
    /// A row, and the position behind its line feed.
    case row(next: Int)
    case fault(next: Int, column: Int, code: String, message: String)
    case unclosed(column: Int)
  }

  let form: TableForm
  private(set) var cells: [Cell] = []
  /// Cells of the row with one quote for each doubled one.
  private let contents = JSONWriter(capacity: 1024)
  /// Nothing follows the text.
  private var isAtEnd = false

  init(_ form: TableForm) { self.form = form }

  private static let quote = UInt8(ascii: "\"")
  private static let feed = UInt8(ascii: "\n")
  private static let backslash = UInt8(ascii: "\\")

  mutating func read(_ text: Span<UInt8>, from start: Int, isAtEnd: Bool) -> Found {
    cells.removeAll(keepingCapacity: true)
    contents.clear()
    contents.shrink(to: 4 << 20)
    self.isAtEnd = isAtEnd
    switch form {
    case .csv(let separator): return readCSV(text, from: start, separator: separator)
    case .tsv(let escaping): return readTSV(text, from: start, escaping: escaping)
    }
  }

  private mutating func readCSV(_ text: Span<UInt8>, from start: Int, separator: UInt8) -> Found {
    let end = text.count
    var at = start
    while true {
      if at < end, text[at] == Self.quote {
        let before = contents.count
        switch QuotedCell.copy(from: text, at: at + 1, to: contents) {
        case nil: return isAtEnd ? .unclosed(column: cells.count + 1) : .incomplete
        case let (close, isEscaped)?:
          let after = close + 1
          guard after < end || isAtEnd else { return .incomplete }
          let content = isEscaped ? before..<contents.count : nil
          cells.append(Cell(range: at + 1..<close, content: content, isQuoted: true))
          if after < end, text[after] == separator {
            at = after + 1
            continue
          }
          if let next = lineEnd(text, from: after) { return next < 0 ? .incomplete : .row(next: next) }
          let advice =
            close > at + 1 && text[close - 1] == Self.backslash
            ? "; a quote inside a cell is doubled (RFC 4180), not escaped with a backslash: export the table again" : ""
          return fault(
            text, at: after, code: "textAfterQuote",
            message: "expected the separator or the end of the row after a closing quote\(advice)")
        }
      }
      let to = text.firstIndex(ofAny: (separator, Self.feed, Self.quote), from: at)
      guard to < end || isAtEnd else { return .incomplete }
      if to < end, text[to] == Self.quote {
        cells.append(Cell(range: at..<to))
        return fault(
          text, at: to, code: "quoteInCell",
          message: "expected a quote only around a cell, where quotes inside are doubled")
      }
      let isLast = to == end || text[to] == Self.feed
      cells.append(Cell(range: isLast ? lastCell(text, at, to) : at..<to))
      if isLast { return .row(next: min(to + 1, end)) }
      at = to + 1
    }
  }

  /// The last cell of a row; a carriage return before the line feed does not belong to it.
  private func lastCell(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Range<Int> {
    start..<(end > start && text[end - 1] == 0x0D ? end - 1 : end)
  }

  /// The position behind the line feed at a position; -1 when more text is needed, `nil` when something else is there.
  private func lineEnd(_ text: Span<UInt8>, from at: Int) -> Int? {
    if at == text.count { return at }
    if text[at] == Self.feed { return at + 1 }
    guard text[at] == 0x0D else { return nil }
    if at + 1 == text.count { return isAtEnd ? at + 1 : -1 }
    return text[at + 1] == Self.feed ? at + 2 : nil
  }

  private func fault(_ text: Span<UInt8>, at: Int, code: String, message: String) -> Found {
    guard let feed = Platform.find(Self.feed, in: text, from: at) else {
      return isAtEnd ? .fault(next: text.count, column: cells.count, code: code, message: message) : .incomplete
    }
    return .fault(next: feed + 1, column: cells.count, code: code, message: message)
  }

  private mutating func readTSV(_ text: Span<UInt8>, from start: Int, escaping: TableOptions.Escaping?) -> Found {
    let feed = Platform.find(Self.feed, in: text, from: start)
    guard let end = feed ?? (isAtEnd ? text.count : nil) else { return .incomplete }
    var at = start
    while true {
      let tab = Platform.find(0x09, in: text, from: at, to: end)
      let isEscaped =
        escaping != .plain && Platform.find(Self.backslash, in: text, from: at, to: tab ?? end) != nil
      cells.append(Cell(range: tab.map { at..<$0 } ?? lastCell(text, at, end), isEscaped: isEscaped))
      guard let tab else { return .row(next: min(end + 1, text.count)) }
      at = tab + 1
    }
  }
}

extension TableRow {
  /// The cell is neither empty nor a NULL of a database.
  func hasValue(_ cell: Cell, in text: Span<UInt8>) -> Bool {
    guard form == .tsv(.copy) else { return !cell.range.isEmpty }
    let part = text.extracting(cell.range)
    return !part.isEmpty && !part.elementsEqual([Self.backslash, UInt8(ascii: "N")]) && !part.elementsEqual("NULL".utf8)
  }

  /// Appends the text of a cell without doubled quotes and escapes.
  func write(_ cell: Cell, in text: Span<UInt8>, to writer: JSONWriter) {
    if let content = cell.content { return writer.copy(content, of: contents) }
    let part = text.extracting(cell.range)
    switch form {
    case .csv, .tsv(nil), .tsv(.plain), .tsv(.quoted): writer.raw(part)
    case .tsv(.copy):
      var at = 0
      while let slash = Platform.find(Self.backslash, in: part, from: at) {
        writer.raw(part.extracting(at..<slash))
        at = slash + 1
        writer.byte(at < part.count ? Self.escaped(part, &at) : Self.backslash)
      }
      writer.raw(part.extracting(at..<part.count))
    }
  }

  private static func escaped(_ part: Span<UInt8>, _ at: inout Int) -> UInt8 {
    let letter = part[at]
    at += 1
    switch letter {
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "v"): return 0x0B
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var value = Int(letter - UInt8(ascii: "0"))
      for _ in 0..<2 where at < part.count && (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(part[at]) {
        value = value * 8 + Int(part[at] - UInt8(ascii: "0"))
        at += 1
      }
      return UInt8(truncatingIfNeeded: value)
    case UInt8(ascii: "x"):
      var (value, digits) = (0, 0)
      while digits < 2, at < part.count, let digit = Character(UnicodeScalar(part[at])).hexDigitValue {
        (value, digits) = (value * 16 + digit, digits + 1)
        at += 1
      }
      return digits == 0 ? letter : UInt8(truncatingIfNeeded: value)
    default: return letter
    }
  }
}
