// Unsafe on purpose: zlib reads from and writes to memory in place.
internal import CSlipcastArchive
import SlipcastSystem

/// The content of gzip data (RFC 1952), by zlib: members one after another, each compared with its checksum and length.
///
/// libarchive reads gzip too, but does not compare the checksums, and a damaged archive must not look intact.
final class GzipBytes: ByteStream {
  private let stream: any ByteStream
  private let path: String
  private var inflater = z_stream()
  private let input: UnsafeMutablePointer<UInt8>
  private static let size = 64 << 10
  /// Inside a member: the stream must not end here.
  private var isInside = false
  private var hasBegun = false

  init(_ stream: any ByteStream, path: String) throws(FileError) {
    (self.stream, self.path) = (stream, path)
    input = .allocate(capacity: Self.size)
    // 15 bits of window, and 16 for a gzip header and trailer.
    guard
      inflateInit2_(&inflater, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw FileError(path: path, doing: "decompress", reason: "zlib has no memory") }
  }

  deinit {
    inflateEnd(&inflater)
    input.deallocate()
  }

  var rawOffset: Int { stream.rawOffset }

  func read(into room: inout OutputSpan<UInt8>) throws(FileError) -> Int {
    try room.withUnsafeMutableBufferPointer { (memory, count) throws(FileError) -> Int in
      guard let base = memory.baseAddress else { return 0 }
      let got = try inflate(into: base + count, count: memory.count - count)
      count += got
      return got
    }
  }

  private func inflate(into memory: UnsafeMutablePointer<UInt8>, count: Int) throws(FileError) -> Int {
    inflater.next_out = memory
    inflater.avail_out = UInt32(clamping: count)
    let wanted = inflater.avail_out
    while inflater.avail_out == wanted {
      if inflater.avail_in == 0, try !readMore() { return 0 }
      if !isInside, try !beginMember() { return 0 }
      let result = CSlipcastArchive.inflate(&inflater, Z_NO_FLUSH)
      switch result {
      case Z_OK, Z_BUF_ERROR: break
      case Z_STREAM_END: isInside = false
      // The output before the damage counts; the next call reports the error again.
      case _ where inflater.avail_out < wanted: break
      default: throw damaged(inflater.msg.map { String(cString: $0) } ?? "error \(result)")
      }
    }
    return Int(wanted - inflater.avail_out)
  }

  private func readMore() throws(FileError) -> Bool {
    let got = try stream.read(into: UnsafeMutableBufferPointer(start: input, count: Self.size))
    inflater.next_in = input
    inflater.avail_in = UInt32(clamping: got)
    if got == 0, isInside { throw damaged("it ends in the middle; the file may have been cut off") }
    return got > 0
  }

  /// Moves to the next member; zeros after the last one are only padding.
  private func beginMember() throws(FileError) -> Bool {
    while hasBegun, inflater.next_in.pointee == 0 {
      inflater.next_in += 1
      inflater.avail_in -= 1
      if inflater.avail_in == 0, try !readMore() { return false }
    }
    if hasBegun { inflateReset(&inflater) }
    (isInside, hasBegun) = (true, true)
    return true
  }

  private func damaged(_ reason: String) -> FileError {
    FileError(path: path, doing: "decompress", reason: "the gzip data is damaged: \(reason)")
  }
}
