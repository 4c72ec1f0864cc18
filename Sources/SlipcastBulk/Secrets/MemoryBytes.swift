// Unsafe on purpose: copies bytes into memory that the reader owns.

/// Bytes in memory, as a stream.
final class MemoryBytes: ByteStream {
  private let bytes: [UInt8]
  private(set) var rawOffset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func read(into memory: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
    let part = min(count, bytes.count - rawOffset)
    bytes.withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { memory.update(from: base + rawOffset, count: part) }
    }
    rawOffset += part
    return part
  }

  /// The content of gzip data; `nil` when it is damaged or becomes too long.
  static func unzipped(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    guard let stream = try? GzipBytes(MemoryBytes(bytes), path: "") else { return nil }
    var plain: [UInt8] = []
    let size = 64 << 10
    var piece = [UInt8](repeating: 0, count: size)
    while true {
      let got = try? piece.withUnsafeMutableBufferPointer { buffer in
        try buffer.baseAddress.map { try stream.read(into: $0, count: size) } ?? 0
      }
      guard let got else { return nil }
      if got == 0 { return plain }
      plain += piece[..<got]
      if plain.count > limit { return nil }
    }
  }
}
