// Unsafe on purpose, and only here: a tape is two borrowed buffers, the text and simdjson's entries for it, both owned
// by a `JSONReader` and valid until it reads again. Every index is checked against `count`, every range was checked by
// the shim against the text when it was written.

/// The kind of a JSON value.
public enum JSONKind: UInt8, Sendable, CustomStringConvertible {
  case null = 0
  case `false` = 1
  case `true` = 2
  case number = 3
  case string = 4
  case array = 5
  case object = 6

  /// The kind in words, for messages.
  public var description: String {
    switch self {
    case .null: "null"
    case .false, .true: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

/// One value on the tape; mirrors `struct slipcast_json_entry` field by field.
@_spi(Slipcast) public struct JSONEntry {
  /// The start of the text: after the quote of a string, at the bracket of a container.
  public var start: UInt32
  /// Bytes of the text, or children of a container.
  public var length: UInt32
  /// The entry after a container, or the position of unescaped text in the side buffer.
  public var nextOrSide: UInt32
  /// The start of the key's text.
  public var keyStart: UInt32
  /// Bytes of the key's text.
  public var keyLength: UInt32
  /// The number of a known key, or `unknownKey`.
  public var key: UInt16
  /// The raw value of `kind`.
  public var kindCode: UInt8
  /// The flags that `isEscaped` and related properties read.
  public var flags: UInt8

  /// The number of every unknown key.
  public static let unknownKey: UInt16 = 0xFFFF
  /// The kind of value.
  @inlinable @inline(__always) public var kind: JSONKind { JSONKind(rawValue: kindCode) ?? .null }
  /// The text had escapes and is in the side buffer, unescaped.
  @inlinable @inline(__always) public var isEscaped: Bool { flags & 1 != 0 }
  /// Two unknown keys of this object are the same.
  @inlinable @inline(__always) public var hasDuplicateInside: Bool { flags & 8 != 0 }
  /// A non-empty string without escapes, under a key that occurs once.
  @inlinable @inline(__always) public var isPlainText: Bool {
    kindCode == JSONKind.string.rawValue && flags == 0 && length != 0
  }
  /// The same for the key.
  @inlinable @inline(__always) public var isKeyEscaped: Bool { flags & 2 != 0 }
  /// The key occurred earlier in the object.
  @inlinable @inline(__always) public var hasDuplicateKey: Bool { flags & 4 != 0 }
}

/// Text somewhere in a record: bytes that live as long as the record's tape.
@_spi(Slipcast) public struct JSONText: Hashable {
  /// The first byte.
  public let base: UnsafePointer<UInt8>
  /// The number of bytes or entries.
  public let count: Int
  /// True when the bytes may be copied into a JSON string as they are.
  public let isVerbatim: Bool

  /// Creates a text from its parts.
  @inlinable @inline(__always)
  public init(base: UnsafePointer<UInt8>, count: Int, isVerbatim: Bool) {
    self.base = base
    self.count = count
    self.isVerbatim = isVerbatim
  }

  /// Text that is part of the program.
  @inlinable @inline(__always)
  public init(_ text: StaticString) {
    self.init(base: text.utf8Start, count: text.utf8CodeUnitCount, isVerbatim: true)
  }

  /// The bytes.
  @inlinable @inline(__always) public var buffer: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base, count: count)
  }
  /// The element at a position; a position outside is a broken invariant.
  @inlinable @inline(__always) public subscript(index: Int) -> UInt8 { base[index] }
  /// A part of the text.
  @inlinable public func part(_ range: Range<Int>) -> JSONText {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "a part beyond the text")
    return JSONText(base: base + range.lowerBound, count: range.count, isVerbatim: false)
  }
  /// A number, its least byte first; a position outside is a broken invariant.
  @inlinable @inline(__always)
  public func number<Number: FixedWidthInteger & BitwiseCopyable>(_ at: Int, as kind: Number.Type) -> Number {
    precondition(at >= 0 && at + MemoryLayout<Number>.size <= count, "a number beyond the text")
    return Number(littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: at, as: kind))
  }
  /// Eight bytes, the first one lowest, read at once.
  ///
  /// They may reach into the padding after the record's text.
  @inlinable @inline(__always) public func word(_ at: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: at, as: UInt64.self))
  }
  /// True for an empty text.
  @inlinable @inline(__always) public var isEmpty: Bool { count == 0 }
  /// A copy as a Swift string.
  @inlinable @inline(__always) public var string: String { String(decoding: buffer, as: UTF8.self) }

  /// Compares the bytes.
  @inlinable
  public static func == (left: JSONText, right: JSONText) -> Bool {
    left.count == right.count && (left.base == right.base || Self.isSame(left.base, right.base, left.count))
  }

  /// Hashes the bytes.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes: UnsafeRawBufferPointer(buffer)) }

  /// Compares the bytes.
  @inlinable
  public static func == (left: JSONText, right: StaticString) -> Bool {
    left.count == right.utf8CodeUnitCount && Self.isSame(left.base, right.utf8Start, left.count)
  }

  /// The bytes are those of a string.
  public func isSame(as other: String) -> Bool {
    other.utf8.withContiguousStorageIfAvailable { Self.isSame($0, buffer) } ?? (string == other)
  }

  /// Both runs of bytes are the same.
  public static func isSame(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    guard let one = left.baseAddress, let two = right.baseAddress else { return true }
    return one == two || isSame(one, two, left.count)
  }

  /// Compares eight bytes at a time, the last ones first.
  ///
  /// Identifiers and product names are compared for every row of every record, and different ones mostly differ at
  /// their ends.
  @usableFromInline
  static func isSame(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let (a, b) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
    guard count >= 8 else {
      for at in 0..<count where left[at] != right[at] { return false }
      return true
    }
    var at = count - 8
    while true {
      if a.loadUnaligned(fromByteOffset: at, as: UInt64.self) != b.loadUnaligned(fromByteOffset: at, as: UInt64.self) {
        return false
      }
      if at == 0 { return true }
      at = max(at - 8, 0)
    }
  }
}

/// A record's JSON as a flat run of entries in document order; entry 0 is the root.
@_spi(Slipcast) public struct JSONTape {
  /// The record's text.
  public let bytes: UnsafePointer<UInt8>
  /// Bytes of the record's text.
  public let byteCount: Int
  /// The entries, the root first.
  public let entries: UnsafePointer<JSONEntry>
  /// The number of bytes or entries.
  public let count: Int
  /// Unescaped texts.
  public let side: UnsafePointer<UInt8>
  /// An unknown key begins with `$`, as those of MongoDB's extended JSON do.
  public let hasDollarKey: Bool

  /// Creates the value from its parts.
  @inlinable @inline(__always)
  public init(
    bytes: UnsafePointer<UInt8>, byteCount: Int, entries: UnsafePointer<JSONEntry>, count: Int,
    side: UnsafePointer<UInt8>, hasDollarKey: Bool = false
  ) {
    self.bytes = bytes
    self.byteCount = byteCount
    self.entries = entries
    self.count = count
    self.side = side
    self.hasDollarKey = hasDollarKey
  }

  /// A tape without entries, as an initial value.
  public static var empty: JSONTape {
    let nothing: StaticString = ""
    let entries = UnsafeRawPointer(nothing.utf8Start).assumingMemoryBound(to: JSONEntry.self)
    return JSONTape(
      bytes: nothing.utf8Start, byteCount: 0, entries: entries, count: 0, side: nothing.utf8Start)
  }

  /// The element at a position; a position outside is a broken invariant.
  @inlinable @inline(__always)
  public subscript(index: Int) -> JSONEntry {
    precondition(index >= 0 && index < count, "tape index out of range")
    return entries[index]
  }

  /// The index of the value after this one on the same level.
  @inlinable @inline(__always)
  public func after(_ index: Int) -> Int {
    let entry = self[index]
    return entry.kindCode >= JSONKind.array.rawValue ? Int(entry.nextOrSide) : index + 1
  }

  /// The values in an array or object, one after another: an array may have millions of them.
  @inlinable
  public func children(of index: Int) -> some Sequence<Int> {
    let end = after(index)
    return sequence(first: index + 1) { after($0) }.lazy.prefix { $0 < end }
  }

  /// The text of a string or number.
  @inlinable @inline(__always)
  public func text(_ index: Int) -> JSONText { text(of: self[index]) }

  /// The text of a string or number.
  @inlinable @inline(__always)
  public func text(of entry: JSONEntry) -> JSONText {
    if entry.isEscaped {
      return JSONText(base: side + Int(entry.nextOrSide), count: Int(entry.length), isVerbatim: false)
    }
    return JSONText(base: bytes + Int(entry.start), count: Int(entry.length), isVerbatim: true)
  }

  /// The name of a member in its object.
  @inlinable @inline(__always)
  public func key(_ index: Int) -> JSONText {
    let entry = self[index]
    return JSONText(
      base: (entry.isKeyEscaped ? side : bytes) + Int(entry.keyStart), count: Int(entry.keyLength),
      isVerbatim: !entry.isKeyEscaped)
  }

  /// The byte range of a value in the record's text, brackets and quotes included.
  public func range(_ index: Int) -> Range<Int> {
    let entry = self[index]
    let start = Int(entry.start)
    switch entry.kind {
    case .string: return rangeOfString(contentStart: start, entry)
    case .array, .object: return start..<endOfContainer(index)
    default: return start..<start + Int(entry.length)
    }
  }

  /// The position of a value in the record's text, at its bracket or quote.
  public func start(_ index: Int) -> Int {
    let entry = self[index]
    return entry.kind == .string ? Int(entry.start) - 1 : Int(entry.start)
  }

  /// The text of a value in the record, brackets and quotes included.
  public func json(_ index: Int) -> JSONText {
    let range = range(index)
    return JSONText(base: bytes + range.lowerBound, count: range.count, isVerbatim: false)
  }

  private func rangeOfString(contentStart: Int, _ entry: JSONEntry) -> Range<Int> {
    var end = contentStart
    if entry.isEscaped {
      while end < byteCount, bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
    } else {
      end += Int(entry.length)
    }
    return contentStart - 1..<min(end + 1, byteCount)
  }

  /// A container ends at the first bracket after its last child, or after its own opening bracket.
  private func endOfContainer(_ index: Int) -> Int {
    let close = UInt8(ascii: self[index].kind == .array ? "]" : "}")
    let last = Int(self[index].nextOrSide) - 1
    var end = Int(self[index].start) + 1
    if last > index {
      var child = index + 1
      while after(child) <= last { child = after(child) }
      end = range(child).upperBound
    }
    while end < byteCount, bytes[end] != close { end += 1 }
    return min(end + 1, byteCount)
  }
}
