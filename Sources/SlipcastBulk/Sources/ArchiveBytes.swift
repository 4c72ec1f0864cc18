// Unsafe on purpose: libarchive calls back for bytes and returns memory that it owns.
internal import CSlipcastArchive
import SlipcastSystem
internal import SlipcastWire

/// The content that libarchive finds in a stream: decompressed zstd, xz or bzip2 data, or the files of a tar or zip
/// archive.
///
/// As a stream, it has the content of its current entry.
final class Archive: ByteStream {
  enum Kind {
    /// Compressed data with one content.
    case filter
    /// An archive of files.
    case files
  }

  private let stream: any ByteStream
  private let path: String
  private let format: String
  private let handle: OpaquePointer
  fileprivate let buffer: UnsafeMutablePointer<UInt8>
  fileprivate static let size = 64 << 10
  /// The name of a file whose name cannot be decoded.
  static let nameless = "?"
  /// Bytes from libarchive that were not consumed yet; they are in libarchive's memory until more is requested.
  private var piece = UnsafeRawBufferPointer(start: nil, count: 0)[...]
  /// Bytes of the current file that were returned, and its stated size.
  private var delivered: Int64 = 0
  private var promised: Int64?
  /// The content of a file in a zip archive is damaged; those behind it may be whole.
  private(set) var hasDamagedFile = false
  /// The error of the underlying stream, to be reported instead of libarchive's own message.
  private var fault: FileError?

  init(_ stream: any ByteStream, path: String, kind: Kind, format: String) throws(FileError) {
    (self.stream, self.path, self.format) = (stream, path, format)
    guard let handle = archive_read_new() else {
      throw FileError(path: path, doing: "decompress", reason: "libarchive has no memory")
    }
    self.handle = handle
    buffer = .allocate(capacity: Self.size)
    switch kind {
    case .filter:
      archive_read_support_filter_zstd(handle)
      archive_read_support_filter_xz(handle)
      archive_read_support_filter_bzip2(handle)
      archive_read_support_format_raw(handle)
    case .files:
      archive_read_support_format_tar(handle)
      archive_read_support_format_zip(handle)
    }
    let context = Unmanaged.passUnretained(self).toOpaque()
    let result = archive_read_open(
      handle, context, nil,
      { _, context, place in
        guard let context else { return -1 }
        return Unmanaged<Archive>.fromOpaque(context).takeUnretainedValue().give(place)
      }, nil)
    guard result == ARCHIVE_OK else { throw problem() }
  }

  deinit {
    archive_read_free(handle)
    buffer.deallocate()
  }

  var rawOffset: Int { stream.rawOffset }

  private func give(_ place: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
    do throws(FileError) {
      let got = try stream.read(into: UnsafeMutableBufferPointer(start: buffer, count: Self.size))
      place?.pointee = UnsafeRawPointer(buffer)
      return got
    } catch {
      fault = error
      return -1
    }
  }

  /// A file with content, or a link to one.
  struct Entry {
    var name: String
    /// The name of the file that a link leads to; `nil` for a file.
    var target: String?
    /// The target is relative to the link's folder, as in a symbolic link; otherwise to the archive's root.
    var isRelative = false
  }

  /// The next file or link, skipping folders and devices; `nil` after the last one.
  func nextEntry() throws(FileError) -> Entry? {
    piece = UnsafeRawBufferPointer(start: nil, count: 0)[...]
    while true {
      var entry: OpaquePointer?
      let result = archive_read_next_header(handle, &entry)
      if result == ARCHIVE_EOF {
        // The compression may report damage only at its end.
        try stream.forEachPiece { _ in }
        return nil
      }
      guard result >= ARCHIVE_WARN, let entry else { throw problem() }
      // The second function supports only names of the locale, and this program has no locale.
      let name =
        (archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)).map { String(cString: $0) }
        ?? Self.nameless
      let hasContent = archive_entry_size_is_set(entry) != 0 && archive_entry_size(entry) > 0
      // Some archives keep the content with a hard link too.
      if let target = archive_entry_hardlink_utf8(entry) ?? archive_entry_hardlink(entry), !hasContent {
        return Entry(name: name, target: String(cString: target))
      }
      if archive_entry_filetype(entry) == S_IFLNK_VALUE {
        let target = archive_entry_symlink_utf8(entry) ?? archive_entry_symlink(entry)
        return Entry(name: name, target: target.map { String(cString: $0) } ?? "", isRelative: true)
      }
      guard archive_entry_filetype(entry) == S_IFREG_VALUE || archive_entry_hardlink(entry) != nil else { continue }
      if archive_entry_is_data_encrypted(entry) != 0 {
        throw FileError(path: path, doing: "decompress", reason: "a file in it is encrypted; decrypt it first")
      }
      (delivered, promised) = (0, archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : nil)
      return Entry(name: name)
    }
  }

  /// Moves to the compressed content; false if it is missing.
  func nextContent() throws(FileError) -> Bool {
    let isThere = try nextEntry() != nil
    // Data that libarchive does not recognize is returned unchanged: it started like that format, and is something
    // else.
    guard !isThere || archive_filter_count(handle) > 1 else { throw damaged("it only begins like that") }
    return isThere
  }

  // In the archive's own pieces: `archive_read_data` discards its data when an error occurs.
  func read(into room: inout OutputSpan<UInt8>) throws(FileError) -> Int {
    while piece.isEmpty {
      var place: UnsafeRawPointer?
      var size = 0
      var offset: Int64 = 0
      let result = archive_read_data_block(handle, &place, &size, &offset)
      if result == ARCHIVE_EOF {
        if let promised, promised != delivered { throw hole() }
        return 0
      }
      guard result >= ARCHIVE_WARN || result == ARCHIVE_RETRY else {
        hasDamagedFile = fault == nil && format == "zip"
        throw problem()
      }
      // The holes of a sparse file would be endless zeros, and no record contains zeros.
      if size > 0, offset != delivered { throw hole() }
      delivered += Int64(size)
      piece = UnsafeRawBufferPointer(start: place, count: size)[...]
    }
    let part = piece.prefix(room.freeCapacity)
    room.append(copying: UnsafeRawBufferPointer(rebasing: part).bindMemory(to: UInt8.self).span)
    piece = piece.dropFirst(part.count)
    return part.count
  }

  private func hole() -> FileError {
    damaged("a file in it has holes (it is sparse) or less content than it claims; unpack it, and pass on the files")
  }

  private func problem() -> FileError {
    if let fault { return fault }
    return damaged(archive_error_string(handle).map { String(cString: $0) } ?? "unknown error")
  }

  private func damaged(_ words: String) -> FileError {
    FileError(path: path, doing: "decompress", reason: "the \(format) data is damaged: \(words)")
  }
}

/// Regular files, in the terms of `stat`.
private let S_IFREG_VALUE: UInt32 = 0o100000

private let S_IFLNK_VALUE: UInt32 = 0o120000
