import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// Reads a table with a header row; each row becomes an object whose members are its columns.
final class TableReader: WindowReader {
  var window: TextWindow
  private let limit: Int
  private var row: TableRow
  private let form: TableForm
  /// The columns, each as the beginning of a member: `"name":`.
  private var columns: [[UInt8]] = []
  private var names: [String] = []
  /// The source is damaged before the end of its header row.
  private var isWithoutHeader = false
  /// Bytes that were read again after a broken row; bounded, so that broken text takes no quadratic time.
  private var reread = 0
  private static let mostReread = 256 << 20
  private let line = JSONWriter(capacity: 16 << 10)
  /// The header row as it is in the source, for rejected rows.
  private var header: [UInt8] = []
  private let scratch = JSONWriter(capacity: 256)
  /// The column whose objects are in the rows unescaped, and are so read once; its place, where the table has it.
  private let inlines: String?
  private var inlinedColumn: Int?

  /// - Parameter inlines: the column of the records, for tasks that can take them so.
  init(
    _ member: SourceMembers.Member, _ form: TableForm, source: Int, limit: Int, inlining inlines: String? = nil
  ) {
    (window, self.form, self.limit) = (TextWindow(member, source: source), form, limit)
    row = TableRow(form)
    self.inlines = inlines
  }

  private func find() -> TableRow.Found {
    let text = window.text
    return row.read(text.span, from: window.used, isAtEnd: window.isAtEnd)
  }

  // MARK: header

  func begin() throws(FileError) {
    guard columns.isEmpty, !isWithoutHeader else { return }
    while window.text.count < 4, try window.readMore() {}
    if let encoding = SourceHead.foreignEncoding(window.text, starts: Array(0x20..<0x7F)) { throw wrong(encoding) }
    window.used = ByteOrderMark.count(in: window.text)
    while isEmpty, window.text.count < 1 << 20, try window.readMore() {}
    // An export without rows.
    if isEmpty, window.isAtEnd {
      window.used = window.text.count
      return
    }
    var found = find()
    while case .incomplete = found, window.text.count < 1 << 20, !window.isAtEnd {
      _ = try window.readMore()
      found = find()
    }
    if window.damage != nil, isCutOff(found) {
      isWithoutHeader = true
      return
    }
    guard case .row(let next) = found else {
      if let advice = adviceOnQuotes() {
        throw wrong("the names in the header row stand between other separators; name the separator with \(advice)")
      }
      throw wrong("expected a header row with the names of the columns, its quotes closed, of at most 1 MiB")
    }
    for cell in row.cells {
      let text = window.text
      scratch.clear()
      row.write(cell, in: text.span, to: scratch)
      guard let name = String(validating: scratch.buffer, as: UTF8.self), !name.utf8.contains(0) else {
        throw wrong("expected names of columns in UTF-8")
      }
      names.append(row.hasValue(cell, in: text.span) ? name : "")
    }
    try checkNames(areQuoted: row.cells.contains(where: \.isQuoted))
    inlinedColumn = inlines.flatMap { names.firstIndex(of: $0) }
    let writer = JSONWriter(capacity: 256)
    columns = names.map { name in
      writer.clear()
      writer.text(name)
      writer.byte(UInt8(ascii: ":"))
      return writer.bytes
    }
    header = Array(window.text[window.used..<next])
    window.used = next
  }

  /// The header row, or the row, continues in the damage after the text.
  private func isCutOff(_ found: TableRow.Found) -> Bool {
    switch found {
    case .row(let next): window.isCutOff(next)
    case .fault(let next, _, _, _): window.isCutOff(next)
    case .incomplete, .unclosed: true
    }
  }

  private var isEmpty: Bool { window.text[window.used...].allSatisfy(\.isBlank) }

  private func checkNames(areQuoted: Bool) throws(FileError) {
    if TableHeader.isData(names) { throw wrong(TableHeader.isData) }
    if let first = names.first, first.hasPrefix("sep="), names.count <= 2 {
      throw wrong("the first line is a note for Excel; remove it first: tail -n +2 FILE")
    }
    if names.contains(where: { $0.utf8.contains(0x0D) && !$0.utf8.contains(0x0A) }) {
      throw wrong("expected rows that end with a line feed, found carriage returns; convert it first: tr '\\r' '\\n'")
    }
    if let place = names.firstIndex(of: "") { throw wrong("column \(place + 1) has no name in the header row") }
    var seen: Set<String> = []
    if let place = names.indices.first(where: { !seen.insert(names[$0]).inserted }) {
      throw wrong("columns \((names.firstIndex(of: names[place]) ?? 0) + 1) and \(place + 1) have the same name")
    }
    guard names.count == 1, !areQuoted, let only = names.first else { return }
    for (separator, advice) in Self.separators where only.utf8.contains(separator) {
      throw wrong("the header row has one column, and contains another separator; name it with \(advice)")
    }
  }

  private static let separators = [
    (UInt8(ascii: ";"), "--separator ';'"),
    (UInt8(ascii: "\t"), "--tsv plain, copy or quoted, or --separator with a tab"),
    (UInt8(ascii: "|"), "--separator '|'"),
    (UInt8(ascii: ","), "--csv, without --separator"),
  ]

  /// The option for the separator with which the header row, whose names are in quotes, can be read.
  private func adviceOnQuotes() -> String? {
    let text = window.text
    return Self.separators.first { separator, _ in
      var row = TableRow(.csv(separator))
      guard case .row = row.read(text.span, from: window.used, isAtEnd: window.isAtEnd) else { return false }
      return row.cells.count > 1 && row.cells.contains(where: \.isQuoted)
    }?.1
  }

  private func wrong(_ reason: String) -> FileError {
    FileError(path: window.name, doing: "read the table", reason: reason)
  }

  // MARK: rows

  func cut(_ block: Block, _ rows: inout [RowPage.Row]) throws(FileError) -> Bool {
    (block.header, block.tableForm) = (header, form)
    guard let row = try next(block) else { return false }
    rows.append(row)
    return true
  }

  private func next(_ block: Block) throws(FileError) -> RowPage.Row? {
    while !window.isFinished, !isWithoutHeader {
      passMark()
      let found = find()
      if isPartOfDamage(found) { return nil }
      switch found {
      case .incomplete where window.text.count - window.used > limit: return try longRow(block)
      case .incomplete: _ = try window.readMore()
      case .row(let next) where isBlank(): window.used = next
      case .row(let next): return try object(before: next, block)
      case .fault(let next, let column, let code, let message):
        return refused(nextRow(before: next), column: column, code: code, message, in: block)
      case .unclosed(let column):
        let next = nextRow(before: window.text.count)
        return refused(next, column: column, code: "quoteNotClosed", "expected the closing quote of a cell", in: block)
      }
    }
    return nil
  }

  /// Files that begin with a byte order mark were joined.
  private func passMark() {
    let text = window.text
    guard window.used < text.count, text[window.used] == ByteOrderMark.bytes[0] else { return }
    window.used += ByteOrderMark.count(in: text.span.extracting(window.used...))
  }

  /// The row was cut off by damage, and both are one reject; an open quote before it must not take rows along.
  private func isPartOfDamage(_ found: TableRow.Found) -> Bool {
    guard window.damage != nil, isCutOff(found) else { return false }
    if case .row = found { return true }
    return nextRow(before: window.text.count) == window.text.count
  }

  /// The first line of a broken row at which another row can be read, or the end: a quote that is not closed must not
  /// take the rows after it along.
  private func nextRow(before end: Int) -> Int {
    var at = window.used
    while reread < Self.mostReread, let line = window.lineEnd(from: at, before: end), line < end {
      let text = window.text
      switch row.read(text.span, from: line, isAtEnd: window.isAtEnd) {
      case .row where row.cells.count == columns.count: return line
      case .row(let next), .fault(let next, _, _, _): reread += next - at
      case .incomplete, .unclosed: reread += window.text.count - at
      }
      at = line
    }
    return end
  }

  /// A line without anything, or the end mark of COPY.
  private func isBlank() -> Bool {
    guard row.cells.count == 1, let cell = row.cells.first, !cell.isQuoted else { return false }
    return cell.range.isEmpty || form == .tsv(.copy) && window.text[cell.range].elementsEqual([0x5C, 0x2E])
  }

  private func isHeader() -> Bool {
    zip(row.cells, names).allSatisfy { cell, name in window.text[cell.range].elementsEqual(name.utf8) }
  }

  private func object(before next: Int, _ block: Block) throws(FileError) -> RowPage.Row {
    if form == .tsv(nil), row.cells.contains(where: \.isEscaped) {
      let place = window.text[window.used..<next].firstIndex(of: UInt8(ascii: "\\")) ?? window.used
      throw TableCheck.backslash(window.name, window.base + place)
    }
    if next - window.used > limit { return refused(next, code: "recordTooLarge", tooLarge, in: block) }
    guard row.cells.count == columns.count else {
      let message = "expected \(columns.count) cells as in the header row, found \(row.cells.count)"
      return refused(next, column: min(row.cells.count, columns.count), code: "cellsDiffer", message, in: block)
    }
    if isHeader() {
      let message = "expected a row, found the header row again, as in joined files"
      return refused(next, code: "headerRepeated", message, in: block)
    }
    line.clear()
    line.byte(UInt8(ascii: "{"))
    var nul: Int?
    var inlined: Range<Int>?
    let (window, columns) = (window.text, columns)
    let text = window.span
    for (place, cell) in row.cells.enumerated() where row.hasValue(cell, in: text) {
      let content = text.extracting(cell.range)
      if Platform.find(0, in: content) != nil { nul = place + 1 }
      line.comma()
      line.raw(columns[place])
      if place == inlinedColumn, let object = inline(cell, text) {
        inlined = object
      } else if cell.isPlain {
        line.escaped(content)
      } else {
        scratch.clear()
        row.write(cell, in: text, to: scratch)
        line.escaped(scratch.buffer.span)
      }
    }
    if let nul { return refused(next, column: nul, code: "nulInCell", "expected text, found a byte 0", in: block) }
    line.byte(UInt8(ascii: "}"))
    let start = block.count
    block.append(line.buffer.span)
    var row = RowPage.Row(body: start..<block.count)
    row.inlined = inlined.map { start + $0.lowerBound..<start + $0.upperBound }
    row.place = self.window.place(self.window.used, isVerbatim: false)
    row.text = block.rowTexts.count..<block.rowTexts.count + next - self.window.used
    block.rowTexts.append(contentsOf: text.extracting(self.window.used..<next))
    self.window.used = next
    return row
  }

  /// Appends what looks like an object in a cell as it is; `nil`, and nothing, for a cell with anything else.
  ///
  /// Whether it is one value, the walker sees when it has read the row.
  private func inline(_ cell: TableRow.Cell, _ text: Span<UInt8>) -> Range<Int>? {
    let start = line.count
    row.write(cell, in: text, to: line)
    let content = line.buffer.span.extracting(start...)
    var end = content.count
    while end > 0, content[end - 1].isBlank { end -= 1 }
    let isObject = end > 1 && content[0] == ArrayGrammar.object && content[end - 1] == UInt8(ascii: "}")
    line.truncate(to: isObject ? start + end : start)
    return isObject ? start..<start + end : nil
  }

  private func refused(
    _ next: Int, column: Int = 0, code: String, _ message: String, in block: Block
  ) -> RowPage.Row {
    let start = block.count
    let used = window.used
    let text = window.text
    block.append(text.span.extracting(used..<used + min(next - used, limit)))
    var row = RowPage.Row(body: start..<block.count)
    let name = column > 0 && column <= names.count ? " (\(ShownName(names[column - 1])))" : ""
    let place = column > 0 ? "column \(column)\(name): " : ""
    row.fault = RecordFault(stage: .row, code: code, message: place + message)
    row.place = window.place(used, isVerbatim: true)
    window.used = next
    return row
  }

  private var tooLarge: String { "the row has more than \(limit) bytes (--max-record)" }

  /// A row that is longer than the limit: a cell that is too long, or a quote that is not closed.
  ///
  /// A row that can be read after it shows the latter.
  private func longRow(_ block: Block) throws(FileError) -> RowPage.Row {
    let next = nextRow(before: window.text.count)
    if next < window.text.count { return refused(next, code: "recordTooLarge", tooLarge, in: block) }
    // Its text is not kept; the row ends where its quotes do.
    let hasQuotes = if case .csv = form { true } else { false }
    let quote = UInt8(ascii: "\"")
    var isQuoted = hasQuotes && window.text[window.used...].count { $0 == quote } % 2 == 1
    let row = refused(window.text.count, code: "recordTooLarge", tooLarge, in: block)
    let before = window.position
    var isFound = false
    repeat {
      var at = window.used
      while at < window.text.count, !isFound {
        let byte = window.text[at]
        at += 1
        if byte == quote, hasQuotes { isQuoted.toggle() }
        isFound = byte == 0x0A && !isQuoted
      }
      window.used = at
      if isFound { break }
    } while try window.readMore()
    block.passedOver += window.position - before
    return row
  }
}

/// Cuts one text into blocks of whole records.
protocol BlockSource: AnyObject {
  /// Fills a block with the next records; false at the end.
  func fill(_ block: Block) throws(FileError) -> Bool
  /// Bytes after the last record that belong to no block.
  var remainder: Int { get }
  /// The position of the next block.
  var state: ReaderState { get }
  /// Resumes at the position of an earlier reader of the same source.
  func resume(at state: ReaderState) throws(FileError)
}
