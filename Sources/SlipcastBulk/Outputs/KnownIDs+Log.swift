internal import SlipcastWire

/// The file of ids for a resumed run: 16 bytes per id, first byte first, and 4 bytes of content.
extension KnownIDs {
  /// Restores the ids that an earlier run had written.
  ///
  /// - Parameter state: the final part of the file.
  /// - Throws: `BulkError` when it cannot be read.
  package mutating func recall(_ state: OutputState) throws {
    try state.forEachPiece(entryBytes: Self.entryBytes) { piece in
      let entries = piece.span
      for at in stride(from: 0, to: entries.count, by: Self.entryBytes) {
        let id = ID(high: UInt64(bigEndian: entries.word(at)), low: UInt64(bigEndian: entries.word(at + 8)))
        // The last eight bytes of the entry, the second half of which is the content.
        _ = insert(id, content: UInt32(truncatingIfNeeded: UInt64(bigEndian: entries.word(at + 12))))
      }
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
