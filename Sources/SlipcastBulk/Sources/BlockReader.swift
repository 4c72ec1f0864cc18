internal import SlipcastDigest
import SlipcastSystem
internal import SlipcastWire

/// Cuts one source into blocks of whole records, in constant memory.
///
/// A text that starts with `[` is an array of records; anything else is a sequence of JSON texts and text records. Such
/// a sequence is cut at a line feed before a `{`, where a record starts both in NDJSON and in pretty-printed documents,
/// and before a text record; without such a line feed, at `}{`. A binary app receipt is one record.
final class BlockReader: BlockSource {
  private let stream: HeadedBytes
  private let path: String
  private let limit: Int
  private let source: Int
  private let readsAnyBinary: Bool
  /// Blocks are filled to the full even if that means waiting, so that their cuts depend on the text alone.
  private let waits: Bool
  private var rest: [UInt8] = []
  /// The number of consumed bytes of the rest.
  private var taken = 0
  private var offset = 0
  private var line = 0
  private var isStreamAtEnd = false
  private var isFirst = true
  private var array: ArrayScanner?
  private var isReceipt = false
  /// The damage has been reported: the source has ended.
  private var isOver = false
  /// The fault of the source, to be reported after its last whole part.
  private var damage: String?
  /// Why none of the source can be read, where its first bytes show it.
  private let refusal: String?
  /// The digest of a source of which nothing was read.
  private var digestOfRefused: String?

  /// The current block reaches to the end of the source.
  private var isAtEnd = false
  private var skipping = ReaderState.Skipping.nothing
  /// Lines of a record have at least this number of bytes on average.
  ///
  /// Text with more lines than the limit allows is not a record, and each of its lines may become a reject, which takes
  /// a hundred times the memory of a line.
  private static let bytesOfLine = 16
  var remainder: Int { offset - accounted }
  private var accounted = 0
  /// Bytes since the last block that belong to no record and no reject's text.
  private(set) var passedOver = 0

  init(
    _ member: SourceMembers.Member, source: Int, limit: Int, readsAnyBinary: Bool = false, waits: Bool = false
  ) {
    (stream, path, refusal) = (member.bytes, member.name, member.refusal)
    self.readsAnyBinary = readsAnyBinary
    self.source = source
    self.limit = limit
    self.waits = waits
  }

  func fill(_ block: Block) throws(FileError) -> Bool {
    guard !isOver, try cutNext(block) || tellDamage(block) else { return false }
    block.consumed = offset - accounted
    (block.passedOver, passedOver) = (passedOver, 0)
    accounted = offset
    return true
  }

  private func cutNext(_ block: Block) throws(FileError) -> Bool {
    block.clear()
    (block.source, block.offset, block.line) = (source, offset, line)
    isAtEnd = false
    while true {
      if !isAtEnd { try readMore(block) }
      if isFirst {
        guard isAtEnd || block.count >= SourceHead.size, try begin(block) else { continue }
      }
      if block.count == 0, isAtEnd { return endOfArray(block) }
      skip(block)
      if isSkipping, !isAtEnd { continue }
      if block.count == 0, isAtEnd { return false }
      if array != nil {
        if cutItems(block) { return true }
      } else if isReceipt {
        if cutReceipt(block) { return true }
      } else if cutLines(block) {
        return true
      }
      if isAtEnd, block.count == 0 { return endOfArray(block) }
    }
  }

  /// An array without its end is reported, even when its last item was complete.
  private func endOfArray(_ block: Block) -> Bool {
    guard array != nil else { return false }
    array = nil
    block.form = .items([])
    block.isUnclosed = true
    return true
  }

  /// The start of the next block, and the state that is needed to cut it.
  var state: ReaderState {
    ReaderState(offset: offset, line: line, isFirst: isFirst, isOver: isOver, skipping: skipping, array: array)
  }

  func resume(at state: ReaderState) throws(FileError) {
    isOver = state.isOver
    if isOver { try passDamage() } else { try stream.skip(to: state.offset, path: path) }
    (offset, line, accounted) = (state.offset, state.line, state.offset)
    (isFirst, skipping, array) = (state.isFirst, state.skipping, state.array)
  }

  /// Reads up to the damage again, so that an archive around the source is at the same position.
  private func passDamage() throws(FileError) {
    let block = Block()
    while !isStreamAtEnd {
      block.count = 0
      _ = try readStream(block, upTo: block.capacity)
    }
  }

  /// Damage is the last thing that is reported about a source.
  private func tellDamage(_ block: Block) -> Bool {
    guard let damage else { return false }
    self.damage = nil
    isOver = true
    block.form = .damaged(damage)
    block.digest = digestOfRefused
    return true
  }

  /// Reads more; the amount depends only on the content of the block, so that a resumed run cuts like the first one.
  private func readMore(_ block: Block) throws(FileError) {
    // A long record is searched again after each reading: the reading must grow with its length, and be complete.
    let share = min(block.count / 2, max(limit - block.count, 0))
    let wanted = max(Block.size, block.count + max(share, Block.size / 2))
    block.reserve(wanted)
    takeRest(block, upTo: wanted)
    while !isStreamAtEnd, block.count < wanted {
      let got = try readStream(block, upTo: wanted)
      if got > 0, !waits, block.count <= Block.size { break }
    }
    // A full block may be the last one: the next reading decides, as in a run that is resumed from here.
    isAtEnd = isStreamAtEnd && taken == rest.count && block.count < wanted
  }

  private func takeRest(_ block: Block, upTo wanted: Int) {
    let part = min(rest.count - taken, wanted - block.count)
    guard part > 0 else { return }
    let held = rest
    block.append(held.span.extracting(taken..<taken + part))
    taken += part
    if taken == rest.count {
      rest.removeAll(keepingCapacity: true)
      taken = 0
    }
  }

  private func readStream(_ block: Block, upTo wanted: Int) throws(FileError) -> Int {
    do throws(FileError) {
      let got = try block.read(from: stream, upTo: wanted)
      if got == 0 { isStreamAtEnd = true }
      return got
    } catch {
      // An error of the system ends the run; damage ends the source, and what was read of it counts.
      guard error.number == 0 else { throw error }
      (isStreamAtEnd, damage) = (true, error.reason)
      return 0
    }
  }

  /// A byte order mark is not part of the text; a leading bracket makes the source an array.
  ///
  /// - Returns: false when more text is needed to decide.
  private func begin(_ block: Block) throws(FileError) -> Bool {
    isFirst = false
    if offset == 0, let reason = refusal ?? SourceHead.foreignEncoding(block.whole) {
      try refuseText(block, reason)
      return true
    }
    dropMark(of: block)
    isReceipt =
      offset == 0
      && (SourceHead.isReceipt(block.whole.span) || readsAnyBinary && SourceHead.isBinary(block.whole.span))
    guard let start = block.whole.firstIndex(where: { !$0.isBlank }) else {
      isFirst = !isAtEnd
      return true
    }
    if block[start] == ArrayGrammar.array, !SourceHead.isLogLine(block.whole.span.extracting(start...)) {
      array = ArrayScanner(at: start)
    } else if !isReceipt {
      switch ItemLookahead(isAtEnd: isAtEnd).opening(block.whole.span, from: start, limit: limit) {
      case .records: break
      case .items(let place, let isOpen):
        array = ArrayScanner(at: place, isOpen: isOpen)
        block.beforeArray = start..<place
      case .unknown:
        isFirst = true
        return false
      }
    }
    return true
  }

  /// None of the text can be read; all of it is dropped, and the reason is reported as damage.
  private func refuseText(_ block: Block, _ reason: String) throws(FileError) {
    let hash = SHA256Stream()
    repeat {
      hash.add(block.whole.span)
      advance(over: block.whole.span)
      passedOver += block.count
      block.count = 0
    } while try readStream(block, upTo: block.capacity) > 0
    (damage, digestOfRefused) = (reason, hash.hexadecimal)
    isAtEnd = true
    rest.removeAll()
    taken = 0
  }

  /// Files that begin with a mark may have been joined: after a closed array, blanks stand before it.
  private func dropMark(of block: Block) {
    let blanks = block.whole.prefix { $0.isBlank }.count
    let mark = ByteOrderMark.count(in: block.whole.span.extracting(blanks...))
    if mark > 0 { drop(blanks + mark, of: block) }
  }

  private func drop(_ count: Int, of block: Block) {
    advance(over: block.whole.span.extracting(..<count))
    block.removeFirst(count)
    (block.offset, block.line) = (offset, line)
  }

  private func advance(over text: Span<UInt8>) {
    offset += text.count
    var from = 0
    while let feed = Platform.find(0x0A, in: text, from: from) {
      line += 1
      from = feed + 1
    }
  }

  /// Ends the block at a position and keeps the rest for the next one.
  private func cut(_ block: Block, at end: Int) {
    putBack(Array(block.whole[end...]))
    block.count = end
    advance(over: block.whole.span)
  }

  /// The bytes that are put back precede the unread rest.
  private func putBack(_ bytes: [UInt8]) {
    if taken == rest.count {
      rest = bytes
      taken = 0
    } else if taken >= bytes.count {
      taken -= bytes.count
      rest.replaceSubrange(taken..<taken + bytes.count, with: bytes)
    } else {
      rest.replaceSubrange(0..<taken, with: bytes)
      taken = 0
    }
  }

  // MARK: lines

  private func cutLines(_ block: Block) -> Bool {
    if isAtEnd {
      cut(block, at: block.count)
      return true
    }
    if let end = block.lastRecordStart ?? block.lastJoinedStart {
      cut(block, at: end)
      return true
    }
    if block.count <= limit, block.feeds <= limit / Self.bytesOfLine { return false }
    // No record starts in all that text: drop whole lines where there are any, otherwise the one line.
    guard let feed = block.lastFeed(before: block.count) else {
      giveUp(block, at: block.count - block.joinedTail, skipping: .line)
      return true
    }
    if let width = block.widthOfOpenText {
      giveUp(block, at: feed + 1, skipping: .wrappedText(width: width))
    } else {
      cut(block, at: feed + 1)
    }
    return true
  }

  /// The record is too long; its text so far is dropped, and the rest is skipped.
  private func giveUp(_ block: Block, at end: Int, skipping: ReaderState.Skipping) {
    cut(block, at: end)
    passedOver += block.count
    block.count = 0
    block.form = .oversized
    self.skipping = skipping
  }

  /// The whole source is the record.
  private func cutReceipt(_ block: Block) -> Bool {
    guard block.count > limit || isAtEnd else { return false }
    isReceipt = false
    if block.count > limit {
      giveUp(block, at: block.count, skipping: .source)
    } else {
      block.form = .receipt
      cut(block, at: block.count)
    }
    return true
  }

  // MARK: skipping

  private var isSkipping: Bool { if case .nothing = skipping { false } else { true } }

  private func skip(_ block: Block) {
    switch skipping {
    case .nothing: break
    case .source: passOver(block.count, of: block)
    case .line:
      let feed = block.find(0x0A, from: 0, to: block.count)
      let next = block.firstJoinedStart(before: feed ?? block.count) ?? feed.map { $0 + 1 }
      if next != nil { skipping = .nothing }
      passOver(next ?? block.count - (isAtEnd ? 0 : block.joinedTail), of: block)
    case .wrappedText(let width): skipText(block, width)
    }
  }

  /// Skips lines of a wrapped text, including its last and shorter one.
  private func skipText(_ block: Block, _ width: Int) {
    var at = 0
    while at < block.count, isSkipping {
      let stop = block.endOfLine(at)
      let line = block.trimmed(at..<stop)
      // An incomplete line; one that is already too long does not belong to the text.
      if stop == block.count, !isAtEnd, line.count <= width { break }
      let goesOn = block.isWrapped(line, width: width)
      if !goesOn || line.count < width || block.isPadded(line) { skipping = .nothing }
      if goesOn { at = min(stop + 1, block.count) }
    }
    passOver(at, of: block)
  }

  private func passOver(_ count: Int, of block: Block) {
    passedOver += count
    drop(count, of: block)
  }

  // MARK: array

  private func cutItems(_ block: Block) -> Bool {
    guard var scanner = array else { return false }
    var items: [Range<Int>] = []
    let wasSkipping = scanner.isSkipping
    let result = scanner.scan(block.whole.span, isAtEnd: isAtEnd, limit: limit, items: &items)
    array = scanner
    if wasSkipping { passedOver += items.first?.lowerBound ?? result.end ?? 0 }
    switch result {
    case .needsMore: return false
    case .items(let end):
      block.form = .items(items)
      cut(block, at: end)
      array?.moved(by: end)
      return true
    case .oversized:
      advance(over: block.whole.span)
      array?.moved(by: block.count)
      passedOver += block.count
      block.count = 0
      block.form = .oversized
      return true
    case .closed(let end):
      array = nil
      isFirst = true
      if items.isEmpty {
        drop(end, of: block)
        return false
      }
      block.form = .items(items)
      cut(block, at: end)
      return true
    case .unclosed:
      array = nil
      block.form = .items(items)
      block.isUnclosed = true
      cut(block, at: block.count)
      return true
    }
  }
}
