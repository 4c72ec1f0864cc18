// Unsafe on purpose: texts are handed to simdjson in place. Each text lies inside a block, with its padding behind it.
@_spi(Slipcast) internal import SlipcastWire

/// What takes the records of a block, one call a record, in their order.
protocol RecordHandler: AnyObject {
  /// No further record is wanted.
  var isStopped: Bool { get }
  /// The last record was refused, by the walker or by the handler itself.
  var hasRejectedLast: Bool { get }
  /// A record that is JSON; the tape is gone with the next record.
  func take(_ tape: JSONTape, at range: Range<Int>, in block: Block)
  /// A place where a record should be, and none can be read.
  func refuse(_ fault: RecordFault, at range: Range<Int>, in block: Block)
}

/// Why a record cannot be taken.
struct RecordFault {
  var stage: Reject.Stage
  var code: String
  /// The value at fault; empty for the record itself.
  var path = ""
  /// Bytes behind the record's beginning.
  var offset = 0
  var message: String
}

extension RecordFault {
  init(_ error: JSONError) {
    self.init(
      stage: .json, code: error.code, path: error.path.description, offset: error.offset, message: error.description)
  }
}

/// Finds the records of one block and hands them to their handler.
///
/// Generic, so that the compiler makes one walk for each handler: the calls between the two are per record.
struct RecordWalker<Handler: RecordHandler> {
  private let block: Block
  private let reader: JSONReader
  private let handler: Handler
  /// How far records over several lines have been looked for.
  private var searched = 0
  /// Bytes that may still be looked at ahead of broken lines; spent, each stands for itself.
  private var lookahead: Int

  init(_ block: Block, reader: JSONReader, handler: Handler) {
    (self.block, self.reader, self.handler) = (block, reader, handler)
    lookahead = 65_536 + 8 * block.count
  }

  mutating func walk() {
    switch block.form {
    case .lines: walkLines()
    case .items(let items): walkItems(items)
    case .compressed(let name):
      let message = "expected JSON text, found \(name) data; decompress it on the way in, for example with a pipe"
      handler.refuse(RecordFault(stage: .json, code: "compressed", message: message), at: 0..<0, in: block)
    case .oversized:
      refuse(JSONError(reason: .recordTooLarge(limit: reader.limits.recordBytes)), at: 0..<0)
    }
  }

  private func walkItems(_ items: [Range<Int>]) {
    for item in items where !handler.isStopped {
      do throws(JSONError) {
        handler.take(try read(item), at: item, in: block)
      } catch {
        refuse(error, at: item)
      }
    }
    // An item that was cut off has told it already.
    guard block.isUnclosed, !handler.isStopped, !handler.hasRejectedLast || items.isEmpty else { return }
    let message = "the array has no closing bracket; the file may have been cut off"
    let fault = RecordFault(stage: .json, code: "incomplete", offset: block.count, message: message)
    handler.refuse(fault, at: block.count..<block.count, in: block)
  }

  private func read(_ range: Range<Int>) throws(JSONError) -> JSONTape {
    try reader.read(UnsafePointer(block.memory + range.lowerBound), count: range.count)
  }

  private func refuse(_ error: JSONError, at range: Range<Int>) {
    handler.refuse(RecordFault(error), at: range, in: block)
  }

  // MARK: lines

  private mutating func walkLines() {
    var at = 0
    while at < block.count, !handler.isStopped {
      let end = block.endOfLine(at)
      let line = block.trimmed(at..<end)
      if line.isEmpty {
        at = end + 1
        continue
      }
      do throws(JSONError) {
        handler.take(try read(line), at: line, in: block)
        at = end + 1
      } catch {
        at = walkBroken(line, end, error)
      }
    }
  }

  /// A line that is no whole record may begin a pretty-printed one; gives the place to go on.
  private mutating func walkBroken(_ line: Range<Int>, _ end: Int, _ error: JSONError) -> Int {
    if let next = walkSpread(line, end) { return next }
    // Ruined text may have an open bracket on every line: looking to its end from each takes the square of its length.
    guard lookahead > 0 else {
      refuse(error, at: line)
      return end + 1
    }
    let extent = RecordExtent(block, from: line.lowerBound, .byLayout)
    guard extent.end > end + 1 else {
      refuse(error, at: line)
      return end + 1
    }
    lookahead -= extent.end - end
    let whole = block.trimmed(line.lowerBound..<extent.end)
    do throws(JSONError) {
      handler.take(try read(whole), at: whole, in: block)
      lookahead += extent.end - end
      return extent.end
    } catch let wholeError {
      // A line that was cut off swallows what follows: it ends where a line is a record by itself.
      let next = line.count > 1 ? firstWholeLine(after: end, before: extent.end) ?? extent.end : extent.end
      lookahead += next - end
      refuse(next == extent.end ? wholeError : error, at: block.trimmed(line.lowerBound..<next))
      return next
    }
  }

  /// Takes a record that spreads over several lines, when it is whole; gives the place behind it.
  ///
  /// What one such search has passed is not searched again: ruined text may have an open bracket on every line.
  private mutating func walkSpread(_ line: Range<Int>, _ end: Int) -> Int? {
    guard line.lowerBound >= searched else { return nil }
    let extent = RecordExtent(block, from: line.lowerBound, .byGrammar)
    searched = extent.end
    guard extent.isWhole, extent.end > end + 1 else { return nil }
    let whole = block.trimmed(line.lowerBound..<extent.end)
    guard let tape = try? read(whole) else { return nil }
    handler.take(tape, at: whole, in: block)
    return extent.end
  }

  private func firstWholeLine(after end: Int, before limit: Int) -> Int? {
    var at = end + 1
    while at < limit {
      let stop = block.endOfLine(at)
      let line = block.trimmed(at..<stop)
      if !line.isEmpty, block.memory[line.lowerBound] == UInt8(ascii: "{"), (try? read(line)) != nil { return at }
      at = stop + 1
    }
    return nil
  }
}
