import SlipcastBulk

/// Reads and writes whole small files and keeps output files open.
enum Files {
  /// All bytes of a file.
  ///
  /// - Throws: `BulkError` when it cannot be opened or read.
  static func read(_ path: String) throws -> [UInt8] {
    let descriptor = try Platform.open(path)
    defer { Platform.close(descriptor) }
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { chunk.deallocate() }
    while true {
      let got = try Platform.read(descriptor, into: chunk, count: 64 << 10, path: path)
      if got == 0 { return bytes }
      bytes.append(contentsOf: UnsafeRawBufferPointer(start: chunk, count: got))
    }
  }
}

/// A file that lines are appended to; closed when the value's owner is gone.
final class OutputFile {
  private let descriptor: Int32
  let path: String

  /// Creates the file anew; `-` is standard output.
  init(_ path: String) throws {
    self.path = path
    descriptor = path == "-" ? 1 : try Platform.create(path)
  }

  deinit { if descriptor > 2 { Platform.close(descriptor) } }

  func write(_ bytes: UnsafeBufferPointer<UInt8>) throws { try Platform.write(descriptor, bytes, path: path) }
}
