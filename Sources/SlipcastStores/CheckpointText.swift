internal import SlipcastWire

/// Checkpoints as text: unchanged when both databases can store them, otherwise in base64.
enum CheckpointText {
  private static let mark = "base64:"

  static func encode(_ bytes: [UInt8]) -> String {
    if !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self), !text.hasPrefix(mark) { return text }
    return mark + Base64.encode(bytes)
  }

  static func decode(_ text: String) -> [UInt8]? {
    text.hasPrefix(mark) ? Base64.decode(Array(text.utf8).dropFirst(mark.utf8.count)) : Array(text.utf8)
  }
}
