import SlipcastLegacy
@_spi(Slipcast) import SlipcastWire

/// Writes a JSON value in another spelling: members in the opposite order, other blanks, characters as escapes, whole
/// numbers as strings and strings of digits as numbers where readers take both, and flags likewise.
final class Respelling {
  private let writer = JSONWriter()
  private let names = Dictionary(uniqueKeysWithValues: LegacyKey.allCases.map { (Array($0.name.utf8), $0) })
  private let kinds = Dictionary(grouping: LegacyScope.allCases.flatMap(\.fields), by: \.key)
    .mapValues { Set($0.map(\.kind)) }
  private static let numbers: Set<LegacyKind> = [.identifier, .eitherNumber, .integer, .number, .milliseconds]
  private static let flags: Set<LegacyKind> = [.flagWord, .flagDigit]

  /// The other spelling, valid until the next one; `nil` where a key occurs twice in an object, because then the order of
  /// keys has a meaning.
  func spell(_ root: JSONElement) -> UnsafeBufferPointer<UInt8>? {
    writer.clear()
    return write(root) ? writer.buffer : nil
  }

  private func write(_ element: JSONElement) -> Bool {
    switch element.kind {
    case .object: return writeMembers(element.children)
    case .array:
      writer.raw("[\t")
      for (place, child) in element.children.enumerated() {
        if place > 0 { writer.raw(" ,") }
        guard write(child) else { return false }
      }
      writer.raw("\r\n]")
    case .string: writeEscaped(element.tape.text(element.index))
    default: writer.copy(element)
    }
    return true
  }

  private func writeMembers(_ members: [JSONElement]) -> Bool {
    let keys = members.map { $0.tape.key($0.index) }
    guard Set(keys).count == keys.count else { return false }
    writer.raw("{\n")
    for (place, member) in members.enumerated().reversed() {
      if place < members.count - 1 { writer.raw(",  ") }
      writeEscaped(keys[place])
      writer.raw(" : ")
      if !writeOther(member, key: keys[place]), !write(member) { return false }
    }
    writer.raw("}")
    return true
  }

  private func writeEscaped(_ text: JSONText) {
    writer.raw("\"")
    for unit in String(decoding: text.buffer, as: UTF8.self).utf16 {
      writer.raw("\\u")
      for shift in [12, 8, 4, 0] { writer.byte(Self.digits[Int(unit >> shift & 15)]) }
    }
    writer.raw("\"")
  }

  private static let digits = Array("0123456789abcdef".utf8)

  /// Writes a whole number or a flag as a string, or the other way round, for keys that contain one; false for others.
  private func writeOther(_ member: JSONElement, key: JSONText) -> Bool {
    guard let known = names[Array(key.buffer)], let kinds = kinds[known] else { return false }
    let text = member.tape.text(member.index)
    switch member.kind {
    case .number where kinds.isSubset(of: Self.numbers) && Self.isWhole(text.buffer):
      writer.raw("\"")
      writer.raw(text.buffer)
      writer.raw("\"")
    case .string where kinds.isSubset(of: Self.numbers) && Self.isWhole(text.buffer): writer.raw(text.buffer)
    case .true where kinds.isSubset(of: Self.flags): writer.raw("\"true\"")
    case .false where kinds.isSubset(of: Self.flags): writer.raw("\"false\"")
    case .string where kinds.isSubset(of: Self.flags) && Self.isFlag(text): writer.raw(text.buffer)
    default: return false
    }
    return true
  }

  private static func isFlag(_ text: JSONText) -> Bool {
    text == "true" || text == "false" || text == "0" || text == "1"
  }

  /// JSON's own spelling of a whole number.
  private static func isWhole(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
    guard let first = digits.first, digits.allSatisfy({ (48...57).contains($0) }) else { return false }
    return digits.count == 1 ? text.count == 1 || first != 48 : first != 48
  }
}
