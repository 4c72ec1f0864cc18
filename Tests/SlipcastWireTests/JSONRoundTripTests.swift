import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

/// Random values are written, spelled in random ways, read, and written again.
@Suite struct JSONRoundTripTests {
  indirect enum Value: Equatable {
    case null, boolean(Bool), integer(Int64), text(String), array([Value]), object([Member])
  }

  struct Member: Equatable {
    let name: String
    let value: Value
  }

  static let seeds = (0..<100).map(UInt64.init)

  @Test(arguments: seeds)
  func readingUndoesWriting(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let value = Self.value(depth: 4, isRoot: true, &random)
      let writer = JSONWriter(capacity: 64)
      Self.write(value, to: writer)
      let read = try ReadText(writer.buffer)
      #expect(Self.value(of: read.root) == value)
      #expect(read.root.json == writer.string)
    }
  }

  @Test(arguments: seeds)
  func anySpellingReadsAsTheSameValue(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<10 {
      let value = Self.value(depth: 3, isRoot: true, &random)
      let spelled = Self.spell(value, &random)
      let read = try ReadText(spelled)
      #expect(Self.value(of: read.root) == value, "\(spelled)")
      for index in 1..<max(read.tape.count, 1) {
        let piece = read.text(in: read.tape.range(index))
        let alone = try ReadText("[" + piece + "]")
        #expect(alone.tape.count >= 2)
      }
    }
  }

  @Test(arguments: seeds)
  func everyPrefixOfADocumentIsRefused(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let text = Array(Self.spell(Self.value(depth: 3, isRoot: true, &random), &random).utf8)
    let end = text.lastIndex { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "]") } ?? 0
    for count in 0...end {
      let error = #expect(throws: JSONError.self) { try ReadText(text[..<count]) }
      #expect((error?.offset ?? -1) <= count)
    }
  }

  @Test(arguments: seeds)
  func garbageIsReadOrRefusedInsideItsBounds(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      var text = Array(Self.spell(Self.value(depth: 3, isRoot: true, &random), &random).utf8)
      for _ in 0...random.number(0...3) where !text.isEmpty {
        let place = random.number(0...text.count - 1)
        switch random.number(0...2) {
        case 0: text[place] = UInt8(random.number(0...255))
        case 1: text.remove(at: place)
        default: text.insert(random.one(of: Array(#"{}[]",:\01-tfn "#.utf8)), at: place)
        }
      }
      do throws(JSONError) {
        let read = try ReadText(text, names: ["a", "b"])
        for index in 0..<read.tape.count where read.tape.count > 1 {
          #expect(read.tape.range(index).upperBound <= text.count)
        }
      } catch {
        #expect((0...text.count).contains(error.offset), "\(text)")
      }
    }
  }

  // MARK: making, writing, spelling

  private static func value(depth: Int, isRoot: Bool, _ random: inout SeededGenerator) -> Value {
    switch random.number(isRoot ? 4...5 : depth > 0 ? 0...5 : 0...3) {
    case 0: return .null
    case 1: return .boolean(Bool.random(using: &random))
    case 2: return .integer(Int64(bitPattern: random.next()) >> Int64(random.number(0...63)))
    case 3: return .text(text(&random))
    case 4: return .array((0..<random.number(0...4)).map { _ in value(depth: depth - 1, isRoot: false, &random) })
    default:
      return .object(
        (0..<random.number(0...4)).map { _ in
          Member(name: text(&random), value: value(depth: depth - 1, isRoot: false, &random))
        })
    }
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    let bounds: [UInt32] = [0x7F, 0x7F, 0x1F, 0x7FF, 0xFFFF, 0x10FFFF]
    var text = String.UnicodeScalarView()
    for _ in 0..<random.number(0...12) {
      text.append(Unicode.Scalar(UInt32(random.number(0...Int(random.one(of: bounds))))) ?? "\u{FFFD}")
    }
    return String(text)
  }

  private static func write(_ value: Value, to writer: JSONWriter) {
    switch value {
    case .null: writer.raw("null")
    case .boolean(let flag): writer.boolean(flag)
    case .integer(let number): writer.integer(number)
    case .text(let text): writer.text(text)
    case .array(let items):
      writer.byte(UInt8(ascii: "["))
      for item in items {
        writer.comma()
        write(item, to: writer)
      }
      writer.byte(UInt8(ascii: "]"))
    case .object(let members):
      writer.byte(UInt8(ascii: "{"))
      for member in members {
        writer.key(member.name)
        write(member.value, to: writer)
      }
      writer.byte(UInt8(ascii: "}"))
    }
  }

  private static func value(of element: JSONElement) -> Value? {
    switch element.kind {
    case .null: .null
    case .true, .false: element.boolean.map(Value.boolean)
    case .number: element.integer.map(Value.integer)
    case .string: element.string.map(Value.text)
    case .array: .array(element.children.compactMap(value))
    case .object:
      .object(element.children.compactMap { child in value(of: child).map { Member(name: child.name, value: $0) } })
    }
  }

  private static func spell(_ value: Value, _ random: inout SeededGenerator) -> String {
    let blank = random.one(of: ["", "", "", " ", "\n", "\r\n\t "])
    switch value {
    case .null: return blank + "null" + blank
    case .boolean(let flag): return blank + "\(flag)" + blank
    case .integer(let number): return blank + "\(number)" + blank
    case .text(let text): return blank + spell(text, &random) + blank
    case .array(let items):
      return blank + "[" + items.map { spell($0, &random) }.joined(separator: ",") + blank + "]" + blank
    case .object(let members):
      let inside = members.map { blank + spell($0.name, &random) + blank + ":" + spell($0.value, &random) }
      return blank + "{" + inside.joined(separator: ",") + blank + "}" + blank
    }
  }

  private static func spell(_ text: String, _ random: inout SeededGenerator) -> String {
    var spelled = "\""
    for scalar in text.unicodeScalars {
      let mustBeEscaped = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      if scalar == "/", Bool.random(using: &random) {
        spelled += "\\/"
      } else if mustBeEscaped || random.number(0...4) == 0 {
        for unit in Character(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
          spelled += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        spelled.unicodeScalars.append(scalar)
      }
    }
    return spelled + "\""
  }
}
