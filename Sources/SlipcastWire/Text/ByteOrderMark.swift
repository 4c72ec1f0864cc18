/// The mark with which programs of Windows begin text in UTF-8; it is not part of the text.
package enum ByteOrderMark {
  package static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The length of the mark at the start of a text: 3, or 0 for a text without it.
  package static func count(in text: some Sequence<UInt8>) -> Int { text.starts(with: bytes) ? bytes.count : 0 }

  package static func count(in text: Span<UInt8>) -> Int { text.starts(with: bytes) ? bytes.count : 0 }
}
