// Unsafe on purpose: the C library's search takes pointers.
internal import SlipcastLibC

/// Finds single bytes, many at a time.
extension Platform {
  package static func find(_ byte: UInt8, in memory: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int? {
    guard start < end, let found = memchr(memory + start, Int32(byte), end - start) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(memory)
  }

  package static func find(_ byte: UInt8, in text: Span<UInt8>, from start: Int = 0) -> Int? {
    find(byte, in: text, from: start, to: text.count)
  }

  /// The position of the next byte of that value before an end, or `nil`.
  package static func find(_ byte: UInt8, in text: Span<UInt8>, from start: Int, to end: Int) -> Int? {
    precondition(start >= 0 && end <= text.count, "a search beyond the text")
    return text.withUnsafeBufferPointer { memory in
      memory.baseAddress.flatMap { find(byte, in: $0, from: start, to: end) }
    }
  }

  package static func count(_ byte: UInt8, in text: Span<UInt8>) -> Int {
    var (found, at) = (0, 0)
    while let next = find(byte, in: text, from: at) { (found, at) = (found + 1, next + 1) }
    return found
  }

  package static func findLast(_ byte: UInt8, in memory: UnsafePointer<UInt8>, before end: Int) -> Int? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var at = end
    // Eight bytes at a time, until one of them becomes 0.
    while at >= 8 {
      let word = UnsafeRawPointer(memory + at - 8).loadUnaligned(as: UInt64.self) ^ (ones &* UInt64(byte))
      if (word &- ones) & ~word & (ones << 7) != 0 { break }
      at -= 8
    }
    while at > 0 {
      at -= 1
      if memory[at] == byte { return at }
    }
    return nil
  }
}
