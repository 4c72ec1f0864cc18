// Unsafe on purpose: libarchive calls back with the compressed bytes.
internal import CSlipcastArchive
import SlipcastSystem

/// Compresses text into frames (gzip: members), which together decompress to one text.
final class Compressor {
  private let compression: Compression
  private let isFast: Bool
  private let path: String
  private var handle: OpaquePointer?
  private var entry: OpaquePointer?
  /// Compressed bytes that were not removed yet.
  private(set) var output: [UInt8] = []

  /// - Parameter isFast: zstd takes little time, and more room.
  /// - Returns: `nil` for no compression.
  init?(_ compression: Compression, path: String, isFast: Bool = false) {
    guard compression != .none else { return nil }
    (self.compression, self.path, self.isFast) = (compression, path, isFast)
  }

  deinit { abandon() }

  func add(_ text: Span<UInt8>) throws(FileError) {
    guard text.count > 0 else { return }
    if handle == nil { try begin() }
    let wrote = text.withUnsafeBytes { archive_write_data(handle, $0.baseAddress, $0.count) }
    guard wrote == text.count else { throw problem() }
  }

  /// Ends the current frame; an empty frame is not written.
  func endFrame() throws(FileError) {
    guard let handle else { return }
    guard archive_write_close(handle) == ARCHIVE_OK else { throw problem() }
    abandon()
  }

  func clearOutput() { output.removeAll(keepingCapacity: true) }

  private func begin() throws(FileError) {
    guard let handle = archive_write_new(), let entry = archive_entry_new() else {
      throw FileError(path: path, doing: "compress", reason: "libarchive has no memory")
    }
    (self.handle, self.entry) = (handle, entry)
    archive_write_set_bytes_per_block(handle, 0)
    var isReady = archive_write_set_format_raw(handle) == ARCHIVE_OK
    if compression == .gz {
      isReady = isReady && archive_write_add_filter_gzip(handle) == ARCHIVE_OK
      // Without a time in its header, the same text always compresses to the same bytes.
      archive_write_set_filter_option(handle, "gzip", "timestamp", nil)
    } else {
      isReady = isReady && archive_write_add_filter_zstd(handle) == ARCHIVE_OK
      if isFast { archive_write_set_filter_option(handle, "zstd", "compression-level", "1") }
    }
    archive_entry_set_filetype(entry, 0o100000)
    isReady =
      isReady
      && archive_write_open(
        handle, Unmanaged.passUnretained(self).toOpaque(), nil,
        { _, context, bytes, count in
          guard let context, let bytes else { return 0 }
          Unmanaged<Compressor>.fromOpaque(context).takeUnretainedValue()
            .output.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
          return count
        }, nil) == ARCHIVE_OK
    guard isReady, archive_write_header(handle, entry) == ARCHIVE_OK else { throw problem() }
  }

  private func abandon() {
    if let handle { archive_write_free(handle) }
    if let entry { archive_entry_free(entry) }
    (handle, entry) = (nil, nil)
  }

  private func problem() -> FileError {
    let words = handle.flatMap { archive_error_string($0) }.map { String(cString: $0) } ?? "unknown error"
    return FileError(path: path, doing: "compress", reason: words)
  }
}
