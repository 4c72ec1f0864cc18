/// The name of a subscription before a message in a spill: its length, and at most 255 bytes.
enum MessageName {
  static func write(_ name: String, to bytes: inout [UInt8]) {
    let name = name.utf8
    guard name.count <= 255 else { return bytes.append(0) }
    bytes.append(UInt8(name.count))
    bytes += name
  }

  /// Where the message begins.
  static func end(in bytes: [UInt8]) -> Int { 1 + Int(bytes.first ?? 0) }

  static func read(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix(end(in: bytes)).dropFirst(), as: UTF8.self)
  }
}
