internal import SlipcastWire

/// Bytes in memory, as a stream.
final class MemoryBytes: ByteStream {
  private let bytes: [UInt8]
  private(set) var rawOffset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func read(into room: inout OutputSpan<UInt8>) -> Int {
    let bytes = bytes
    let part = min(room.freeCapacity, bytes.count - rawOffset)
    room.append(copying: bytes.span.extracting(rawOffset..<rawOffset + part))
    rawOffset += part
    return part
  }

  /// The content of gzip data; `nil` when it is damaged or becomes too long.
  static func unzipped(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    guard let stream = try? GzipBytes(MemoryBytes(bytes), path: "") else { return nil }
    var plain: [UInt8] = []
    while true {
      guard let got = try? plain.append(64 << 10, from: stream) else { return nil }
      if got == 0 { return plain }
      if plain.count > limit { return nil }
    }
  }
}
