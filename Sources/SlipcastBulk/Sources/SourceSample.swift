import SlipcastSystem

/// The beginning of a source, to find out what it is: a stream that can be read only once is held in memory.
package struct SourceSample: Sendable {
  /// The most bytes that are read of the source, and of each text that is compressed or archived in it.
  package let bytes: Int
  /// The first bytes of a stream.
  let held: [UInt8]?

  package static let usual = 8 << 20

  /// What was read of a stream.
  init(held: [UInt8]) { (bytes, self.held) = (max(Self.usual, held.count), held) }

  /// - Throws: `FileError` for a source that cannot be read.
  package init(of file: InputFile, bytes: Int = usual) throws(FileError) {
    self.bytes = bytes
    guard file.isStream else {
      held = nil
      return
    }
    var start: [UInt8] = []
    try FileBytes(file).forEachPiece(upTo: bytes) { start += $0 }
    held = start
  }
}
