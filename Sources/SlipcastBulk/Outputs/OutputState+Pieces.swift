internal import SlipcastWire

extension OutputState {
  /// Reads the final part of a file of entries, piece by piece; an incomplete last entry is left out.
  ///
  /// - Parameters:
  ///   - size: bytes of an entry.
  ///   - use: takes whole entries.
  /// - Throws: `BulkError` when it cannot be read, and errors of `use`.
  func forEachPiece(entryBytes size: Int, _ use: (ArraySlice<UInt8>) throws -> Void) throws {
    let part = FileOutput.partName(path)
    let stream = try FileBytes(InputFile(path: Platform.kind(part) == .file ? part : path))
    var (piece, left): ([UInt8], Int) = ([], bytes)
    while left > 0 {
      let got = try piece.append(min(left, (64 << 10) - piece.count), from: stream)
      if got == 0 { break }
      left -= got
      let whole = piece.count - piece.count % size
      try use(piece[..<whole])
      piece.removeFirst(whole)
    }
  }
}
