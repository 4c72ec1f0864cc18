internal import SlipcastDigest
import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// The counts and rejects of one block, with record numbers still counted from the block's start.
struct BlockBook {
  /// The run ends with the first reject.
  private let stops: Bool
  /// What rejects keep; `nil`: they are only counted and reported.
  private var keeping: RejectKeeping?
  private(set) var sourceName = ""
  /// The source's index in the list of sources.
  private(set) var sourcePlace = 0
  var counts = RunCounts()
  private(set) var rejects = RejectList()
  /// The run must end here.
  private(set) var isStopped = false
  private var counted = (place: 0, feeds: 0)
  private let subjects: RejectSubjectReader

  init(stops: Bool = false, keeping: RejectKeeping? = nil, limits: JSONLimits = JSONLimits()) {
    (self.stops, self.keeping) = (stops, keeping)
    subjects = RejectSubjectReader(limits)
  }

  mutating func begin(_ block: Block, source: String) {
    (sourceName, sourcePlace) = (source, block.source)
    (counts, isStopped, counted) = (RunCounts(), false, (0, 0))
    counts.bytes = block.consumed
    counts.unreadBytes = block.passedOver
    counts.skippedLines = block.skippedLines
    rejects.removeAll()
    keeping?.text?.pointers = block.pointers
  }

  mutating func beginPart() {
    counts = RunCounts()
    rejects.removeAll()
  }

  var hasRejectedLast: Bool { rejects.lastRecord == counts.read }

  /// The byte offset of a position of the block in the source, and its line, from 1.
  mutating func position(_ place: Int, in block: Block) -> (offset: Int, line: Int) {
    let place = max(0, min(place, block.count))
    if case .rows = block.form {
      // Positions in a row are counted from the start of its body.
      let before = block.text(block.origin..<max(block.origin, place))
      let start = block.place ?? RowPage.Place(offset: 0, line: 0, isVerbatim: true)
      guard start.isVerbatim else { return (start.offset, start.line + 1) }
      return (start.offset + before.count, start.line + 1 + Platform.count(0x0A, in: before.buffer.span))
    }
    return (block.offset + place, block.line + 1 + feeds(block, before: place))
  }

  /// Line feeds before a position; counted from the last one, because a broken block has many rejects.
  private mutating func feeds(_ block: Block, before place: Int) -> Int {
    if place < counted.place { counted = (0, 0) }
    let text = block.text(counted.place..<place)
    counted = (place, counted.feeds + Platform.count(0x0A, in: text.buffer.span))
    return counted.feeds
  }

  /// Counts a record and notes why it is rejected.
  ///
  /// - Parameter id: the row's own id.
  mutating func reject(_ fault: RecordFault, at range: Range<Int>, in block: Block, id: String? = nil) {
    counts.read += 1
    counts.rejected += 1
    counts.reasons[fault.code, default: 0] += 1
    if fault.stage == .json || fault.stage == .source { counts.unreadBytes += range.count }
    if stops { isStopped = true }
    let start = position(range.lowerBound, in: block).offset
    let (place, line) = position(range.lowerBound + fault.offset, in: block)
    var reject = Reject(
      source: sourceName, record: counts.read, offset: start, faultOffset: place > start ? place : nil,
      length: block.sourceLength(range), line: line, stage: fault.stage, code: fault.code, path: fault.path,
      message: fault.message, id: id, input: [])
    // Text that is not JSON has no names by which anything in it could be found.
    if fault.stage != .json { reject.subject = subjects.subject(of: block.text(range).buffer.span) }
    if let keeping { keep(range, of: block, by: keeping, in: &reject) }
    rejects.append(reject)
  }

  private func keep(_ range: Range<Int>, of block: Block, by keeping: RejectKeeping, in reject: inout Reject) {
    let source = block.sourceText(range)
    reject.sha256 = block.holdsSource ? SHA256Stream.hexadecimal(of: source) : block.digest
    if keeping.keepsRaw {
      let row = block.databaseRow.map { RawRow.line($0, block.text($0.body)) }
      reject.raw = Reject.RawText(header: block.header, record: row ?? source, form: block.tableForm)
    }
    guard let keeping = keeping.text else { return }
    // Another reading may find something in text that the run could not read; nothing is kept of it.
    let isRead = reject.stage != .json && reject.stage != .source
    let kept = isRead ? keeping.kept(of: block.text(range).buffer.span) : nil
    reject.input = kept?.text ?? []
    let omission: RejectText.Omission? = kept == nil ? .unparsed : kept?.isOutline == true ? .values : nil
    reject.inputOmitted = omission?.rawValue
  }
}

/// What rejects keep of their records.
struct RejectKeeping {
  /// Decides what is kept; `nil`: nothing.
  var text: RejectText?
  /// The record as its source has it, for a file of raw rejects.
  var keepsRaw = false
}

extension ConvertOptions {
  var rejectKeeping: RejectKeeping? {
    guard keepsRejects || keepsRawRejects else { return nil }
    return RejectKeeping(text: keepsRejects ? RejectText(self) : nil, keepsRaw: keepsRawRejects)
  }
}
