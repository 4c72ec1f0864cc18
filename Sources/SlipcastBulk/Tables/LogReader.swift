import SlipcastSystem
internal import SlipcastWire

/// Finds records in the lines of a log: JSON objects after a prefix, or between other text.
///
/// Lines without a record are counted and left out. A record ends on its line.
final class LogReader: WindowReader {
  var window: TextWindow
  private let limit: Int
  /// The member of a row that holds its record: an encoded record has no keys to be found by.
  private let body: [UInt8]?
  private let keys: [[UInt8]]
  /// Those that make an object a record whatever it is a part of.
  private let names: [[UInt8]]
  private lazy var reader = NestedReader(JSONLimits())
  /// Where the block begins, and how many bytes are still followed over further lines for it.
  private var followed = (block: -1, left: 0)

  init(_ member: SourceMembers.Member, _ options: TableOptions, source: Int, limit: Int) {
    (window, self.limit) = (TextWindow(member, source: source), limit)
    body = options.bodyOfLog.map { Array("\"\($0)\"".utf8) }
    keys = Self.keys + (options.isOfServer ? Self.serverKeys : [])
    names = Array(Self.keys.prefix(2) + (options.isOfServer ? Self.serverKeys.prefix(1) : []))
  }

  func cut(_ block: Block, _ rows: inout [RowPage.Row]) throws(FileError) -> Bool {
    guard let (line, next) = try window.nextLine(limit: limit) else { return false }
    // The budget of a block depends on the block alone, so that a resumed run decides the same.
    if followed.block != block.offset { followed = (block.offset, 1 << 20) }
    followed.left += 8 * (next - window.used)
    guard let line else {
      rows.append(try longLine(limit, block))
      return true
    }
    // What damage cut off is part of its reject.
    if window.isCutOff(line.upperBound) {
      let text = window.text
      let found = objects(in: text.span, line).whole
      rows += found.map { row(text.span, $0, block) }
      if !found.isEmpty { window.used = next }
      return !found.isEmpty
    }
    // A search over further lines moves the text.
    window.used = try take(line, block, &rows) ?? window.used + next - line.lowerBound
    return true
  }

  // MARK: lines

  /// In a text inside a string a backslash stands before the closing quote.
  private static let keys = ["notification_type", "signedPayload", "latest_receipt", "receipt", "latest_receipt_info"]
    .map { Array("\"\($0)".utf8) }
  /// Members of V2 records that are not signed, or not as a whole.
  private static let serverKeys = [
    "notificationType", "notificationHistory", "signedTransactions", "transactions", "lastTransactions",
    "signedTransactionInfo", "signedRenewalInfo", "transactionInfo", "renewalInfo", "transactionId", "autoRenewStatus",
  ].map { Array("\"\($0)".utf8) }

  /// Objects that do not end on their line are tried so often in one line: braces of other text come before records.
  private static let mostUnended = 64
  /// An object that starts on one line is followed so far over the next ones, in bytes; all objects of a block together
  /// a few times as far as the block is long, because every line of a broken log may begin one.
  private static let farthest = 256 << 10

  /// Takes the records of a line.
  ///
  /// - Returns: the position to continue, where an object continues over further lines.
  private func take(
    _ line: Range<Int>, _ block: Block, _ rows: inout [RowPage.Row]
  ) throws(FileError) -> Int? {
    let before = rows.count
    let text = window.text
    let (found, cutOff) = objects(in: text.span, line)
    for object in found {
      rows.append(row(text.span, object, block))
    }
    guard rows.count == before else { return nil }
    let spread = try spread(from: cutOff, line)
    let moved = line.lowerBound - window.used
    if let object = spread ?? cutOff.map({ $0 - moved..<line.upperBound - moved }) {
      let text = window.text
      var row = row(text.span, object, block)
      row.fault = RecordFault(
        stage: .row, code: "incomplete",
        message: "expected the end of the object on its line; --from-logs reads no record over several lines")
      rows.append(row)
    } else {
      window.skipped += 1
    }
    return spread.map { window.lineEnd(from: $0.upperBound) ?? window.text.count }
  }

  /// The records of a line, and the start of the first one that does not end on it.
  private func objects(in text: Span<UInt8>, _ line: Range<Int>) -> (whole: [Range<Int>], cutOff: Int?) {
    var (at, unended, cutOff, whole) = (line.lowerBound, 0, Int?.none, [Range<Int>]())
    while unended < Self.mostUnended,
      let start = Platform.find(UInt8(ascii: "{"), in: text, from: at, to: line.upperBound)
    {
      at = start + 1
      guard Self.mayBeObject(text, at, line.upperBound) else { continue }
      let end = Self.end(of: start, text, line.upperBound)
      let object = start..<(end ?? line.upperBound)
      if end == nil { unended += 1 }
      at = end ?? at
      guard isRecord(text.extracting(object)) else { continue }
      if end == nil || isBodyPart(text, object) {
        cutOff = cutOff ?? start
      } else if cutOff.map({ !isPart(object, of: $0, text) }) ?? true {
        whole.append(object)
      }
    }
    return (whole, cutOff)
  }

  /// The object is the receipt of a notification whose beginning is damaged.
  private func isBodyPart(_ text: Span<UInt8>, _ object: Range<Int>) -> Bool {
    let key = "unified_receipt"
    let start = Self.endOfWord(text, before: object.lowerBound) - key.utf8.count
    return start >= 0 && text.starts(with: key.utf8, at: start)
      && !Self.names(Self.keys.prefix(2), text.extracting(object))
  }

  /// Where the word ends that stands before a position, without signs and blanks between them.
  private static func endOfWord(_ text: Span<UInt8>, before start: Int) -> Int {
    var end = start
    while end > 0, "\"' :=[\\\t".utf8.contains(text[end - 1]) { end -= 1 }
    return end
  }

  /// The object is a part of a record that began before and is damaged, not a record behind it.
  private func isPart(_ object: Range<Int>, of start: Int, _ text: Span<UInt8>) -> Bool {
    !Self.names(names, text.extracting(object))
      && Self.names(keys + [Array("\"unified_receipt".utf8)], text.extracting(start..<object.lowerBound))
  }

  /// The range of a record in JSON that begins on a line, there or with the brace at its end, and ends on a later one.
  private func spread(from cutOff: Int?, _ line: Range<Int>) throws(FileError) -> Range<Int>? {
    let isBrace = line.last { !window.text[$0].isBlank }.map { window.text[$0] == UInt8(ascii: "{") }
    guard let start = cutOff ?? (isBrace == true ? line.last { window.text[$0] == UInt8(ascii: "{") } : nil) else {
      return nil
    }
    let before = start - window.used
    while followed.left > 0 {
      let start = window.used + before
      let text = window.text
      let limit = min(text.count, start + Self.farthest)
      guard Self.mayBegin(text.span, start + 1, limit) else { return nil }
      let (end, stop) = Self.follow(start, text.span, limit)
      followed.left -= stop - start
      if let end {
        let object = text.span.extracting(start..<end)
        let isJSON =
          Self.mayBeObject(text.span, start + 1, end) && isRecord(object) && (try? reader.read(object)) != nil
        return isJSON ? start..<end : nil
      }
      guard stop == text.count, try window.readMore() else { return nil }
    }
    return nil
  }

  /// An object begins with a name, or where its lines end.
  private static func mayBegin(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var at = start
    while at < end, text[at].isBlank { at += 1 }
    return at == end || text[at] == UInt8(ascii: "\"")
  }

  private func row(_ text: Span<UInt8>, _ range: Range<Int>, _ block: Block) -> RowPage.Row {
    let start = block.count
    block.append(text.extracting(range))
    var row = RowPage.Row(body: start..<block.count)
    row.place = window.place(range.lowerBound, isVerbatim: true)
    return row
  }

  /// What follows the brace begins like members: a name, a colon, and the first character of a value.
  private static func mayBeObject(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    func behindBlanks(_ place: Int) -> Int {
      var at = place
      while at < end, text[at].isBlank { at += 1 }
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
  private func isRecord(_ object: Span<UInt8>) -> Bool {
    Self.names(keys, object) || body.map { Self.holdsEncoded($0, object) } ?? false
  }

  /// One of the keys stands anywhere in a text.
  private static func names(_ keys: some Collection<[UInt8]>, _ text: Span<UInt8>) -> Bool {
    var at = 0
    while let quote = Platform.find(UInt8(ascii: "\""), in: text, from: at) {
      at = quote + 1
      guard at < text.count, firstLetters[Int(text[at])] else { continue }
      let isKey = keys.contains { key in
        let end = quote + key.count
        return text.starts(with: key, at: quote) && end < text.count && "\"\\".utf8.contains(text[end])
      }
      if isKey { return true }
    }
    return false
  }

  /// By byte whether a key begins with it: most strings are no keys that are looked for.
  private static let firstLetters = {
    let letters = Set((keys + serverKeys + [Array("\"unified_receipt".utf8)]).map { $0[1] })
    return (0...255).map { letters.contains(UInt8($0)) }
  }()

  /// The member of the record is there, and its value is an encoded one.
  private static func holdsEncoded(_ body: [UInt8], _ object: Span<UInt8>) -> Bool {
    var at = 0
    while let quote = Platform.find(UInt8(ascii: "\""), in: object, from: at) {
      at = quote + 1
      guard object.starts(with: body, at: quote) else { continue }
      var value = quote + body.count
      while value < object.count, ": ".utf8.contains(object[value]) { value += 1 }
      if value < object.count, object[value] == UInt8(ascii: "\""),
        TextRecord.begins(object.extracting((value + 1)...))
      {
        return true
      }
    }
    return false
  }

  /// The position behind the object that starts at a position; `nil` when it does not end before `limit`, and when its
  /// brackets do not match.
  private static func end(of start: Int, _ text: Span<UInt8>, _ limit: Int) -> Int? {
    follow(start, text, limit).end
  }

  /// The same, and the position at which it is decided.
  private static func follow(_ start: Int, _ text: Span<UInt8>, _ limit: Int) -> (end: Int?, stop: Int) {
    // Whole objects, which nearly all are, end where their brackets do.
    let (end, isWhole) = WholeObject.end(in: text.extracting(..<limit), from: start)
    if isWhole { return (end, end) }
    var (open, isString, at) = ([UInt8](), false, start)
    while at < limit {
      let byte = text[at]
      switch byte {
      case UInt8(ascii: "\\") where isString: at += 1
      case UInt8(ascii: "\""): isString.toggle()
      case UInt8(ascii: "{") where !isString, UInt8(ascii: "[") where !isString: open.append(byte)
      case UInt8(ascii: "}") where !isString, UInt8(ascii: "]") where !isString:
        // In ASCII each closing bracket is the second character behind its opening one.
        guard open.popLast() == byte - 2 else { return (nil, at) }
        if open.isEmpty { return (at + 1, at + 1) }
      default: break
      }
      at += 1
    }
    return (nil, at)
  }
}
