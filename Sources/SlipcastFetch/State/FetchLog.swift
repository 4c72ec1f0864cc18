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
    end = try Self.replay(path, use)
    writing = try Platform.reopen(path, at: end)
  }

  deinit {
    Platform.close(writing)
    if reading != writing { Platform.close(reading) }
  }

  /// Adds the events of one response; after a kill, all of them count or none.
  ///
  /// - Returns: where their lines are.
  func append(_ events: [FetchEvent.Noted]) throws(BulkError) -> [Place] {
    var (bytes, places) = ([UInt8](), [Place]())
    for (number, noted) in events.enumerated() {
      bytes += noted.event.json(count: noted.lines.count, isFollowed: number < events.count - 1)
      places.append(Place(offset: end + bytes.count, count: noted.lines.count))
      bytes += noted.lines
    }
    try Platform.write(writing, bytes.span, path: path ?? "temporary file")
    end += bytes.count
    return places
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
      places += try next.append([(event, lines)])
    }
    if let path, let part { try Platform.rename(part, to: path) }
    swap(&writing, &next.writing)
    swap(&reading, &next.reading)
    end = next.end
    return places
  }

  /// - Returns: the end of the whole events.
  private static func replay(_ path: String, _ use: (FetchEvent, Place) -> Void) throws(BulkError) -> Int {
    let reader = JSONReader(names: [], limits: JSONLimits(recordBytes: 256 << 20))
    var window = try TextWindow(InputFile(path: path))
    var (held, end) = ([(FetchEvent, Place)](), 0)
    while let line = try window.nextWholeLine(),
      let (event, count, isFollowed) = reader.parse(JSONBuffer(window.text[line]), FetchEvent.read)
    {
      held.append((event, Place(offset: window.position, count: count)))
      guard try window.skip(to: window.position + count) else { break }
      if isFollowed { continue }
      for (event, place) in held { use(event, place) }
      (held, end) = ([], window.position)
    }
    return end
  }
}
