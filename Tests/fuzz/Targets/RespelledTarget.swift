import SlipcastLegacy
import SlipcastMapping
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire

extension FuzzTarget {
  /// The cast of a record beside the cast of the same record, spelled in another way.
  static let respelled = FuzzTarget(
    name: "respelled",
    summary: "the order of keys, blanks, escapes, and numbers in strings change nothing in the cast",
    seeds: { try Seeds.files(["notifications", "receipts"], named: ["v1.json"], most: 120) },
    words: LegacyWords.all,
    make: {
      let converter = try LegacyConverter()
      return { bytes in
        guard let text = try? ReadText(Array(bytes)),
          let respelled = withExtendedLifetime(text, { Respelling(text.root).text })
        else { return }
        for emission in Emission.allCases {
          let first = outcome(Array(bytes), emission, converter)
          let second = outcome(respelled, emission, converter)
          guard first == second else {
            let spelling = String(decoding: respelled, as: UTF8.self)
            throw Violation("another cast of the same record:\n\(first)\n\(second)\n\(spelling)")
          }
        }
      }
    })

  private static func outcome(_ record: [UInt8], _ emission: Emission, _ converter: LegacyConverter) -> String {
    do {
      return try converter.convert(record, into: emission).json
    } catch let error as LegacyError {
      return "refused: \(error.code)"
    } catch let error as ConversionError {
      return "refused: \(error.code)"
    } catch {
      return "refused"
    }
  }
}

/// A JSON value written anew: members in the opposite order, other blanks, characters as escapes, whole numbers as
/// strings and strings of digits as numbers where readers take both.
struct Respelling {
  /// The text; `nil` where a key stands twice in an object: then the order of keys has a meaning.
  let text: [UInt8]?

  init(_ root: JSONElement) {
    let writer = JSONWriter(capacity: 4096)
    text = Self.write(root, to: writer) ? Array(writer.buffer) : nil
  }

  private static func write(_ element: JSONElement, to writer: JSONWriter) -> Bool {
    switch element.kind {
    case .object: return writeMembers(element.children, to: writer)
    case .array:
      writer.raw("[\t")
      for (place, child) in element.children.enumerated() {
        if place > 0 { writer.raw(" ,") }
        guard write(child, to: writer) else { return false }
      }
      writer.raw("\r\n]")
    case .string: writeEscaped(element.string ?? "", to: writer)
    default: writer.raw(element.json)
    }
    return true
  }

  private static func writeMembers(_ members: [JSONElement], to writer: JSONWriter) -> Bool {
    guard Set(members.map { Array($0.name.utf8) }).count == members.count else { return false }
    writer.raw("{\n")
    for (place, member) in members.reversed().enumerated() {
      if place > 0 { writer.raw(",  ") }
      writeEscaped(member.name, to: writer)
      writer.raw(" : ")
      if let other = otherDress(of: member) {
        writer.raw(other)
      } else {
        guard write(member, to: writer) else { return false }
      }
    }
    writer.raw("}")
    return true
  }

  private static func writeEscaped(_ text: String, to writer: JSONWriter) {
    writer.raw("\"")
    for unit in text.utf16 {
      let digits = String(unit, radix: 16)
      writer.raw("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }
    writer.raw("\"")
  }

  /// A whole number as a string, or the other way round, for keys that hold numbers.
  private static func otherDress(of member: JSONElement) -> String? {
    guard let key = LegacyKey.allCases.first(where: { $0.name == member.name }), isNumeric(key) else { return nil }
    switch member.kind {
    case .number: return isWhole(member.json) ? "\"\(member.json)\"" : nil
    case .string: return member.string.flatMap { isWhole($0) ? $0 : nil }
    default: return nil
    }
  }

  private static func isNumeric(_ key: LegacyKey) -> Bool {
    let kinds = LegacyScope.allCases.flatMap(\.fields).filter { $0.key == key }.map(\.kind)
    return kinds.allSatisfy { [.identifier, .eitherNumber, .integer, .number, .milliseconds].contains($0) }
  }

  /// JSON's own spelling of a whole number.
  private static func isWhole(_ text: String) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard let first = digits.first, digits.allSatisfy({ (48...57).contains($0) }) else { return false }
    return digits.count == 1 ? text != "-0" : first != 48
  }
}
