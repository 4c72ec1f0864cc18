/// A place in a text, in words.
package enum TextPlace {
  /// Line and byte, `:3: byte 80`, to stand behind the name of a file.
  package static func words(_ offset: Int, in text: [UInt8]) -> String {
    // What is missing at the end is missed on the last line that says something.
    let end = (text.lastIndex { $0 > 0x20 } ?? -1) + 1
    let line = text.prefix(min(offset, end)).count { $0 == UInt8(ascii: "\n") } + 1
    return ":\(line): byte \(offset)"
  }
}
