import SlipcastBulk
import SlipcastLibC
import SlipcastSystem
@_spi(Slipcast) import SlipcastWire

/// A file that is gone when its owner is.
final class TemporaryFile {
  let path: String
  private(set) var count = 0
  private let descriptor: Int32

  /// Creates an empty file where `TMPDIR` says, else in the system's usual place.
  ///
  /// - Throws: `FileError` when none can be made there.
  init() throws {
    let folder = Platform.temporaryFolder
    var name = Array((folder + "/slipcast-bench-XXXXXX").utf8CString)
    descriptor = mkstemp(&name)
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else { throw FileError(path: path, doing: "create", number: errno) }
  }

  deinit {
    Platform.close(descriptor)
    Platform.remove(path)
  }

  /// Writes generated records, a piece at a time: none of them stays in memory.
  ///
  /// - Throws: `FileError` when the disk is full.
  func fill(with generator: inout RecordGenerator, records: Int) throws {
    let piece = 256 << 10
    let writer = JSONWriter(capacity: piece + (64 << 10))
    for number in 1...records {
      generator.write(to: writer)
      guard writer.count >= piece || number == records else { continue }
      try Platform.write(descriptor, writer.buffer.span, path: path)
      count += writer.count
      writer.clear()
    }
  }
}
