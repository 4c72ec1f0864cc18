// Unsafe on purpose: one buffer that this class alone owns, with the padding that simdjson requires after the input.
import CSlipcastBench
import SlipcastBulk
import SlipcastLibC
import SlipcastSystem
@_spi(Slipcast) import SlipcastWire

final class Input {
  let base: UnsafePointer<UInt8>
  let count: Int
  let records: [Range<Int>]

  /// Reads the file whole.
  ///
  /// - Throws: `FileError` when it cannot be read.
  init(_ file: TemporaryFile) throws {
    let descriptor = try Platform.open(file.path)
    defer { Platform.close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    lseek(descriptor, 0, SEEK_SET)
    let padding = max(JSONReader.padding, Int(SLIPCAST_BENCH_PADDING))
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: size + padding)
    (memory + size).initialize(repeating: 0, count: padding)
    base = UnsafePointer(memory)
    var filled = 0
    while filled < size {
      let got = try Platform.read(descriptor, into: memory + filled, count: size - filled, path: file.path)
      if got == 0 { break }
      filled += got
    }
    count = filled
    var records: [Range<Int>] = []
    var start = 0
    while start < filled, let feed = memchr(memory + start, 0x0A, filled - start) {
      let end = UnsafeRawPointer(feed) - UnsafeRawPointer(memory)
      records.append(start..<end)
      start = end + 1
    }
    self.records = records
  }

  deinit { base.deallocate() }
}
