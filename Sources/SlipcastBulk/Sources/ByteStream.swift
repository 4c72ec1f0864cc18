internal import SlipcastDigest
package import SlipcastSystem
internal import SlipcastWire

/// Bytes that arrive in pieces.
package protocol ByteStream: AnyObject {
  /// Appends the next bytes, as many as there is room for or fewer; returns how many, 0 at the end.
  ///
  /// - Throws: `FileError` when the bytes cannot be read; one without a system error number means damaged data.
  func read(into room: inout OutputSpan<UInt8>) throws(FileError) -> Int
  /// Bytes that were read from the underlying file: compressed ones, where it is compressed.
  var rawOffset: Int { get }
}

extension ByteStream {
  /// Passes on the next bytes in pieces, up to a number of them or to the end; returns how many there were.
  @discardableResult
  func forEachPiece(upTo most: Int = .max, _ use: ([UInt8]) -> Void) throws(FileError) -> Int {
    var (piece, passed): ([UInt8], Int) = ([], 0)
    while passed < most {
      piece.removeAll(keepingCapacity: true)
      let got = try piece.append(min(most - passed, 256 << 10), from: self)
      if got == 0 { break }
      use(piece)
      passed += got
    }
    return passed
  }
}

extension [UInt8] {
  /// Appends the next bytes of a stream, at most a number of them; returns how many, 0 at the end.
  package mutating func append(_ most: Int, from stream: any ByteStream) throws(FileError) -> Int {
    let before = count
    try append(addingCapacity: most) { (room) throws(FileError) in _ = try stream.read(into: &room) }
    return count - before
  }
}

package final class FileBytes: ByteStream {
  private let descriptor: Int32
  private let path: String
  private let limit: Int?
  /// What was read of the file before, in place of the file.
  private let held: [UInt8]?
  /// What was read of a stream before; the rest follows.
  private let start: [UInt8]
  private(set) package var rawOffset = 0
  private let hash: SHA256Stream?

  /// Opens a file; `-` is standard input.
  package init(_ file: InputFile, isHashed: Bool = false) throws(FileError) {
    hash = isHashed ? SHA256Stream() : nil
    (path, limit, held) = (file.path, file.limit, file.sample?.held)
    let head = held == nil ? StreamHeads.take(file.path) : nil
    start = head?.bytes ?? []
    if let head {
      descriptor = head.descriptor
    } else {
      descriptor = held != nil || file == .standardInput ? 0 : try Platform.open(file.path)
    }
  }

  deinit { if descriptor != 0 { Platform.close(descriptor) } }

  package func read(into room: inout OutputSpan<UInt8>) throws(FileError) -> Int {
    if let held { return copy(held, into: &room) }
    var got = rawOffset < start.count ? copy(start, into: &room) : 0
    if got == 0 {
      let most = limit.map { min(room.freeCapacity, max(0, $0 - rawOffset)) } ?? room.freeCapacity
      got = most == 0 ? 0 : try Platform.read(descriptor, into: &room, most: most, path: path)
      rawOffset += got
    }
    hash?.add(room.span.extracting((room.count - got)...))
    return got
  }

  private func copy(_ bytes: [UInt8], into room: inout OutputSpan<UInt8>) -> Int {
    let part = min(room.freeCapacity, bytes.count - rawOffset)
    room.append(copying: bytes.span.extracting(rawOffset..<rawOffset + part))
    rawOffset += part
    return part
  }

  /// Length and SHA-256 of the whole file: reads what is left of it.
  func digest() throws(FileError) -> SourceDigests.Digest? {
    guard let hash else { return nil }
    try forEachPiece { _ in }
    return SourceDigests.Digest(bytes: rawOffset, sha256: hash.hexadecimal)
  }

  /// Seeks to a later position; false where only reading leads there.
  func skip(to offset: Int) -> Bool {
    guard descriptor != 0, Platform.seek(descriptor, to: offset) else { return false }
    rawOffset = offset
    return true
  }
}

/// A stream whose first bytes can be inspected before they are read, and which may end early.
final class HeadedBytes: ByteStream {
  private let stream: any ByteStream
  private var head: [UInt8] = []
  private var at = 0

  /// How many bytes are still to be read of the stream; `nil`: all.
  private var left: Int?

  init(_ stream: any ByteStream, limit: Int? = nil) { (self.stream, left) = (stream, limit) }

  var rawOffset: Int { stream.rawOffset }

  /// Returns up to a number of the first bytes.
  func peek(_ count: Int) throws(FileError) -> [UInt8] {
    while head.count < count, try head.append(count - head.count, from: stream) > 0 {}
    return head
  }

  func read(into room: inout OutputSpan<UInt8>) throws(FileError) -> Int {
    guard at < head.count else {
      guard let most = left else { return try stream.read(into: &room) }
      var piece: [UInt8] = []
      let got = most == 0 ? 0 : try piece.append(min(room.freeCapacity, most), from: stream)
      room.append(copying: piece.span)
      left = most - got
      return got
    }
    let head = head
    let part = min(room.freeCapacity, head.count - at)
    room.append(copying: head.span.extracting(at..<at + part))
    at += part
    return part
  }

  /// Moves to a later position: at once in a file, elsewhere by reading up to it.
  func skip(to offset: Int, path: String) throws(FileError) {
    if let file = stream as? FileBytes, file.skip(to: offset) {
      (head, at) = ([], 0)
      return
    }
    guard try forEachPiece(upTo: offset, { _ in }) == offset else {
      throw FileError(path: path, doing: "resume", reason: "the file is shorter than at the checkpoint")
    }
  }
}

/// Replaces a link's content that is not available.
private final class MissingContent: ByteStream {
  private let fault: FileError
  let rawOffset = 0

  init(_ path: String, _ reason: String) { fault = FileError(path: path, doing: "read", reason: reason) }

  func read(into room: inout OutputSpan<UInt8>) throws(FileError) -> Int { throw fault }
}

extension SourceMembers.Member {
  /// A file of an archive that cannot be read.
  init(missing name: String, _ reason: String) {
    self.init(name: name, bytes: HeadedBytes(MissingContent(name, reason)))
  }
}
