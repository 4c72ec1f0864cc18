@_spi(Slipcast) internal import SlipcastWire

/// Reads what `JSONWriter`'s plain numbers below wrote; reading beyond the end is a broken invariant.
struct ImageBytes {
  private let bytes: JSONText
  private(set) var at = 0

  init(_ bytes: JSONText) { self.bytes = bytes }

  var isAtEnd: Bool { at >= bytes.count }

  @inline(__always)
  private mutating func load<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number {
    defer { at += MemoryLayout<Number>.size }
    return bytes.number(at, as: type)
  }

  mutating func byte() -> UInt8 { load(UInt8.self) }
  mutating func short() -> UInt16 { load(UInt16.self) }
  mutating func word() -> UInt32 { load(UInt32.self) }
  mutating func long() -> Int64 { load(Int64.self) }

  @inline(__always)
  mutating func view(_ count: Int) -> JSONText {
    defer { at += count }
    return bytes.part(at..<at + count)
  }

  mutating func text(_ count: Int) -> String { view(count).string }

  mutating func section() -> ImageBytes { ImageBytes(view(Int(word()))) }
}

extension JSONWriter {
  func short(_ value: UInt16) { plain(UInt64(value), bytes: 2) }
  func word(_ value: UInt32) { plain(UInt64(value), bytes: 4) }
  func long(_ value: Int64) { plain(UInt64(bitPattern: value), bytes: 8) }
}
