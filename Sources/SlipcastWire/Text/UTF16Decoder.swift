/// Text in UTF-16, as programs of Windows write it, as UTF-8.
package struct UTF16Decoder {
  /// A half of a character without its other half, or a text that ends inside a character.
  package struct Fault: Error {
    /// Bytes from the start of the text, its mark included.
    package var offset: Int
  }

  private let isLittle: Bool
  /// The bytes of the mark, which are not decoded.
  private var mark: Int
  private var passed = 0
  /// The first byte of a unit whose second one has not come.
  private var half: UInt8?
  /// The first unit of a character of two.
  private var lead: UInt16?

  /// Recognizes a text by its mark, or by the zeros around its first two characters; `nil` for anything else.
  package init?(head: some Collection<UInt8>) {
    let head = Array(head.prefix(4))
    guard head.count == 4 else { return nil }
    let isText = { (byte: UInt8) in 0x20..<0x7F ~= byte || 0x09...0x0D ~= byte }
    switch (head[0], head[1], head[2], head[3]) {
    // The marks of UTF-32.
    case (0xFF, 0xFE, 0, 0), (0, 0, 0xFE, 0xFF): return nil
    case (0xFF, 0xFE, _, _): (isLittle, mark) = (true, 2)
    case (0xFE, 0xFF, _, _): (isLittle, mark) = (false, 2)
    case (let one, 0, let two, 0) where isText(one) && isText(two): (isLittle, mark) = (true, 0)
    case (0, let one, 0, let two) where isText(one) && isText(two): (isLittle, mark) = (false, 0)
    default: return nil
    }
  }

  /// Appends what further bytes of the text say.
  package mutating func decode(_ bytes: Span<UInt8>, into text: inout [UInt8]) throws(Fault) {
    for place in bytes.indices {
      passed += 1
      if mark > 0 {
        mark -= 1
        continue
      }
      guard let first = half else {
        half = bytes[place]
        continue
      }
      half = nil
      let second = bytes[place]
      try add(isLittle ? UInt16(second) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(second), to: &text)
    }
  }

  private mutating func add(_ unit: UInt16, to text: inout [UInt8]) throws(Fault) {
    if let lead {
      guard UTF16.isTrailSurrogate(unit) else { throw Fault(offset: passed - 2) }
      self.lead = nil
      Self.append(0x10000 + (UInt32(lead) - 0xD800) << 10 + (UInt32(unit) - 0xDC00), to: &text)
    } else if UTF16.isLeadSurrogate(unit) {
      lead = unit
    } else {
      guard !UTF16.isTrailSurrogate(unit) else { throw Fault(offset: passed - 2) }
      Self.append(UInt32(unit), to: &text)
    }
  }

  private static func append(_ code: UInt32, to text: inout [UInt8]) {
    guard code >= 0x80 else { return text.append(UInt8(code)) }
    let part = { (shift: UInt32) in UInt8(0x80 | code >> shift & 0x3F) }
    if code < 0x800 {
      text += [UInt8(0xC0 | code >> 6), part(0)]
    } else if code < 0x10000 {
      text += [UInt8(0xE0 | code >> 12), part(6), part(0)]
    } else {
      text += [UInt8(0xF0 | code >> 18), part(12), part(6), part(0)]
    }
  }

  /// The end of the text.
  package func finish() throws(Fault) { if half != nil || lead != nil { throw Fault(offset: passed) } }

  /// The whole of a text as UTF-8; a text that is not UTF-16 stays as it is.
  package static func utf8(_ bytes: [UInt8]) throws(Fault) -> [UInt8] {
    guard var decoder = UTF16Decoder(head: bytes) else { return bytes }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 2)
    try decoder.decode(bytes.span, into: &text)
    try decoder.finish()
    return text
  }
}
