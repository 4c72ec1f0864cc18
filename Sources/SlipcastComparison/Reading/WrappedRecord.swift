internal import SlipcastWire

/// A record that has to be unwrapped before it can be read: compressed, in base64, or a text inside a JSON string.
struct WrappedRecord {
  /// What it is, in words.
  let found: String
  /// A shell command that writes the record; FILE stands for the file.
  let command: String

  /// `nil` for any other text.
  init?(_ bytes: [UInt8]) {
    let text = Self.trimmed(bytes[...])
    if let layer = Self.layer(text) {
      (found, command) = (layer.found, layer.commands.replacing("%", with: " FILE"))
      return
    }
    guard text.count > 1, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\"") else { return nil }
    let inner = Self.trimmed(text.dropFirst().dropLast())
    if Self.isJSON(inner) {
      (found, command) = ("a JSON string that contains JSON", "jq -r . FILE")
    } else if let layer = Self.layer(inner) {
      found = "a JSON string with \(layer.found)"
      command = "jq -r . FILE | " + layer.commands.replacing("%", with: "")
    } else {
      return nil
    }
  }

  /// What a text is, and the command that unwraps it, with `%` where its input is named.
  private static func layer(_ text: ArraySlice<UInt8>) -> (found: String, commands: String)? {
    if let format = compression(text) { return ("data compressed with \(format.name)", format.command + "%") }
    guard let head = base64Head(text) else { return nil }
    let isURL = text.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    let decode = isURL ? "basenc --base64url -d" : "base64 -d"
    if isJSON(head[...]) { return ("base64 of JSON", decode + "%") }
    return compression(head[...]).map { ("base64 of data compressed with \($0.name)", "\(decode)% | \($0.command)") }
  }

  private static func isJSON(_ text: ArraySlice<UInt8>) -> Bool {
    let first = trimmed(text).first
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private static let formats: [(name: String, mark: [UInt8], command: String)] = [
    ("gzip", [0x1F, 0x8B], "gzip -dc"), ("zstd", [0x28, 0xB5, 0x2F, 0xFD], "zstd -dc"),
    ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz -dc"), ("bzip2", [0x42, 0x5A, 0x68], "bzip2 -dc"),
    ("zip", [0x50, 0x4B, 0x03, 0x04], "unzip -p"),
  ]

  private static func compression(_ text: ArraySlice<UInt8>) -> (name: String, command: String)? {
    formats.first { text.starts(with: $0.mark) }.map { ($0.name, $0.command) }
  }

  /// The first decoded bytes of a text in base64; `nil` for another text, such as a signed payload, which has dots.
  private static func base64Head(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.count > 3, text.allSatisfy({ Base64.isCharacter($0) || $0.isBlank }) else { return nil }
    let digits = text.prefix(32).filter { !$0.isBlank && $0 != UInt8(ascii: "=") }
    return Base64.decode(digits.prefix(digits.count / 4 * 4), .either)
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text.drop(while: \.isBlank)
    while let last = text.last, last.isBlank { text.removeLast() }
    return text
  }
}
