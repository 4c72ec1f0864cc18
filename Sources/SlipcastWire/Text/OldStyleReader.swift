struct OldStyleReader {
  typealias Fault = OldStylePropertyList.Fault

  let bytes: [UInt8]
  var at = 0

  /// Receipts are two deep.
  private static let deepest = 32

  private func fault(_ expected: String) -> Fault { Fault(offset: at, expected: expected) }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  mutating func skipBlanks() throws(Fault) {
    while let byte = next {
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
        at += 1
      } else if byte == UInt8(ascii: "/"), at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "/") {
        while let byte = next, byte != 0x0A, byte != 0x0D { at += 1 }
      } else if byte == UInt8(ascii: "/"), at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "*") {
        try skipComment()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(Fault) {
    let start = at
    at += 2
    while at + 1 < bytes.count {
      if bytes[at] == UInt8(ascii: "*"), bytes[at + 1] == UInt8(ascii: "/") {
        at += 2
        return
      }
      at += 1
    }
    throw Fault(offset: start, expected: "a comment that ends")
  }

  // MARK: values

  mutating func value(depth: Int) throws(Fault) -> OldStylePropertyList {
    guard depth < Self.deepest else { throw fault("fewer than \(Self.deepest) values inside each other") }
    try skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return try dictionary(depth)
    case UInt8(ascii: "("): return try array(depth)
    case UInt8(ascii: "<"): return try data()
    default: return .text(try text())
    }
  }

  private mutating func dictionary(_ depth: Int) throws(Fault) -> OldStylePropertyList {
    at += 1
    var members: [(key: String, value: OldStylePropertyList)] = []
    var keys: Set<[UInt8]> = []
    while true {
      try skipBlanks()
      if take("}") { return .dictionary(members) }
      let start = at
      let key = try text()
      // Keys are compared as bytes: Unicode's equality is another one, and costly.
      guard key.utf8.count <= 256 else { throw Fault(offset: start, expected: "a key of at most 256 bytes") }
      guard keys.insert(Array(key.utf8)).inserted else {
        throw Fault(offset: start, expected: "each key once", isDuplicate: true)
      }
      try skipBlanks()
      guard take("=") else { throw fault("= behind a key") }
      let value = try value(depth: depth + 1)
      members.append((key, value))
      try skipBlanks()
      // The last semicolon may be left out.
      if !take(";"), next != UInt8(ascii: "}") { throw fault("; or } after a value") }
    }
  }

  private mutating func array(_ depth: Int) throws(Fault) -> OldStylePropertyList {
    at += 1
    var items: [OldStylePropertyList] = []
    while true {
      try skipBlanks()
      if take(")") { return .array(items) }
      items.append(try value(depth: depth + 1))
      try skipBlanks()
      if !take(","), next != UInt8(ascii: ")") { throw fault(", or ) after a value") }
    }
  }

  private mutating func data() throws(Fault) -> OldStylePropertyList {
    let start = at
    at += 1
    var digits: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: ">") {
      if byte > 0x20 { digits.append(byte) }
      at += 1
    }
    guard take(">"), let data = Hexadecimal.decode(String(decoding: digits, as: UTF8.self)) else {
      throw Fault(offset: start, expected: "hexadecimal digits between < and >")
    }
    return .data(data)
  }

  /// True at the start of a dictionary: `{`, a key and `=`; JSON has a colon after its key.
  mutating func isAtDictionary() -> Bool {
    do throws(Fault) {
      try skipBlanks()
      guard take("{") else { return false }
      try skipBlanks()
      _ = try text()
      try skipBlanks()
      return next == UInt8(ascii: "=")
    } catch {
      return false
    }
  }

  // MARK: texts

  private mutating func text() throws(Fault) -> String {
    let start = at
    var text: [UInt8] = []
    if let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      at += 1
      while let byte = next, byte != quote {
        at += 1
        if byte == UInt8(ascii: "\\") { try escape(&text) } else { text.append(byte) }
      }
      guard next == quote else { throw Fault(offset: start, expected: "a text that ends") }
      at += 1
    } else {
      while let byte = next, Self.isWord(byte) {
        text.append(byte)
        at += 1
      }
      guard !text.isEmpty else { throw fault(at == bytes.count ? "more: the text ends here" : "a value") }
    }
    guard let string = String(validating: text, as: UTF8.self) else {
      throw Fault(offset: start, expected: "a text in UTF-8")
    }
    return string
  }

  private static func isWord(_ byte: UInt8) -> Bool { byte.isAlphanumeric || "_$/:.-+".utf8.contains(byte) }

  /// The character after a backslash: a letter, three octal digits, or `U` and four hexadecimal ones (UTF-16).
  private mutating func escape(_ text: inout [UInt8]) throws(Fault) {
    guard let byte = next else { throw fault("a character after \\") }
    at += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "a"): text.append(0x07)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "v"): text.append(0x0B)
    case UInt8(ascii: "U"), UInt8(ascii: "u"): try unicode(&text)
    case UInt8(ascii: "0")...UInt8(ascii: "7"): try octal(byte, &text)
    default: text.append(byte)
    }
  }

  /// One to three octal digits: a character of the NEXTSTEP encoding, as Core Foundation reads them.
  private mutating func octal(_ first: UInt8, _ text: inout [UInt8]) throws(Fault) {
    let start = at - 1
    var value = Int(first - UInt8(ascii: "0"))
    for _ in 0..<2 {
      guard let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "7") else { break }
      value = value * 8 + Int(byte - UInt8(ascii: "0"))
      at += 1
    }
    if value < 0x80 { return text.append(UInt8(value)) }
    guard value - 0x80 < NextStepEncoding.upperHalf.count else {
      throw Fault(offset: start, expected: "an octal escape up to 375")
    }
    text += Array(String(NextStepEncoding.upperHalf[value - 0x80]).utf8)
  }

  private mutating func unicode(_ text: inout [UInt8]) throws(Fault) {
    var unit = try hexadecimal()
    if (0xD800..<0xDC00).contains(unit), at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
      bytes[at + 1] == UInt8(ascii: "U") || bytes[at + 1] == UInt8(ascii: "u")
    {
      at += 2
      let low = try hexadecimal()
      guard (0xDC00..<0xE000).contains(low) else { throw fault("the second half of a character after its first") }
      unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(unit) else { throw fault("a character") }
    text += Array(String(scalar).utf8)
  }

  private mutating func hexadecimal() throws(Fault) -> UInt32 {
    guard at + 4 <= bytes.count,
      let value = UInt32(String(decoding: bytes[at..<at + 4], as: UTF8.self), radix: 16),
      bytes[at] != UInt8(ascii: "+"), bytes[at] != UInt8(ascii: "-")
    else { throw fault("four hexadecimal digits") }
    at += 4
    return value
  }
}

/// The 8-bit encoding that octal escapes speak.
private enum NextStepEncoding {
  /// Characters 0x80 to 0xFD; the last two codes have no character.
  ///
  /// Source: Unicode, MAPPINGS/VENDORS/NEXT/NEXTSTEP.TXT.
  static let upperHalf = Array(
    ("\u{A0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ®–†‡·¦¶•‚„”»…‰¬¿¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ"
      + "—±¼½¾àáâãäåçèéêëìÆíªîïðñŁØŒºòóôõöæùúûıüýłøœßþÿ").unicodeScalars)
}
