internal import SlipcastBulk
import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// Reads the events of a journal in their order, while another thread appends to it.
final class JournalReader {
  private let folder: JournalFolder
  private let reader: JSONReader
  private var part: JournalFolder.Part?
  private var window: TextWindow?
  /// The number of the next event.
  private(set) var next: Int64

  /// Moves to another event; going forward in the same part costs no second opening.
  ///
  /// - Throws: `FileError` when the folder cannot be read.
  func move(to number: Int64) throws(FileError) {
    let holding = try folder.parts().last { $0.first <= number }
    if number < next || holding != part { (window, part) = (nil, nil) }
    next = number
  }

  /// - Parameter number: the number of the first event that is wanted.
  init(_ folder: JournalFolder, from number: Int64, recordBytes: Int) {
    (self.folder, next) = (folder, number)
    // An escaped body is longer than the body.
    reader = JSONReader(names: [], limits: JSONLimits(recordBytes: recordBytes * 6 + 4096))
  }

  /// The next events, at least one where there are any.
  ///
  /// - Parameter last: the number of the last event that is on disk.
  /// - Throws: `FileError` for a damaged journal.
  func read(through last: Int64, atMost bytes: Int = 1 << 20, records most: Int = 1000) throws(FileError)
    -> [JournalRecord]
  {
    var found: [JournalRecord] = []
    var size = 0
    while next <= last, size < bytes, found.count < most {
      if window == nil { try open() }
      guard let (record, start) = try nextRecord() else {
        // The part ends here; the next one begins with the next number.
        (window, part) = (nil, nil)
        let following = folder.part(next)
        guard Platform.kind(following.path) == .file else {
          throw FileError(path: folder.path, doing: "read", reason: "the journal has no event \(next)")
        }
        continue
      }
      guard let record, record.number <= next else { throw damage(at: start) }
      guard record.number == next else { continue }
      next += 1
      size += record.body.count
      found.append(record)
    }
    return found
  }

  private func open() throws(FileError) {
    guard let part = try folder.parts().last(where: { $0.first <= next }) else {
      throw FileError(path: folder.path, doing: "read", reason: "the journal has no event \(next)")
    }
    try open(part)
  }

  private func open(_ part: JournalFolder.Part) throws(FileError) {
    (self.part, window) = (part, try TextWindow(InputFile(path: part.path)))
  }

  /// The next event of the part, damaged or not; `nil` at its end.
  private func nextRecord() throws(FileError) -> (record: JournalRecord?, start: Int)? {
    let start = window?.position ?? 0
    guard let line = try window?.nextWholeLine(), let text = window?.text else { return nil }
    return (JournalLine.read(text.span.extracting(line), reader), start)
  }

  private func damage(at byte: Int) -> FileError {
    FileError(
      path: part?.path ?? folder.path, doing: "read",
      reason: "the journal is damaged at byte \(byte): the checksum or the number of an event is wrong; "
        + "restore this file from a copy, or move the folder away and begin a new journal")
  }

  // MARK: start of a server

  struct Contents {
    /// The number of its first event; 1 for an empty journal.
    var first: Int64 = 1
    /// The number of its last event; one less than `first` for an empty journal.
    var last: Int64 = 0
    var parts: [Part] = []

    struct Part {
      var part: JournalFolder.Part
      /// How many of its bytes are whole events.
      var bytes = 0
      /// Events that repeat others with other content.
      var differing = 0
      /// The last event has no line feed.
      var isOpen = false
    }
  }

  /// Reads a whole journal and checks it.
  ///
  /// - Parameter use: called with each event.
  /// - Throws: `FileError` for damage anywhere but at the very end, where a write may have been interrupted.
  static func check(
    _ folder: JournalFolder, recordBytes: Int, _ use: (JournalRecord) throws(FileError) -> Void
  ) throws(FileError) -> Contents {
    var contents = Contents()
    let parts = try folder.parts()
    if let first = parts.first { (contents.first, contents.last) = (first.first, first.first - 1) }
    for part in parts {
      let reader = JournalReader(folder, from: contents.last + 1, recordBytes: recordBytes)
      guard part.first == reader.next else {
        throw FileError(
          path: part.path, doing: "read", reason: "the journal lacks the events \(reader.next) to \(part.first - 1)")
      }
      try reader.open(part)
      var found = Contents.Part(part: part)
      func take(_ record: JournalRecord?, at start: Int) throws(FileError) {
        guard let record, record.number == contents.last + 1 else { throw reader.damage(at: start) }
        try use(record)
        contents.last = record.number
        found.differing += record.differs ? 1 : 0
      }
      while let (record, start) = try reader.nextRecord() { try take(record, at: start) }
      found.bytes = reader.window?.position ?? 0
      let rest = reader.rest
      if part == parts.last, let line = try reader.openLine(rest) {
        try take(JournalLine.read(rest.span.extracting(0..<line), reader.reader), at: found.bytes)
        (found.bytes, found.isOpen) = (found.bytes + line, true)
      }
      guard part == parts.last || rest.isEmpty else {
        throw FileError(
          path: part.path, doing: "read",
          reason: "the journal is damaged at byte \(found.bytes): an event is incomplete")
      }
      contents.parts.append(found)
    }
    return contents
  }

  /// What follows the last line feed.
  private var rest: ArraySlice<UInt8> { window?.unused ?? [] }

  /// The length of an intact event at the start of a text that has no line feed; `nil` without one.
  ///
  /// - Throws: `FileError` for an intact event at another place: it must not be cut off with what is before it.
  private func openLine(_ rest: ArraySlice<UInt8>) throws(FileError) -> Int? {
    let intact = JournalLine.intact(in: rest.span)
    guard intact.isEmpty || intact.count == 1 && intact[0].lowerBound == 0 else {
      throw damage(at: window?.position ?? 0)
    }
    return intact.first?.upperBound
  }
}
