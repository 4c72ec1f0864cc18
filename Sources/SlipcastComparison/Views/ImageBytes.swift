// Unsafe on purpose, and only here: reads numbers and texts out of bytes that this program wrote itself. Every read is
// checked against the end; reading beyond it is a broken invariant.
@_spi(Slipcast) internal import SlipcastWire

/// Reads what `JSONWriter`'s plain numbers below wrote.
struct ImageBytes {
  private let bytes: UnsafeRawBufferPointer
  private(set) var at = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = UnsafeRawBufferPointer(bytes) }

  var isAtEnd: Bool { at >= bytes.count }

  @inline(__always)
  private mutating func load<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
    let size = MemoryLayout<Number>.size
    precondition(at + size <= bytes.count, "an image ends too soon")
    defer { at += size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: type))
  }

  mutating func byte() -> UInt8 { load(UInt8.self) }
  mutating func short() -> UInt16 { load(UInt16.self) }
  mutating func word() -> UInt32 { load(UInt32.self) }
  mutating func long() -> Int64 { load(Int64.self) }

  @inline(__always)
  mutating func view(_ count: Int) -> UnsafeBufferPointer<UInt8> {
    precondition(count >= 0 && at + count <= bytes.count, "an image ends too soon")
    defer { at += count }
    return UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[at..<at + count])
  }

  mutating func text(_ count: Int) -> String { String(decoding: view(count), as: UTF8.self) }

  /// A part that begins with its length.
  mutating func section() -> ImageBytes { ImageBytes(view(Int(word()))) }
}

extension JSONWriter {
  func short(_ value: UInt16) { plain(UInt64(value), bytes: 2) }
  func word(_ value: UInt32) { plain(UInt64(value), bytes: 4) }
  func long(_ value: Int64) { plain(UInt64(bitPattern: value), bytes: 8) }
}
