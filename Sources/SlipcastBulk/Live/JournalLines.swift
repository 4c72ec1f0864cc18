import SlipcastSystem
internal import SlipcastWire

/// Reads a part of a journal: each line is an event, in the order of their numbers.
///
/// A repeated event with other content is counted as a line without a record.
/// A server does not start with a damaged journal. Here a line with a wrong checksum, an event that occurs again and
/// missing events are each a reject, and all other events are read.
final class JournalLines: WindowReader {
  var window: TextWindow
  private let part: InputFile.JournalPart
  private let limit: Int
  /// The number of the next event; `nil` where an earlier run has read the events before it.
  private var next: Int64?
  /// How many damaged lines stand where the next event is expected; each may be an event.
  private var damaged: Int64 = 0
  private var isEnded = false

  init(_ member: SourceMembers.Member, _ part: InputFile.JournalPart, source: Int, limit: Int) {
    (window, self.part, self.limit) = (TextWindow(member, source: source), part, limit)
    next = part.first
  }

  func resume(at state: ReaderState) throws(FileError) {
    try window.resume(at: state)
    if state.offset > 0 { next = nil }
  }

  func cut(_ block: Block, _ rows: inout [RowPage.Row]) throws(FileError) -> Bool {
    if let (line, end) = try window.nextLine(limit: limit) {
      if let line {
        rows += take(line, block)
        window.used = end
      } else {
        rows.append(try longLine(limit, block))
        damaged += 1
      }
      return true
    }
    guard !isEnded, let following = part.following, let next else { return false }
    isEnded = true
    guard following - next > damaged else { return false }
    rows.append(missing(next, before: following, at: window.text.count, block))
    return true
  }

  private func take(_ line: Range<Int>, _ block: Block) -> [RowPage.Row] {
    let text = window.text
    let content = text.span.extracting(line)
    guard JournalHead.isIntact(content), let number = JournalHead.number(in: content) else {
      damaged += 1
      return [row(line, block, "the journal is damaged: the checksum of this line is wrong")]
    }
    if let next, number < next { return [row(line, block, "the journal is damaged: it has event \(number) already")] }
    defer { (next, damaged) = (number + 1, 0) }
    var found: [RowPage.Row] = []
    if let next, number - next > damaged { found.append(missing(next, before: number, at: line.lowerBound, block)) }
    if JournalHead.isMarked(content) {
      // A server delivers only the first content of an event.
      window.skipped += 1
    } else {
      found.append(row(line, block))
    }
    return found
  }

  /// Events that the journal should have, as a row without text.
  private func missing(_ first: Int64, before end: Int64, at place: Int, _ block: Block) -> RowPage.Row {
    let events = end - first == 1 ? "the event \(first)" : "some of the events \(first) to \(end - 1)"
    return row(place..<place, block, "the journal is damaged: \(events) should be before this place")
  }

  private func row(_ line: Range<Int>, _ block: Block, _ fault: String? = nil) -> RowPage.Row {
    let start = block.count
    let text = window.text
    block.append(text.span.extracting(line))
    var row = RowPage.Row(body: start..<block.count)
    row.place = window.place(line.lowerBound, isVerbatim: true)
    row.fault = fault.map { RecordFault(stage: .row, code: "journalDamaged", message: $0) }
    return row
  }
}
