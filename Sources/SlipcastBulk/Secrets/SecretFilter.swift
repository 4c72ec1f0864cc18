internal import SlipcastWire

/// Removes the shared secret from text that is kept or shown, in every encoding that can be undone.
///
/// `Redaction` finds the secret in text. This filter also decodes what an archive wraps around the text: base64,
/// hexadecimal digits and gzip, at most four layers, and encodes the rest in the same way. Text that cannot be searched
/// is not kept.
enum SecretFilter {
  /// The reason why a text is not kept; rejects contain it as `inputOmitted`.
  enum Omission: String, CaseIterable, Error {
    /// Compressed data that is damaged, too long, or of a kind that is not read.
    case compressed
    /// An encoding that is damaged, or does not contain a document.
    case encoded
    /// A secret with other escapes than JSON's, or broken at its start.
    case escaped
    /// Bytes that are not text.
    case binary
    /// Wrapped more often than is searched.
    case nested
  }

  /// Layers of base64, digits and gzip that are undone.
  static let layers = 4
  /// Compressed data may become so long.
  static let longest = 16 << 20

  /// The text without the secret, or why it must not be kept.
  static func filter(_ text: Span<UInt8>) -> (text: [UInt8], omission: Omission?) {
    do throws(Omission) {
      if SourceHead.isReceipt(text) { return (Redaction.redact(text, keepsZeros: true), nil) }
      return (try clean(Array(text), layer: 0), nil)
    } catch {
      return ([], error)
    }
  }

  /// The text without the secret; `nil` when it must not be kept.
  static func filter(_ text: String) -> String? {
    let (bytes, omission) = filter(Array(text.utf8).span)
    return omission == nil ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// A path or an id without the secret; empty when it may contain one that cannot be found.
  static func words(_ text: String) -> String { text.utf8.count < 40 ? text : filter(text) ?? "" }

  /// The text without the secret, at nesting depth `layer`.
  static func clean(_ bytes: [UInt8], layer: Int) throws(Omission) -> [UInt8] {
    guard layer <= layers else { throw .nested }
    if let plain = try unpacked(bytes) {
      let cleaned = try clean(plain, layer: layer + 1)
      return cleaned == plain ? bytes : cleaned
    }
    guard !isBinary(bytes) else { throw .binary }
    guard !ByteList.holdsText(bytes) else { throw .encoded }
    guard !holdsBrokenContainer(bytes) else { throw .escaped }
    let text = BrokenSecret.remove(from: FragmentSecret.remove(from: Redaction.redact(bytes)))
    let result = try EncodedRuns(text, layer: layer).cleaned()
    guard let view = EscapedText.plain(result) else { throw .nested }
    if view != result {
      // Zero bytes separate the letters of UTF-16, or are values of the record.
      for view in view.contains(0) ? [view, view.filter { $0 != 0 }] : [view] {
        guard Redaction.redact(view.span, keepsZeros: true) == view,
          try EncodedRuns(view, layer: layer).cleaned() == view
        else { throw .escaped }
      }
    }
    return result
  }

  /// Whether the secret's value is a string that starts like an object or array.
  ///
  /// Then the quote before it is superfluous, and the end of the value is unknown.
  private static func holdsBrokenContainer(_ bytes: [UInt8]) -> Bool {
    var at = 0
    while let name = place(of: "password\"", in: bytes, from: at) {
      at = name + "password\"".utf8.count
      let value = bytes[at...].drop { $0.isBlank || $0 == UInt8(ascii: ":") }
      guard value.startIndex > at, value.first == UInt8(ascii: "\"") else { continue }
      let first = value.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
      if lowercased(Array(first.prefix(9))) == Array("[removed]".utf8) { continue }
      if first.first == UInt8(ascii: "{") || first.first == UInt8(ascii: "[") { return true }
    }
    return false
  }

  /// The content of compressed data; `nil` for other data.
  private static func unpacked(_ bytes: [UInt8]) throws(Omission) -> [UInt8]? {
    if bytes.starts(with: [0x1F, 0x8B]) {
      guard let plain = MemoryBytes.unzipped(bytes, limit: longest) else { throw .compressed }
      return plain
    }
    guard !isCompressed(bytes) else { throw .compressed }
    return nil
  }

  /// Starts like compressed data of an unsupported kind: zstd, xz, zlib, bzip2, ZIP, LZ4.
  static func isCompressed(_ bytes: [UInt8]) -> Bool {
    let heads: [[UInt8]] = [
      [0x28, 0xB5, 0x2F, 0xFD], [0xFD, 0x37, 0x7A, 0x58, 0x5A], [0x78, 0x9C], [0x78, 0xDA],
      Array("BZh9".utf8), [0x50, 0x4B, 0x03, 0x04], [0x04, 0x22, 0x4D, 0x18],
    ]
    return heads.contains { bytes.starts(with: $0) }
  }

  /// More than one byte in twenty is not text.
  static func isBinary(_ bytes: [UInt8]) -> Bool {
    bytes.count { $0 > 0 && $0 < 0x09 || (0x0E..<0x20).contains($0) } > max(2, bytes.count / 20)
  }

  static func lowercased(_ bytes: [UInt8]) -> [UInt8] { bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }

  /// Words before the secret, in upper or lower case.
  static func namesSecret(_ bytes: [UInt8]) -> Bool {
    place(of: "password", in: bytes) != nil || place(of: "secret", in: bytes) != nil
  }

  /// The first place of a word in lower case, which may be in upper case in the text, from a position on.
  private static func place(of word: StaticString, in bytes: [UInt8], from start: Int = 0) -> Int? {
    let last = bytes.count - word.utf8CodeUnitCount
    guard start <= last else { return nil }
    let text = bytes.span
    return (start...last).first { place in
      (0..<word.utf8CodeUnitCount).allSatisfy { offset in
        let byte = text[place + offset]
        return (0x41...0x5A).contains(byte) ? byte | 0x20 == word.utf8Start[offset] : byte == word.utf8Start[offset]
      }
    }
  }
}
