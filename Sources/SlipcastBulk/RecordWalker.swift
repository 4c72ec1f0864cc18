@_spi(Slipcast) internal import SlipcastWire

/// How far a block was read.
struct WalkerPlace: Hashable, Sendable {
  /// The start of the next line, or the index of the next item or row.
  var next = 0
  /// The position up to which records over several lines were searched, or what precedes an array was reported.
  var searched = 0
  /// The remaining number of bytes to look ahead of broken lines; `nil` at the start of the block.
  var lookahead: Int?
  /// Inside a line that is an array: the index of the next item.
  var item = 0
}

extension WalkerPlace: LosslessStringConvertible {
  /// Its numbers between commas; a place inside a block always has a lookahead.
  var description: String { "\(next),\(searched),\(lookahead ?? 0)" + (item > 0 ? ",\(item)" : "") }

  init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    // A checkpoint may have been changed; no block is as long as this.
    guard (3...4).contains(parts.count), numbers.count == parts.count,
      (numbers[..<2] + numbers[3...]).allSatisfy({ (0...1 << 50).contains($0) }),
      (-1 << 50...1 << 50).contains(numbers[2])
    else { return nil }
    self.init(next: numbers[0], searched: numbers[1], lookahead: numbers[2], item: numbers.count > 3 ? numbers[3] : 0)
  }
}

/// Finds the records of one block and passes them to their handler.
///
/// Generic, so that the compiler specializes it for each handler: the calls between the two are per record.
struct RecordWalker<Handler: RecordTask> {
  private let block: Block
  private let reader: JSONReader
  private let handler: Handler
  private lazy var strings = NestedReader(reader.limits)
  private var next: Int
  private var searched: Int
  /// The remaining number of bytes to look ahead of broken lines; when it is used up, each line is read separately.
  private var lookahead: Int
  /// The next item of the line that is an array.
  private var item: Int
  /// The result of a line with more items is made in parts.
  private static var mostItems: Int { 16_384 }
  /// The line that was found last.
  private var (lineStart, lineEnd) = (0, -1)

  init(_ block: Block, reader: JSONReader, handler: Handler, from place: WalkerPlace) {
    (self.block, self.reader, self.handler) = (block, reader, handler)
    (next, searched, item) = (place.next, place.searched, place.item)
    lookahead = place.lookahead ?? 65_536 + 8 * block.count
  }

  /// Passes records on until the block ends, or the handler is full or wants no more.
  ///
  /// - Returns: where to continue; `nil` at the end of the block.
  mutating func walk() -> WalkerPlace? {
    pass()
    guard next < end else { return nil }
    return WalkerPlace(next: next, searched: searched, lookahead: lookahead, item: item)
  }

  private var end: Int {
    switch block.form {
    case .lines: block.count
    case .items(let items): items.count
    case .rows(let rows): rows.count
    case .receipt, .damaged, .oversized: 0
    }
  }

  private mutating func pass() {
    switch block.form {
    case .lines: walkLines()
    case .items(let items): walkItems(items)
    case .receipt: take(.binary, at: 0..<block.count)
    case .rows(let rows):
      while next < rows.count, !handler.isStopped, !handler.isFull {
        walk(rows[next])
        next += 1
      }
    case .damaged(let reason):
      handler.refuse(RecordFault(stage: .source, code: "damaged", message: reason), at: 0..<block.count, in: block)
    case .oversized:
      refuse(JSONError(reason: .recordTooLarge(limit: reader.limits.recordBytes)), at: 0..<0)
    }
  }

  private mutating func walkItems(_ items: [Range<Int>]) {
    // What precedes the array may be nothing.
    if let head = block.beforeArray, searched <= head.upperBound {
      searched = head.upperBound + 1
      let message = "the array has no opening bracket; what stood before its first record may be missing"
      handler.refuse(RecordFault(stage: .json, code: "incomplete", message: message), at: head, in: block)
    }
    while next < items.count, !handler.isStopped, !handler.isFull {
      takeOrRefuse(items[next])
      next += 1
    }
    // An item that was cut off is already a reject.
    guard next == items.count, block.isUnclosed, !handler.isStopped, !handler.hasRejectedLast || items.isEmpty else {
      return
    }
    let message = "the array has no closing bracket; the file may have been cut off"
    let fault = RecordFault(stage: .json, code: "incomplete", offset: block.count, message: message)
    handler.refuse(fault, at: block.count..<block.count, in: block)
  }

  /// The body of a row is one record, whatever it is.
  private mutating func walk(_ row: RowPage.Row) {
    (block.origin, block.place, block.rowText) = (row.body.lowerBound, row.place, row.text)
    block.databaseRow = row.place == nil && row.text == nil ? row : nil
    handler.turn(to: row)
    if let fault = row.fault { return handler.refuse(fault, at: row.body, in: block) }
    if let record = row.inlined { return walk(row, inlined: record) }
    let body = block.withoutMark(block.trimmed(row.body))
    guard !row.isNull else {
      let fault = RecordFault(stage: .row, code: "bodyMissing", message: "expected the record, found NULL")
      return handler.refuse(fault, at: body, in: block)
    }
    if SourceHead.isReceipt(block.text(row.body).buffer.span) { return take(.binary, at: row.body) }
    if !body.isEmpty, block.mayBeText(body), let text = TextRecord(string: block.text(body)) {
      return take(text.form, at: body)
    }
    // Compressed data ends with any byte, blanks included.
    let range = block.text(row.body).buffer.starts(with: [0x1F, 0x8B]) ? row.body : body
    if !body.isEmpty, !"{[\"".utf8.contains(block[body.lowerBound]),
      LayeredBody.open(block.text(range).buffer.span, limit: reader.limits.recordBytes) != nil
    {
      return take(.encoded, at: range)
    }
    takeOrRefuse(body)
  }

  /// A row that contains its record unescaped: errors are reported as for a record in a string.
  private mutating func walk(_ row: RowPage.Row, inlined record: Range<Int>) {
    let place = record.lowerBound - row.body.lowerBound..<record.upperBound - row.body.lowerBound
    if let tape = try? read(row.body), Self.isOneValue(place, in: tape), handler.attempt(tape, at: row.body, in: block)
    {
      return
    }
    var row = row
    row.body = block.append(row.body, quoting: record)
    row.inlined = nil
    block.origin = row.body.lowerBound
    handler.turn(to: row)
    takeOrRefuse(row.body)
  }

  /// The text of the record is the value of one member: what follows an object that ends early could pass for members of
  /// the row.
  private static func isOneValue(_ record: Range<Int>, in tape: JSONTape) -> Bool {
    tape.children(of: 0).contains { tape.start($0) == record.lowerBound && tape.range($0) == record }
  }

  private func read(_ range: Range<Int>) throws(JSONError) -> JSONTape {
    try block.read(range, with: reader)
  }

  private func refuse(_ error: JSONError, at range: Range<Int>) {
    handler.refuse(RecordFault(error, in: block.text(range)), at: range, in: block)
  }

  @inline(__always)
  private mutating func take(_ tape: JSONTape, at range: Range<Int>) {
    if tape[0].kind == .string, takeString(range) { return }
    handler.take(tape, at: range, in: block)
  }

  /// Handles a JSON string that contains a text record; false when it contains something else.
  private mutating func takeString(_ range: Range<Int>) -> Bool {
    let solid = block.trimmed(range)
    guard let text = TextRecord(quoted: block.text(solid), strings) else { return false }
    take(text, at: solid)
    return true
  }

  private mutating func take(_ form: TextRecord.Form, at range: Range<Int>) {
    let limit = reader.limits.recordBytes
    guard range.count <= limit else {
      return refuse(JSONError(reason: .recordTooLarge(limit: limit), offset: limit), at: range)
    }
    take(TextRecord(form: form, bytes: block.text(range)), at: range)
  }

  /// Passes a record on; a token without what was wrapped around it, because a token is a separate form.
  private mutating func take(_ text: TextRecord, at range: Range<Int>) {
    guard text.form == .encoded,
      let token = LayeredBody.token(in: text.bytes.buffer.span, limit: reader.limits.recordBytes)
    else { return handler.take(text, at: range, in: block) }
    handler.take(TextRecord(form: .token, bytes: strings.hold(token.span)), at: range, in: block)
  }

  // MARK: lines

  private mutating func walkLines() {
    while next < block.count, !handler.isStopped, !handler.isFull {
      if next > 0, block[next - 1] != 0x0A, let behind = walkJoined(from: next) {
        next = behind
        continue
      }
      let end = endOfLine(next)
      let line = block.trimmed(next..<end)
      if line.isEmpty {
        next = end + 1
        continue
      }
      if block.mayBeText(line), let text = TextExtent(block, line, feed: end, before: block.count) {
        take(text.form, at: text.range)
        next = text.end
        continue
      }
      do throws(JSONError) {
        let tape = try read(line)
        if tape[0].kind == .array, let items = Self.records(of: tape, at: line.lowerBound) {
          guard take(items) else { return }
        } else {
          take(tape, at: line)
        }
        next = end + 1
      } catch {
        next = walkEncoded(line, end) ?? walkBroken(line, end, error)
      }
    }
  }

  /// The records of a line that is an array; `nil` for an array of something else.
  private static func records(of tape: JSONTape, at start: Int) -> [Range<Int>]? {
    let items = Array(tape.children(of: 0))
    guard !items.isEmpty, items.allSatisfy({ tape[$0].kind == .object }) else { return nil }
    return items.map { start + tape.range($0).lowerBound..<start + tape.range($0).upperBound }
  }

  /// Handles the items of a line; false before the last one, when the part of the result is long or nothing more is wanted.
  private mutating func take(_ items: [Range<Int>]) -> Bool {
    let end = min(items.count, item + Self.mostItems)
    while item < end, !handler.isStopped, !handler.isFull {
      takeOrRefuse(items[item])
      item += 1
    }
    guard item >= items.count else { return false }
    item = 0
    return true
  }

  /// Handles a record whose encoding is rare: one that no first letter shows; `nil` for any other line.
  ///
  /// - Returns: the position after it.
  private mutating func walkEncoded(_ line: Range<Int>, _ end: Int) -> Int? {
    guard !"{[".utf8.contains(block[line.lowerBound]), line.count >= TextRecord.shortest else { return nil }
    let extent = block.endOfPEM(line, feed: end) ?? (text: line, end: end)
    let text = block.text(extent.text).buffer.span
    guard LayeredBody.open(text, limit: reader.limits.recordBytes) != nil else { return nil }
    take(.encoded, at: extent.text)
    return min(extent.end + 1, block.count)
  }

  /// Handles a record behind another one on its line; `nil` when it is broken and the last one on the line.
  private mutating func walkJoined(from start: Int) -> Int? {
    if let next = walkWhole(from: start) { return next }
    guard let next = block.joinedStart(in: start..<endOfLine(start), &lookahead) else { return nil }
    takeOrRefuse(block.trimmed(start..<next))
    return next
  }

  /// The end of the line; found once for all records on it.
  private mutating func endOfLine(_ start: Int) -> Int {
    if start > lineEnd || start < lineStart { (lineStart, lineEnd) = (start, block.endOfLine(start)) }
    return lineEnd
  }

  private mutating func takeOrRefuse(_ range: Range<Int>) {
    do throws(JSONError) {
      take(try read(range), at: range)
    } catch {
      refuse(error, at: range)
    }
  }

  /// A line that is not a whole record may start a pretty-printed one, or hold several; returns the position to
  /// continue.
  private mutating func walkBroken(_ line: Range<Int>, _ end: Int, _ error: JSONError) -> Int {
    // Files that begin with a mark were joined.
    let mark = ByteOrderMark.count(in: block.text(line).buffer.span)
    if mark > 0 { return mark == line.count ? end + 1 : line.lowerBound + mark }
    if let next = walkWhole(from: line.lowerBound) { return next }
    // Only an object or array spreads over lines.
    if handler.takesLinesApart, !"{[".utf8.contains(block[line.lowerBound]) {
      return refuse(error, at: line, next: end + 1)
    }
    // Broken text may have an open bracket on every line: searching its end from each line takes quadratic time.
    guard lookahead > 0 else { return refuse(error, at: line, next: end + 1) }
    let extent = RecordExtent(block, from: line.lowerBound)
    guard extent.end > end + 1 else { return refuse(error, at: line, next: end + 1) }
    lookahead -= extent.end - end
    let whole = block.trimmed(line.lowerBound..<extent.end)
    do throws(JSONError) {
      take(try read(whole), at: whole)
      lookahead += extent.end - end
      return extent.end
    } catch let wholeError {
      // A line that was cut off seems to include what follows: it ends where a line is a record by itself.
      let next = line.count > 1 ? firstWholeLine(after: end, before: extent.end) ?? extent.end : extent.end
      lookahead += next - end
      return refuse(
        next == extent.end ? wholeError : error, at: block.trimmed(line.lowerBound..<next), next: next)
    }
  }

  /// Rejects a broken record up to the next one; returns that one's position.
  private mutating func refuse(_ error: JSONError, at range: Range<Int>, next: Int) -> Int {
    guard let start = block.joinedStart(in: range, &lookahead) else {
      refuse(error, at: range)
      return next
    }
    // Read again: its fault must not lie in the text behind it.
    takeOrRefuse(block.trimmed(range.lowerBound..<start))
    return start
  }

  /// Handles a complete record that covers several lines, or that another one follows; returns the position after it.
  ///
  /// What one such search has passed is not searched again: broken text may have an open bracket on every line.
  private mutating func walkWhole(from start: Int) -> Int? {
    guard start >= searched, "{[".utf8.contains(block[start]) else { return nil }
    let (end, isWhole) = block.endOfValue(from: start)
    searched = end
    guard isWhole, let next = block.next(behind: end), let tape = try? read(start..<end) else { return nil }
    take(tape, at: start..<end)
    return next
  }

  private func firstWholeLine(after end: Int, before limit: Int) -> Int? {
    var at = end + 1
    while at < limit {
      let stop = block.endOfLine(at)
      let line = block.trimmed(at..<stop)
      if !line.isEmpty, block[line.lowerBound] == UInt8(ascii: "{"), (try? read(line)) != nil { return at }
      at = stop + 1
    }
    return nil
  }
}
