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
    var plain: [UInt8] = []
    let count = try? GzipBytes(MemoryBytes(bytes), path: "").forEachPiece(upTo: max(limit, limit &+ 1)) { plain += $0 }
    return count.map { $0 <= limit } == true ? plain : nil
  }
}
