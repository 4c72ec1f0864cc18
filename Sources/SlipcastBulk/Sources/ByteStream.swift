// Unsafe on purpose: streams fill memory that their reader owns.
internal import SlipcastDigest

/// Bytes that arrive in pieces.
protocol ByteStream: AnyObject {
  /// Fills memory with the next bytes; 0 at the end.
  ///
  /// - Throws: `BulkError` when the bytes cannot be read; one without a system error number means damaged data.
  func read(into memory: UnsafeMutablePointer<UInt8>, count: Int) throws(BulkError) -> Int
  /// Bytes that were read from the underlying file: compressed ones, where it is compressed.
  var rawOffset: Int { get }
}

/// The bytes of a file or of standard input.
final class FileBytes: ByteStream {
  private let descriptor: Int32
  private let path: String
  private let limit: Int?
  private(set) var rawOffset = 0
  /// Hashes all bytes that are read; `nil` where this is not needed.
  private let hash: SHA256Stream?

  /// Opens a file; `-` is standard input.
  ///
  /// - Parameter isHashed: computes the SHA-256 of what is read.
  init(_ file: InputFile, isHashed: Bool = false) throws(BulkError) {
    hash = isHashed ? SHA256Stream() : nil
    (path, limit) = (file.path, file.limit)
    descriptor = file == .standardInput ? 0 : try Platform.open(file.path)
  }

  deinit { if descriptor != 0 { Platform.close(descriptor) } }

  func read(into memory: UnsafeMutablePointer<UInt8>, count: Int) throws(BulkError) -> Int {
    let count = limit.map { min(count, max(0, $0 - rawOffset)) } ?? count
    let got = count == 0 ? 0 : try Platform.read(descriptor, into: memory, count: count, path: path)
    rawOffset += got
    hash?.add(UnsafeBufferPointer(start: memory, count: got))
    return got
  }

  /// Length and SHA-256 of the whole file: reads what is left of it.
  func digest() throws(BulkError) -> SourceDigests.Digest? {
    guard let hash else { return nil }
    let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: 64 << 10)
    defer { piece.deallocate() }
    while try read(into: piece, count: 64 << 10) > 0 {}
    return SourceDigests.Digest(bytes: rawOffset, sha256: hash.hexadecimal)
  }

  /// Seeks to a later position; false where only reading leads there.
  func skip(to offset: Int) -> Bool {
    guard descriptor != 0, Platform.seek(descriptor, to: offset) else { return false }
    rawOffset = offset
    return true
  }
}

/// A stream whose first bytes can be inspected before they are read.
final class HeadedBytes: ByteStream {
  private let stream: any ByteStream
  private var head: [UInt8] = []
  private var at = 0

  init(_ stream: any ByteStream) { self.stream = stream }

  var rawOffset: Int { stream.rawOffset }

  /// Returns up to a number of the first bytes.
  func peek(_ count: Int) throws(BulkError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var held = head.count
    while held < count {
      let got = try Self.fill(&bytes, from: held, stream)
      if got == 0 { break }
      held += got
    }
    bytes.replaceSubrange(0..<head.count, with: head)
    bytes.removeLast(count - held)
    head = bytes
    return bytes
  }

  private static func fill(
    _ bytes: inout [UInt8], from start: Int, _ stream: any ByteStream
  ) throws(BulkError) -> Int {
    try bytes.withUnsafeMutableBufferPointer { (buffer) throws(BulkError) -> Int in
      guard let base = buffer.baseAddress else { return 0 }
      return try stream.read(into: base + start, count: buffer.count - start)
    }
  }

  func read(into memory: UnsafeMutablePointer<UInt8>, count: Int) throws(BulkError) -> Int {
    guard at < head.count else { return try stream.read(into: memory, count: count) }
    let part = min(count, head.count - at)
    head.withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { memory.update(from: base + at, count: part) }
    }
    at += part
    return part
  }

  /// Moves to a later position: at once in a file, elsewhere by reading up to it.
  ///
  /// - Throws: `BulkError` when the stream ends before it.
  func skip(to offset: Int, path: String) throws(BulkError) {
    if let file = stream as? FileBytes, file.skip(to: offset) {
      (head, at) = ([], 0)
      return
    }
    let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: 64 << 10)
    defer { piece.deallocate() }
    var left = offset
    while left > 0 {
      let got = try read(into: piece, count: min(left, 64 << 10))
      guard got > 0 else {
        throw BulkError(path: path, doing: "resume", reason: "the file is shorter than at the checkpoint")
      }
      left -= got
    }
  }
}

/// Replaces a link's content that is not available.
final class MissingContent: ByteStream {
  private let fault: BulkError
  let rawOffset = 0

  init(_ path: String, _ reason: String) { fault = BulkError(path: path, doing: "read", reason: reason) }

  func read(into memory: UnsafeMutablePointer<UInt8>, count: Int) throws(BulkError) -> Int { throw fault }
}
