// Unsafe on purpose, and only here: one growing buffer that only this class owns; every write reserves its memory
// first.

internal import CSlipcastJSON

/// Appends JSON to a reusable buffer.
///
/// Strings are escaped like Apple's servers do: only what RFC 8259 requires (quote, backslash, control characters);
/// slashes and non-ASCII text stay unchanged.
@_spi(Slipcast) public final class JSONWriter {
  // Unchecked exclusivity: a writer belongs to one thread and returns no reference into itself.
  @exclusivity(unchecked) @usableFromInline var memory: Memory

  @usableFromInline
  struct Memory {
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var written = 0
  }

  /// Creates a writer with a capacity in bytes; it grows as needed.
  public init(capacity: Int = 64 << 10) {
    let capacity = max(capacity, 64)
    memory = Memory(base: slipcast_memory_resize(nil, capacity), capacity: capacity)
  }

  deinit { slipcast_memory_free(base) }

  /// The first byte.
  @inlinable public var base: UnsafeMutablePointer<UInt8> {
    get { memory.base }
    set { memory.base = newValue }
  }
  /// The capacity in bytes.
  @inlinable public var capacity: Int { memory.capacity }
  /// Bytes written since the last `clear`.
  @inlinable public var written: Int {
    get { memory.written }
    set { memory.written = newValue }
  }
  /// Bytes written since the last `clear`.
  @inlinable public var count: Int { written }
  /// The written bytes, in place.
  @inlinable public var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: written) }
  /// The written bytes as a text that is valid until the writer is used again.
  @inlinable public var content: JSONText { JSONText(base: base, count: written, isVerbatim: false) }
  /// A copy of the written bytes.
  @inlinable public var bytes: [UInt8] { Array(buffer) }
  /// The written bytes as a Swift string.
  @inlinable public var string: String { String(decoding: buffer, as: UTF8.self) }

  /// Discards the written bytes.
  @inlinable public func clear() { written = 0 }

  /// Frees the memory of a text that is far longer than others; the written bytes are discarded.
  package func shrink(to size: Int) {
    guard memory.capacity > size else { return }
    slipcast_memory_free(base)
    memory = Memory(base: slipcast_memory_resize(nil, size), capacity: size)
  }

  /// Discards what was written after a position: a record that failed half-way leaves nothing.
  @inlinable public func truncate(to count: Int) { written = min(written, count) }

  /// Reserves capacity for more bytes.
  @inlinable @inline(__always)
  public func reserve(_ more: Int) {
    if memory.capacity - memory.written < more { grow(more) }
  }

  /// Moves to a larger buffer.
  public func grow(_ more: Int) {
    let size = max(memory.capacity * 2, written + more)
    // A line may have many megabytes: no second copy of it.
    memory.base = slipcast_memory_resize(base, size)
    memory.capacity = size
  }

  /// Copies bytes; ids and names are mostly 8 to 32 bytes long, which two or four overlapping copies of 8 move faster than a
  /// call of `memmove`.
  @inlinable @inline(__always)
  static func copy(_ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>) {
    guard count >= 8, count <= 32 else { return target.update(from: source, count: count) }
    let (from, to) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
    func move(_ offset: Int) {
      to.storeBytes(
        of: from.loadUnaligned(fromByteOffset: offset, as: UInt64.self), toByteOffset: offset, as: UInt64.self)
    }
    move(0)
    move(count - 8)
    if count > 16 {
      move(8)
      move(count - 16)
    }
  }

  // MARK: raw bytes

  /// Appends one byte.
  @inlinable @inline(__always)
  public func byte(_ value: UInt8) {
    reserve(1)
    base[written] = value
    written += 1
  }

  /// Appends bytes as they are.
  @inlinable
  public func raw(_ source: UnsafePointer<UInt8>, _ count: Int) {
    reserve(count)
    Self.copy(source, count, to: base + written)
    written += count
  }

  /// Appends text as it is, without quotes or escapes.
  @inlinable public func raw(_ source: UnsafeBufferPointer<UInt8>) {
    if let start = source.baseAddress { raw(start, source.count) }
  }

  /// Appends bytes as they are.
  @inlinable public func raw(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { raw($0) }
  }

  /// Appends bytes as they are.
  @inlinable public func raw(_ bytes: [UInt8]) { raw(bytes.span) }

  /// Appends text as it is, without quotes or escapes.
  @inlinable public func raw(_ text: StaticString) { raw(text.utf8Start, text.utf8CodeUnitCount) }

  /// Appends text as it is, without quotes or escapes.
  ///
  /// Literals take the function above, which need not find out how the text is stored.
  @_disfavoredOverload
  public func raw(_ text: String) {
    var text = text
    text.withUTF8 { raw($0) }
  }

  /// Appends a part of the output of a writer, this one or another.
  @inlinable
  public func copy(_ range: Range<Int>, of other: JSONWriter) {
    precondition(range.lowerBound >= 0 && range.upperBound <= other.written, "copies what was not written")
    // Before the pointer is used: it may point into this buffer.
    reserve(range.count)
    raw(other.base + range.lowerBound, range.count)
  }

  /// Appends the low bytes of a number in memory order, for buffers that only this program reads.
  ///
  /// - Parameter count: at most eight.
  public func plain(_ value: UInt64, bytes count: Int) {
    precondition(count <= 8, "a number has eight bytes")
    reserve(8)
    UnsafeMutableRawPointer(base).storeBytes(of: value.littleEndian, toByteOffset: written, as: UInt64.self)
    written += count
  }

  /// Replaces written bytes by others, from a position.
  package func replace(at place: Int, with bytes: Span<UInt8>) {
    precondition(place >= 0 && place + bytes.count <= written, "replaces what was not written")
    bytes.withUnsafeBufferPointer { bytes in
      if let start = bytes.baseAddress { (base + place).update(from: start, count: bytes.count) }
    }
  }

  /// Changes written bytes in place.
  package func change(_ range: Range<Int>, _ change: (inout MutableSpan<UInt8>) -> Void) {
    precondition(range.lowerBound >= 0 && range.upperBound <= written, "changes what was not written")
    var bytes = MutableSpan(_unsafeStart: base + range.lowerBound, count: range.count)
    change(&bytes)
  }

  // MARK: values

  /// A JSON number.
  public func integer(_ value: Int64) {
    reserve(41)
    if value < 0 { byte(UInt8(ascii: "-")) }
    // Digits come out last first: they are written into the free capacity after the text, then moved.
    var rest = value.magnitude
    var at = written + 40
    repeat {
      at -= 1
      base[at] = UInt8(truncatingIfNeeded: rest % 10) &+ UInt8(ascii: "0")
      rest /= 10
    } while rest > 0
    let digits = written + 40 - at
    (base + written).update(from: base + at, count: digits)
    written += digits
  }

  /// `true` or `false`.
  @inlinable public func boolean(_ value: Bool) { raw(value ? "true" : "false") }

  /// A JSON string with its quotes.
  @inlinable
  public func text(_ text: JSONText) {
    if text.isVerbatim {
      reserve(text.count + 2)
      base[written] = UInt8(ascii: "\"")
      Self.copy(text.base, text.count, to: base + written + 1)
      base[written + 1 + text.count] = UInt8(ascii: "\"")
      written += text.count + 2
    } else {
      escaped(text.buffer)
    }
  }

  /// A JSON string with its quotes.
  public func text(_ text: String) {
    var text = text
    text.withUTF8 { escaped($0) }
  }

  /// A JSON string with its quotes and escapes.
  public func escaped(_ text: Span<UInt8>) { text.withUnsafeBufferPointer { escaped($0) } }

  @usableFromInline
  func escaped(_ text: UnsafeBufferPointer<UInt8>) {
    byte(UInt8(ascii: "\""))
    escapedInside(text)
    byte(UInt8(ascii: "\""))
  }

  /// The content between the quotes of a JSON string.
  @inlinable
  public func inside(_ text: JSONText) {
    if text.isVerbatim { raw(text.base, text.count) } else { escapedInside(text.buffer) }
  }

  @usableFromInline
  func escapedInside(_ text: UnsafeBufferPointer<UInt8>) {
    guard let source = text.baseAddress else { return }
    // Most texts have no escape. JSON in a string has one every ten bytes or so: one loop takes a fifth of the time of a
    // copy for each piece.
    let plain = Int(slipcast_find_escape(source, text.count))
    reserve(2 * text.count - plain)
    Self.copy(source, plain, to: base + written)
    var (place, to) = (plain, base + written + plain)
    while place < text.count {
      let byte = text[place]
      place += 1
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        to.pointee = UInt8(ascii: "\\")
        to += 1
      } else if byte < 0x20 {
        written = to - base
        escape(control: byte)
        reserve(2 * (text.count - place))
        to = base + written
        continue
      }
      to.pointee = byte
      to += 1
    }
    written = to - base
  }

  private func escape(control character: UInt8) {
    switch character {
    case 0x08: raw("\\b")
    case 0x0C: raw("\\f")
    case 0x0A: raw("\\n")
    case 0x0D: raw("\\r")
    case 0x09: raw("\\t")
    default:
      let hex: StaticString = "0123456789abcdef"
      raw("\\u00")
      byte(hex.utf8Start[Int(character >> 4)])
      byte(hex.utf8Start[Int(character & 15)])
    }
  }

  // MARK: members

  /// `"name":`, with a comma before it unless it opens the object.
  public func key(_ name: String) {
    comma()
    text(name)
    byte(UInt8(ascii: ":"))
  }

  /// A comma, unless an object or array has just been opened or the buffer is empty.
  @inlinable
  public func comma() {
    guard written > 0 else { return }
    switch base[written - 1] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: ","), 0x0A: break
    default: byte(UInt8(ascii: ","))
    }
  }

  /// Closes an array whose items each end with a comma.
  public func closeArray() {
    if written > 0, base[written - 1] == UInt8(ascii: ",") { written -= 1 }
    byte(UInt8(ascii: "]"))
  }

  /// A member: name and value.
  public func member(_ name: String, _ value: String) {
    key(name)
    text(value)
  }

  /// A member: name and value.
  public func member(_ name: String, _ value: Int) {
    key(name)
    integer(Int64(value))
  }
}
