package import SlipcastSystem

/// Pieces of temporary files, each compressed by itself, as fast as zstd can.
package enum PackedBytes {
  private static let path = "temporary file"

  /// - Throws: `FileError` when memory is exhausted.
  package static func pack(_ bytes: [UInt8]) throws(FileError) -> [UInt8] {
    guard let compressor = Compressor(.zst, path: path, isFast: true) else { return bytes }
    try compressor.add(bytes.span)
    try compressor.endFrame()
    return compressor.output
  }

  /// - Parameter count: how many bytes were packed.
  /// - Throws: `FileError` for other bytes than those that `pack` returned.
  package static func unpack(_ packed: [UInt8], to count: Int) throws(FileError) -> [UInt8] {
    let archive = try Archive(MemoryBytes(packed), path: path, kind: .filter, format: "zstd")
    var bytes: [UInt8] = []
    if try archive.nextContent() {
      while bytes.count < count, try bytes.append(count - bytes.count, from: archive) > 0 {}
    }
    guard bytes.count == count else {
      throw FileError(path: path, doing: "decompress", reason: "it ends too early; run the command again")
    }
    return bytes
  }
}
