@_spi(Slipcast) internal import SlipcastWire

/// The counts and rejects of one block, with record numbers still counted from the block's start.
struct BlockBook {
  /// The run ends with the first reject.
  private let stops: Bool
  /// The text of rejects is kept.
  private let keepsInput: Bool
  private(set) var sourceName = ""
  /// The source's index in the list of sources.
  private(set) var sourcePlace = 0
  var counts = RunCounts()
  private(set) var rejects = RejectList()
  /// The run must end here.
  private(set) var isStopped = false
  private var counted = (place: 0, feeds: 0)

  init(stops: Bool = false, keepsInput: Bool = false) { (self.stops, self.keepsInput) = (stops, keepsInput) }

  mutating func begin(_ block: Block, source: String) {
    (sourceName, sourcePlace) = (source, block.source)
    (counts, isStopped, counted) = (RunCounts(), false, (0, 0))
    counts.bytes = block.consumed
    counts.unreadBytes = block.passedOver
    counts.skippedLines = block.skippedLines
    rejects.removeAll()
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
  /// - Parameters:
  ///   - id: the row's own id.
  ///   - text: the record in its original form, when the block contains another one.
  mutating func reject(
    _ fault: RecordFault, at range: Range<Int>, in block: Block, id: String? = nil,
    text: JSONText? = nil
  ) {
    counts.read += 1
    counts.rejected += 1
    if fault.stage == .json { counts.unreadBytes += range.count }
    if stops { isStopped = true }
    let (offset, line) = position(range.lowerBound + fault.offset, in: block)
    let text = text ?? block.text(range)
    let isKept = keepsInput && block.omission == nil
    let (input, omission) = isKept ? SecretFilter.filter(text.buffer.span) : ([], keepsInput ? block.omission : nil)
    let isDamaged = fault.stage == .json || fault.stage == .row
    let path = FragmentSecret.removeDigits(from: Array(fault.path.utf8))
    rejects.append(
      Reject(
        source: sourceName, record: counts.read, offset: offset, line: line, stage: fault.stage, code: fault.code,
        path: SecretFilter.words(String(decoding: path, as: UTF8.self)), message: fault.message, id: id,
        input: isDamaged ? FragmentSecret.removeDigits(from: input) : input,
        inputOmitted: omission?.rawValue))
  }
}
