// Unsafe on purpose: reads ids as the bytes that they are.

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
    let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    defer { piece.deallocate() }
    var (held, left) = (0, state.bytes)
    while left > 0 {
      let got = try stream.read(into: piece + held, count: min(left, size - held))
      if got == 0 { break }
      left -= got
      held += got
      var at = 0
      while at + 20 <= held {
        let content = UnsafeRawPointer(piece + at + 16).loadUnaligned(as: UInt32.self)
        _ = insert(ID(UnsafeRawPointer(piece + at)), content: UInt32(bigEndian: content))
        at += 20
      }
      piece.update(from: piece + at, count: held - at)
      held -= at
    }
  }
}

extension KnownIDs.ID {
  fileprivate init(_ bytes: UnsafeRawPointer) {
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  func write(to bytes: inout [UInt8], content: UInt32) {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: content.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
