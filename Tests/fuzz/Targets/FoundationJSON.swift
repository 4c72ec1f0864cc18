import Foundation
@_spi(Slipcast) import SlipcastWire

/// Foundation's reading of JSON, to compare with Slipcast's.
enum FoundationJSON {
  /// Both read the same value, or both reject the text.
  static func requireSameReading(_ bytes: UnsafeBufferPointer<UInt8>, _ texts: TextReader) throws {
    let root: JSONElement
    do throws(JSONError) {
      root = JSONElement(tape: try texts.read(bytes))
    } catch {
      guard mayRead(Array(bytes), refusedFor: error) || value(bytes) == nil else {
        throw Violation("Foundation reads what is refused: \(error.reason)")
      }
      return
    }
    if let value = value(bytes) {
      guard isSame(root, value) else { throw Violation("the value is not Foundation's") }
    } else if !refusesMore(root) {
      throw Violation("Foundation refuses what is read")
    }
  }

  private static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(buffer: bytes), options: .fragmentsAllowed)
  }

  /// Foundation has other limits, and reads other encodings than the one of RFC 8259.
  private static func mayRead(_ bytes: [UInt8], refusedFor error: JSONError) -> Bool {
    switch error.reason {
    case .tooDeep, .recordTooLarge, .memory: true
    case .syntax where isBehindComma(bytes, error.offset): true
    default: bytes.first.map { $0 >= 0x80 } ?? false || bytes.prefix(4).contains(0)
    }
  }

  /// Foundation reads `[1,]` and `{"a":1,}`.
  private static func isBehindComma(_ bytes: [UInt8], _ offset: Int) -> Bool {
    guard offset < bytes.count, [UInt8(ascii: "]"), UInt8(ascii: "}")].contains(bytes[offset]) else { return false }
    return bytes[..<offset].last { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: ",")
  }

  /// What Slipcast reads and Foundation does not: numbers that fit no number of Swift.
  private static func refusesMore(_ element: JSONElement) -> Bool {
    if element.kind == .number { return element.integer == nil }
    return element.children.contains(where: refusesMore)
  }

  /// Foundation takes the mark of the order of bytes off texts and parts of texts, not off the document's start alone.
  private static let mark: Unicode.Scalar = "\u{FEFF}"
  private static func bare(_ text: String) -> some Sequence<Unicode.Scalar> {
    text.unicodeScalars.lazy.filter { $0 != mark }
  }

  /// The same number; what has more digits than a Decimal keeps is rounded by Foundation twice.
  private static func isSame(_ json: String, _ number: NSNumber) -> Bool {
    guard let mine = Double(json) else { return false }
    let others = number.doubleValue
    return mine == others || (number is NSDecimalNumber && abs(mine - others) <= abs(mine) * 1e-14)
  }

  /// The same value; where a key stands twice, readers may differ, so that object is not compared.
  private static func isSame(_ element: JSONElement, _ value: Any) -> Bool {
    switch element.kind {
    case .null: return value is NSNull
    case .true: return value as? Bool == true
    case .false: return value as? Bool == false
    case .number:
      guard let number = value as? NSNumber else { return false }
      // Foundation reads what has an exponent or a fraction as Double.
      if let integer = element.integer, !element.json.contains(where: "eE.".contains) {
        return integer == number.int64Value
      }
      return isSame(element.json, number)
    case .string:
      guard let text = value as? String, let mine = element.string else { return false }
      return bare(mine).elementsEqual(bare(text))
    case .array:
      guard let items = value as? [Any] else { return false }
      let mine = element.children
      return mine.count == items.count && zip(mine, items).allSatisfy(isSame)
    case .object:
      guard let members = value as? [String: Any] else { return false }
      let mine = element.children
      // The mark would be gone from a key, under which nothing could be found then.
      guard !mine.contains(where: { $0.name.unicodeScalars.contains(mark) }) else { return true }
      // Swift compares strings by canonical equivalence: two spellings of one letter are one key for Foundation.
      guard Set(mine.map(\.name)).count == mine.count else { return true }
      return mine.count == members.count
        && mine.allSatisfy { child in members[child.name].map { isSame(child, $0) } ?? false }
    }
  }
}
