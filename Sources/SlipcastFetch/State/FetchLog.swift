internal import SlipcastBulk
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

  /// Starts an empty log.
  ///
  /// - Throws: `BulkError`.
  init(_ path: String?) throws(BulkError) {
    self.path = path
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
  /// - Parameter use: gets the whole events; an incomplete last one is cut off.
  init(_ path: String, resuming use: (FetchEvent, Place) -> Void) throws(BulkError) {
    self.path = path
    reading = try Platform.open(path)
    end = try Self.replay(reading, Platform.size(path) ?? 0, use)
    writing = try Platform.reopen(path, at: end)
  }

  deinit {
    Platform.close(writing)
    if reading != writing { Platform.close(reading) }
  }

  /// Adds an event.
  func append(_ event: FetchEvent, _ lines: [UInt8]) throws(BulkError) -> Place {
    let head = event.json(count: lines.count)
    let place = Place(offset: end + head.count, count: lines.count)
    let bytes = head + lines
    var failure: BulkError?
    bytes.withUnsafeBufferPointer { buffer in
      do throws(BulkError) { try Platform.write(writing, buffer, path: path ?? "temporary file") } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    end += bytes.count
    return place
  }

  func read(_ place: Place) throws(BulkError) -> [UInt8] {
    try Platform.read(reading, at: place.offset, count: place.count)
  }

  /// Starts a new file that holds only some of the events.
  ///
  /// - Returns: where their lines are now.
  func keep(_ events: [(event: FetchEvent, place: Place?)]) throws(BulkError) -> [Place] {
    let part = path.map { FileOutput.partName($0) }
    let next = try FetchLog(part)
    var places: [Place] = []
    for (event, place) in events {
      var lines: [UInt8] = []
      if let place { lines = try read(place) }
      places.append(try next.append(event, lines))
    }
    if let path, let part { try Platform.rename(part, to: path) }
    swap(&writing, &next.writing)
    swap(&reading, &next.reading)
    end = next.end
    return places
  }

  private static func replay(
    _ file: Int32, _ size: Int, _ use: (FetchEvent, Place) -> Void
  ) throws(BulkError) -> Int {
    let reader = JSONReader(names: [], limits: JSONLimits(recordBytes: 256 << 20))
    var (end, window) = (0, [UInt8]())
    while end < size {
      var feed = window.firstIndex(of: 0x0A)
      while feed == nil, end + window.count < size {
        let more = try Platform.read(file, at: end + window.count, count: min(4096, size - end - window.count))
        feed = more.firstIndex(of: 0x0A).map { $0 + window.count }
        window += more
      }
      guard let feed else { break }
      let buffer = JSONBuffer(window[..<feed])
      guard let tape = try? reader.read(buffer.base, count: buffer.count),
        let (event, count) = FetchEvent.read(JSONElement(tape: tape)), end + feed + 1 + count <= size
      else { break }
      use(event, Place(offset: end + feed + 1, count: count))
      end += feed + 1 + count
      window = feed + 1 + count < window.count ? Array(window[(feed + 1 + count)...]) : []
    }
    return end
  }
}
