internal import SlipcastLibC
import SlipcastSystem
internal import Synchronization

/// The beginnings of streams that were looked at before a run: a stream can be read only once, so its run gets them from
/// here, and then the rest.
enum StreamHeads {
  /// What was read of a stream, with its open file.
  struct Head: Sendable {
    var descriptor: Int32
    var bytes: [UInt8] = []
    var isAtEnd = false
  }

  /// By path.
  private static let heads = Mutex<[String: Head]>([:])

  /// Reads further into a stream, and returns all that was read of it.
  ///
  /// - Parameter count: how many bytes are wanted in all: as many or more, as they come; fewer only at its end.
  static func look(at file: InputFile, for count: Int) throws(FileError) -> Head {
    if let head = try fileInPlace(file, count) { return head }
    var head: Head
    if let held = take(file.path) {
      head = held
    } else {
      head = Head(descriptor: file == .standardInput ? 0 : try Platform.open(file.path))
    }
    defer {
      let read = head
      heads.withLock { $0[file.path] = read }
    }
    try read(&head, for: count, path: file.path)
    return head
  }

  private static func read(_ head: inout Head, for count: Int, path: String) throws(FileError) {
    while head.bytes.count < count, !head.isAtEnd {
      let most = max(piece, count - head.bytes.count)
      head.isAtEnd = try Platform.read(head.descriptor, to: &head.bytes, most: most, path: path) == 0
    }
  }

  private static let piece = 64 << 10

  /// Standard input that is a file keeps its position, and nothing is held.
  private static func fileInPlace(_ file: InputFile, _ count: Int) throws(FileError) -> Head? {
    guard file == .standardInput else { return nil }
    let here = Int(lseek(0, 0, SEEK_CUR))
    guard here >= 0, Platform.seek(0, to: here) else { return nil }
    defer { _ = Platform.seek(0, to: here) }
    var head = Head(descriptor: 0)
    try read(&head, for: count, path: file.path)
    return head
  }

  /// Gives a stream to the one who reads it; `nil` where nothing was looked at.
  static func take(_ path: String) -> Head? { heads.withLock { $0.removeValue(forKey: path) } }
}
