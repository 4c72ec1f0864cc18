internal import SlipcastWire

/// The file of ids for a resumed run: 16 bytes per id, first byte first, and 4 bytes of content.
extension KnownIDs {
  /// Restores the ids that an earlier run had written.
  ///
  /// - Parameter state: the final part of the file.
  /// - Throws: `BulkError` when it cannot be read.
  package mutating func recall(_ state: OutputState) throws {
    let part = FileOutput.partName(state.path)
    let stream = try FileBytes(InputFile(path: Platform.kind(part) == .file ? part : state.path))
    let size = 64 << 10
    var (piece, left): ([UInt8], Int) = ([], state.bytes)
    while left > 0 {
      let got = try piece.append(min(left, size - piece.count), from: stream)
      if got == 0 { break }
      left -= got
      let whole = piece.count - piece.count % Self.entryBytes
      for at in stride(from: 0, to: whole, by: Self.entryBytes) {
        let entry = piece.span
        let id = ID(high: UInt64(bigEndian: entry.word(at)), low: UInt64(bigEndian: entry.word(at + 8)))
        // The last eight bytes of the entry, the second half of which is the content.
        _ = insert(id, content: UInt32(truncatingIfNeeded: UInt64(bigEndian: entry.word(at + 12))))
      }
      piece.removeFirst(whole)
    }
  }

  private static let entryBytes = 20
}

extension KnownIDs.ID {
  func write(to bytes: inout [UInt8], content: UInt32) {
    bytes.append(bytesOf: high.bigEndian)
    bytes.append(bytesOf: low.bigEndian)
    bytes.append(bytesOf: content.bigEndian)
  }
}
