import SlipcastBulk
internal import SlipcastLibC

/// What came through standard input, in a file that other users cannot read; deleted with its owner.
final class TemporaryCopy {
  let path: String
  private let file: Int32
  private let hasName: Bool

  init(of descriptor: Int32) throws {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/slipcast-XXXXXX".utf8CString)
    let target = mkstemp(&template)
    let name = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard target >= 0 else { throw BulkError(path: folder, doing: "make a temporary file in", number: errno) }
    // Nothing is left of it when the program is killed: where /proc leads to open files, the file has no name from the
    // beginning.
    file = target
    let unnamed = "/proc/self/fd/\(target)"
    hasName = access(unnamed, F_OK) != 0
    path = hasName ? name : unnamed
    if !hasName { unlink(name) }
    var chunk: [UInt8] = []
    while try Platform.read(descriptor, to: &chunk, most: 256 << 10, path: "standard input") > 0 {
      try Platform.write(target, chunk.span, path: name)
      chunk.removeAll(keepingCapacity: true)
    }
  }

  deinit {
    Platform.close(file)
    if hasName { unlink(path) }
  }
}
