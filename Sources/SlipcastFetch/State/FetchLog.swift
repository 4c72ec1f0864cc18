internal import SlipcastBulk
import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// The events of a run as they happen, with the lines of responses, so that none is requested again.
///
/// Without a checkpoint it is a file without a name.
final class FetchLog {
  /// The lines of an event, in the file.
  struct Place: Sendable {
    var offset: Int
    var count: Int
  }

  /// `nil` for a file without a name.
  let path: String?
  private var writing: Int32
  private var reading: Int32
  private var end = 0
  private let identity: String
  private var chain: LineChain

  /// Starts an empty log.
  ///
  /// - Parameter identity: the run that it belongs to.
  /// - Throws: `FileError`.
  init(_ path: String?, of identity: String) throws(FileError) {
    (self.path, self.identity, chain) = (path, identity, LineChain(identity))
    guard let path else {
      writing = try Platform.unnamedFile()
      reading = writing
      return
    }
    writing = try Platform.create(path)
    reading = try Platform.open(path)
  }

  /// Opens the log of an interrupted run.
  ///
  /// - Parameters:
  ///   - identity: the run that it belongs to.
  ///   - use: gets the whole events; an incomplete last one is cut off.
  /// - Throws: `FileError` for a log that was changed, or is that of another run.
  init(_ path: String, of identity: String, resuming use: (FetchEvent, Place) -> Void) throws(FileError) {
    (self.path, self.identity) = (path, identity)
    let descriptor = try Platform.open(path)
    do throws(FileError) {
      (end, chain) = try Self.replay(path, descriptor, from: LineChain(identity), use)
      writing = try Platform.reopen(path, at: end)
    } catch {
      Platform.close(descriptor)
      throw error
    }
    reading = descriptor
  }

  deinit {
    Platform.close(writing)
    if reading != writing { Platform.close(reading) }
  }

  /// Adds the events of one response; after a kill, all of them count or none.
  ///
  /// - Returns: where their lines are.
  func append(_ events: [FetchEvent.Noted]) throws(FileError) -> [Place] {
    var (bytes, places) = ([UInt8](), [Place]())
    for (number, noted) in events.enumerated() {
      // The closing brace and the line feed follow the checksum.
      let text = noted.event.json(count: noted.lines.count, isFollowed: number < events.count - 1).dropLast(2)
      bytes += text
      bytes += Array("\(Self.sumStart)\(chain.sum(text.span, noted.lines.span))\"}\n".utf8)
      places.append(Place(offset: end + bytes.count, count: noted.lines.count))
      bytes += noted.lines
    }
    try Platform.write(writing, bytes.span, path: path ?? "temporary file")
    end += bytes.count
    return places
  }

  func read(_ place: Place) throws(FileError) -> [UInt8] {
    try Platform.read(reading, at: place.offset, count: place.count)
  }

  /// Starts a new file that holds only some of the events.
  ///
  /// - Returns: where their lines are now.
  func keep(_ events: [(event: FetchEvent, place: Place?)]) throws(FileError) -> [Place] {
    let part = path.map { FileOutput.partName($0) }
    let next = try FetchLog(part, of: identity)
    var places: [Place] = []
    for (event, place) in events {
      var lines: [UInt8] = []
      if let place { lines = try read(place) }
      places += try next.append([(event, lines)])
    }
    if let path, let part { try Platform.rename(part, to: path) }
    swap(&writing, &next.writing)
    swap(&reading, &next.reading)
    (end, chain) = (next.end, next.chain)
    return places
  }

  private static let sumStart = #","sum":""#

  /// - Returns: the end of the whole events, and the checksum there.
  private static func replay(
    _ path: String, _ descriptor: Int32, from start: LineChain, _ use: (FetchEvent, Place) -> Void
  ) throws(FileError) -> (end: Int, chain: LineChain) {
    let reader = JSONReader(names: [], limits: JSONLimits(recordBytes: 256 << 20))
    var window = try TextWindow(InputFile(path: path))
    var held: [(FetchEvent, Place)] = []
    var (end, chain, number, whole) = (0, start, 0, start)
    while let line = try window.nextWholeLine() {
      number += 1
      let text = Array(window.text[line])
      let place = window.position
      let advice = "delete it, and what it holds is requested again"
      guard let (event, count, isFollowed) = reader.parse(JSONBuffer(text), FetchEvent.read) else {
        throw LineChain.damage(path, line: number, advice: advice)
      }
      // A kill may have cut the lines of the last event off.
      guard try window.skip(to: place + count) else { break }
      let sumCount = sumStart.utf8.count + LineChain.digits + 2
      let lines = try Platform.read(descriptor, at: place, count: count)
      let content = text.prefix(max(0, text.count - sumCount))
      let sum = chain.sum(content.span, lines.span)
      guard text.dropFirst(content.count).elementsEqual("\(sumStart)\(sum)\"}".utf8) else {
        throw LineChain.damage(path, line: number, advice: advice)
      }
      held.append((event, Place(offset: place, count: count)))
      if isFollowed { continue }
      for (event, place) in held { use(event, place) }
      (held, end, whole) = ([], window.position, chain)
    }
    return (end, whole)
  }
}
