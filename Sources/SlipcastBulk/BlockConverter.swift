// Unsafe on purpose: texts are handed to simdjson in place. Each text lies inside a block, with its padding behind it.
@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastMapping
internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// Converts one block after another; one converter serves one worker.
final class BlockConverter {
  private let options: ConvertOptions
  private let reader: JSONReader
  private let rows: RowReader
  private let legacy: LegacyReader
  private let caster: Caster
  private let signer: OutputSigner?
  let output = JSONWriter(capacity: Block.size)
  let provenance = JSONWriter(capacity: 4096)
  // Unchecked exclusivity: a converter serves one worker and never calls back into itself.
  @exclusivity(unchecked) var result = BlockResult()
  private(set) var sourceName = ""
  private var counted = (place: 0, feeds: 0)
  /// How far records over several lines have been looked for in this block.
  private var searched = 0
  /// Bytes that may still be looked at ahead of broken lines in this block; spent, each stands for itself.
  private var lookahead = 0

  init(mould: Caster.Mould, options: ConvertOptions) {
    self.options = options
    let limits = JSONLimits(depth: options.depth, recordBytes: options.recordBytes)
    reader = JSONReader(names: LegacyKey.names, limits: limits)
    rows = RowReader(options: options, limits: limits)
    legacy = LegacyReader()
    caster = Caster(mould: mould, options: options.cast, record: legacy.record)
    signer = options.identity.map(OutputSigner.init)
  }

  func convert(_ block: Block, source: String) {
    sourceName = source
    (counted, searched) = ((0, 0), 0)
    lookahead = 65_536 + 8 * block.count
    result.clear()
    result.counts.bytes = block.consumed
    output.clear()
    provenance.clear()
    switch block.form {
    case .lines: convertLines(block)
    case .items(let items):
      for item in items where !result.isStopped { convertItem(block, item) }
      // An item that was cut off has told it already.
      if block.isUnclosed, !result.isStopped, result.rejects.lastRecord != result.counts.read || items.isEmpty {
        reject(
          block, block.count..<block.count, .json, "incomplete", "", block.count,
          "the array has no closing bracket; the file may have been cut off")
      }
    case .compressed(let name):
      let message = "expected JSON text, found \(name) data; decompress it on the way in, for example with a pipe"
      reject(block, 0..<0, .json, "compressed", "", 0, message)
    case .oversized:
      let limit = options.recordBytes
      let error = JSONError(reason: .recordTooLarge(limit: limit), path: JSONPath(), offset: 0)
      reject(block, 0..<0, .json, error.code, "", 0, error.description)
    }
  }

  private func convertItem(_ block: Block, _ item: Range<Int>) {
    do throws(JSONError) {
      let tape = try read(block, item)
      convert(block, item, tape)
    } catch {
      reject(block, item, error)
    }
  }

  private func read(_ block: Block, _ range: Range<Int>) throws(JSONError) -> JSONTape {
    rows.begin()
    return try reader.read(UnsafePointer(block.memory + range.lowerBound), count: range.count)
  }

  // MARK: lines

  private func convertLines(_ block: Block) {
    var at = 0
    while at < block.count, !result.isStopped {
      let end = block.endOfLine(at)
      let line = block.trimmed(at..<end)
      if line.isEmpty {
        at = end + 1
        continue
      }
      do throws(JSONError) {
        convert(block, line, try read(block, line))
        at = end + 1
      } catch {
        at = convertBroken(block, line, end, error)
      }
    }
  }

  /// A line that is no whole record may begin a pretty-printed one; gives the place to go on.
  private func convertBroken(_ block: Block, _ line: Range<Int>, _ end: Int, _ error: JSONError) -> Int {
    if let next = convertSpread(block, line, end) { return next }
    // Ruined text may have an open bracket on every line: looking to its end from each takes the square of its length.
    guard lookahead > 0 else {
      reject(block, line, error)
      return end + 1
    }
    let extent = RecordExtent(block, from: line.lowerBound, .byLayout)
    guard extent.end > end + 1 else {
      reject(block, line, error)
      return end + 1
    }
    lookahead -= extent.end - end
    let whole = block.trimmed(line.lowerBound..<extent.end)
    do throws(JSONError) {
      convert(block, whole, try read(block, whole))
      lookahead += extent.end - end
      return extent.end
    } catch let wholeError {
      // A line that was cut off swallows what follows: it ends where a line is a record by itself.
      let next = line.count > 1 ? firstWholeLine(block, after: end, before: extent.end) ?? extent.end : extent.end
      lookahead += next - end
      reject(block, block.trimmed(line.lowerBound..<next), next == extent.end ? wholeError : error)
      return next
    }
  }

  /// Converts a record that spreads over several lines, when it is whole; gives the place behind it.
  ///
  /// What one such search has passed is not searched again: ruined text may have an open bracket on every line.
  private func convertSpread(_ block: Block, _ line: Range<Int>, _ end: Int) -> Int? {
    guard line.lowerBound >= searched else { return nil }
    let extent = RecordExtent(block, from: line.lowerBound, .byGrammar)
    searched = extent.end
    guard extent.isWhole, extent.end > end + 1 else { return nil }
    let whole = block.trimmed(line.lowerBound..<extent.end)
    guard let tape = try? read(block, whole) else { return nil }
    convert(block, whole, tape)
    return extent.end
  }

  private func firstWholeLine(_ block: Block, after end: Int, before limit: Int) -> Int? {
    var at = end + 1
    while at < limit {
      let stop = block.endOfLine(at)
      let line = block.trimmed(at..<stop)
      if !line.isEmpty, block.memory[line.lowerBound] == UInt8(ascii: "{"), (try? read(block, line)) != nil {
        return at
      }
      at = stop + 1
    }
    return nil
  }

  // MARK: one record

  private func convert(_ block: Block, _ range: Range<Int>, _ tape: JSONTape) {
    let start = output.count
    do {
      let row = try rows.resolve(tape)
      try legacy.read(row.tape, root: row.root)
      caster.prepare(row.delivery)
      let account = try caster.cast(
        into: options.emission, plain: options.isPlain || signer != nil, wantsAccount: options.keepsProvenance,
        to: signer?.begin() ?? output)
      try signer?.sign(asOf: caster.asOf, to: output)
      if let account { note(account, row) }
      output.byte(0x0A)
      result.counts.read += 1
      result.counts.converted += 1
      if caster.isAmbiguous { result.counts.ambiguous += 1 }
      if caster.isAbsorbed { result.counts.absorbed += 1 }
      caster.count(into: &result.counts.findings)
    } catch let error as LegacyError {
      output.truncate(to: start)
      reject(
        block, range, .legacy, error.code, rows.prefix + error.path.description, rows.outerOffset ?? error.offset,
        error.description)
    } catch let error as RowError {
      output.truncate(to: start)
      reject(block, range, .row, error.code, error.path, error.offset, error.description)
    } catch let error as CastError {
      output.truncate(to: start)
      reject(
        block, range, .cast, error.code, error.path.description, rows.outerOffset ?? error.offset, error.description)
    } catch let error as SigningError {
      output.truncate(to: start)
      reject(block, range, .sign, error.code, error.path.description, 0, error.description)
    } catch {
      output.truncate(to: start)
      reject(block, range, .cast, "unexpected", "", 0, "\(error)")
    }
  }

  private func note(_ account: Account, _ row: RowReader.Row) {
    let start = provenance.count
    provenance.byte(UInt8(ascii: ","))
    if let id = row.id { provenance.member("id", id) }
    account.writeMembers(to: provenance)
    provenance.raw("}\n")
    result.provenanceLines.append(BlockResult.Line(record: result.counts.read + 1, bytes: start..<provenance.count))
  }

  // MARK: rejects

  /// Line feeds before a place; counted on from the last reject, because a ruined block has many.
  private func feeds(_ block: Block, before place: Int) -> Int {
    if place < counted.place { counted = (0, 0) }
    let text = UnsafeBufferPointer(start: block.memory + counted.place, count: place - counted.place)
    counted = (place, counted.feeds + text.count { $0 == 0x0A })
    return counted.feeds
  }

  private func reject(_ block: Block, _ range: Range<Int>, _ error: JSONError) {
    reject(block, range, .json, error.code, error.path.description, error.offset, error.description)
  }

  private func reject(
    _ block: Block, _ range: Range<Int>, _ stage: Reject.Stage, _ code: String, _ path: String, _ offset: Int,
    _ message: String
  ) {
    result.counts.read += 1
    result.counts.rejected += 1
    if options.onError == .stop { result.isStopped = true }
    let place = max(0, min(range.lowerBound + offset, block.count))
    let text = rows.input?.buffer ?? UnsafeBufferPointer(start: block.memory + range.lowerBound, count: range.count)
    result.rejects.append(
      Reject(
        source: sourceName, record: result.counts.read, offset: block.offset + place,
        line: block.line + 1 + feeds(block, before: place), stage: stage, code: code, path: path, message: message,
        id: rows.id, input: options.keepsRejects ? Redaction.redact(text) : []))
  }
}
