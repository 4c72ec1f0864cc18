/// A position in a text, in words.
package enum TextPlace {
  /// Line and byte, `:3: byte 80`, to follow a file name.
  package static func words(_ offset: Int, in text: [UInt8]) -> String {
    // What is missing at the end is reported on the last line with content.
    let end = (text.lastIndex { $0 > 0x20 } ?? -1) + 1
    let line = text.prefix(min(offset, end)).count { $0 == UInt8(ascii: "\n") } + 1
    return ":\(line): byte \(offset)"
  }
}
