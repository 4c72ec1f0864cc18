// Unsafe on purpose: copies of whole spans, and comparisons of two of the same length. Everything else is read by index.

extension Span<UInt8> {
  @inlinable package var first: UInt8? { isEmpty ? nil : self[0] }

  /// The position of the first byte at or after a position that satisfies a condition.
  @inlinable @inline(__always)
  package func firstIndex(from start: Int = 0, where isWanted: (UInt8) -> Bool) -> Int? {
    var at = start
    while at < count {
      if isWanted(self[at]) { return at }
      at += 1
    }
    return nil
  }

  /// The position of the first byte of a value at or after a position.
  @inlinable @inline(__always)
  package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? { firstIndex(from: start) { $0 == byte } }

  /// The position of the last byte that satisfies a condition.
  @inlinable @inline(__always)
  package func lastIndex(where isWanted: (UInt8) -> Bool) -> Int? {
    var at = count
    while at > 0 {
      at -= 1
      if isWanted(self[at]) { return at }
    }
    return nil
  }

  /// The first byte at or after a position that satisfies a condition.
  @inlinable @inline(__always)
  package func first(from start: Int = 0, where isWanted: (UInt8) -> Bool) -> UInt8? {
    firstIndex(from: start, where: isWanted).map { self[$0] }
  }

  /// Every byte satisfies a condition.
  @inlinable @inline(__always)
  package func allSatisfy(_ isWanted: (UInt8) -> Bool) -> Bool { firstIndex { !isWanted($0) } == nil }

  @inlinable package func contains(_ byte: UInt8) -> Bool { firstIndex { $0 == byte } != nil }

  /// One of the bytes satisfies a condition.
  @inlinable @inline(__always)
  package func contains(where isWanted: (UInt8) -> Bool) -> Bool { firstIndex(where: isWanted) != nil }

  /// How many bytes satisfy a condition.
  @inlinable @inline(__always)
  package func count(where isWanted: (UInt8) -> Bool) -> Int {
    var found = 0
    for at in indices where isWanted(self[at]) { found += 1 }
    return found
  }

  /// These bytes are at a position.
  @inlinable
  package func starts(with bytes: some Sequence<UInt8>, at start: Int = 0) -> Bool {
    var at = start
    for byte in bytes {
      guard at < count, self[at] == byte else { return false }
      at += 1
    }
    return true
  }

  @inlinable
  package func elementsEqual(_ bytes: some Collection<UInt8>) -> Bool { count == bytes.count && starts(with: bytes) }

  /// Eight bytes from a position, in the order of memory.
  @inlinable @inline(__always)
  package func word(_ at: Int) -> UInt64 { bytes.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self) }

  package func isSame(as other: Span<UInt8>) -> Bool {
    withUnsafeBufferPointer { one in other.withUnsafeBufferPointer { JSONText.isSame(one, $0) } }
  }
}

extension [UInt8] {
  @inlinable
  package init(_ bytes: Span<UInt8>) { self = bytes.withUnsafeBufferPointer { Array($0) } }

  @inlinable
  package mutating func append(contentsOf bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
  }

  /// Appends a number, its bytes in the order of memory.
  @inlinable
  package mutating func append(bytesOf number: some FixedWidthInteger & BitwiseCopyable) {
    Swift.withUnsafeBytes(of: number) { append(contentsOf: $0) }
  }
}

extension OutputSpan<UInt8> {
  /// Appends a copy of bytes, for which there must be room.
  package mutating func append(copying bytes: Span<UInt8>) {
    precondition(bytes.count <= freeCapacity, "more bytes than fit")
    withUnsafeMutableBufferPointer { memory, count in
      bytes.withUnsafeBufferPointer { bytes in
        guard let target = memory.baseAddress, let source = bytes.baseAddress else { return }
        (target + count).update(from: source, count: bytes.count)
        count += bytes.count
      }
    }
  }
}

extension String {
  /// Reads UTF-8; invalid bytes become replacement characters.
  @inlinable
  package init(decoding bytes: Span<UInt8>) {
    self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
