import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

/// Every reason with the place it is found at: bytes from the start, and the value that was being read.
@Suite struct JSONErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let reason: JSONError.Reason
    let offset: Int
    let path: String

    var testDescription: String { text.debugDescription }

    init(_ text: String, _ reason: JSONError.Reason, at offset: Int, _ path: String = "") {
      (self.text, self.reason, self.offset, self.path) = (text, reason, offset, path)
    }
  }

  static let unfinished: [Case] = [
    Case("", .empty, at: 0),
    Case(" \t\r\n", .empty, at: 0),
    Case("{", .incomplete, at: 1),
    Case(#"{"a""#, .incomplete, at: 4),
    Case(#"{"a":"#, .incomplete, at: 5, "a"),
    Case(#"{"a":1"#, .incomplete, at: 6, "a"),
    Case(#"{"a":1,"#, .incomplete, at: 7, "a"),
    Case(#"{"a":{"b":[]"#, .incomplete, at: 12, "a.b"),
    Case(#"{"a":[1,2"#, .incomplete, at: 9, "a[1]"),
    Case(#"{"a":[1,{"b":"#, .incomplete, at: 13, "a[1].b"),
  ]

  static let misplaced: [Case] = [
    Case("x", .syntax, at: 0),
    Case("}", .syntax, at: 0),
    Case("{a:1}", .syntax, at: 1),
    Case("{'a':1}", .syntax, at: 1),
    Case("{,}", .syntax, at: 1),
    Case("{1:2}", .syntax, at: 1),
    Case(#"{"a" 1}"#, .syntax, at: 5),
    Case(#"{"a",1}"#, .syntax, at: 4),
    Case(#"{"a":}"#, .syntax, at: 5, "a"),
    Case(#"{"a"::1}"#, .syntax, at: 5, "a"),
    Case(#"{"a":1,}"#, .syntax, at: 7, "a"),
    Case(#"{"a":1 "b":2}"#, .syntax, at: 7, "a"),
    Case(#"{"a":1:2}"#, .syntax, at: 6, "a"),
    Case(#"{"a":"b":2}"#, .syntax, at: 8, "a"),
    Case(#"{"a":"b" : 2,"c":3}"#, .syntax, at: 9, "a"),
    Case(#"{"x":{"a":"b":2,"c":3}}"#, .syntax, at: 13, "x.a"),
    Case(#"{"x":["a":1]}"#, .syntax, at: 9, "x[0]"),
    Case(#"["a":1]"#, .syntax, at: 4, "[0]"),
    Case(#"{"a":1]"#, .syntax, at: 6, "a"),
    Case(#"{"a":[1,2}"#, .syntax, at: 9, "a[1]"),
    Case(#"{"a":[1,2},"b":3}"#, .syntax, at: 9, "a[1]"),
    Case("[1,]", .syntax, at: 3, "[1]"),
    Case("[1 2]", .syntax, at: 3, "[0]"),
    Case(#"["a"x]"#, .syntax, at: 4, "[0]"),
    Case(#"[[1],[2,{"c":[x]}]]"#, .syntax, at: 14, "[1][1].c[0]"),
    Case("[\u{0}]", .syntax, at: 1, "[0]"),
    Case("\u{FEFF}{}", .syntax, at: 0),
  ]

  static let words: [Case] = [
    Case("[tru]", .literal, at: 1, "[0]"),
    Case("[fals]", .literal, at: 1, "[0]"),
    Case("[nulll]", .literal, at: 1, "[0]"),
    Case("[true1]", .literal, at: 1, "[0]"),
    Case(#"{"a":{"b":nul}}"#, .literal, at: 10, "a.b"),
    Case("[True]", .syntax, at: 1, "[0]"),
    Case("[None]", .syntax, at: 1, "[0]"),
    Case("[NaN]", .syntax, at: 1, "[0]"),
    Case("[Infinity]", .syntax, at: 1, "[0]"),
  ]

  static let numbers: [Case] = [
    Case(#"{"a":01}"#, .number, at: 5, "a"),
    Case("[00]", .number, at: 1, "[0]"),
    Case("[1 ,-01]", .number, at: 4, "[1]"),
    Case("[1.]", .number, at: 1, "[0]"),
    Case("[1.5.2]", .number, at: 1, "[0]"),
    Case("[1e]", .number, at: 1, "[0]"),
    Case("[1e+]", .number, at: 1, "[0]"),
    Case("[-]", .number, at: 1, "[0]"),
    Case("[--1]", .number, at: 1, "[0]"),
    Case("[-Infinity]", .number, at: 1, "[0]"),
    Case("[0x10]", .number, at: 1, "[0]"),
    Case("[12a]", .number, at: 1, "[0]"),
    Case("[+1]", .syntax, at: 1, "[0]"),
    Case("[.5]", .syntax, at: 1, "[0]"),
    Case("[123456789012345678901234567890123456789.]", .number, at: 1, "[0]"),
    Case("[0123456789012345678901234567890123456789]", .number, at: 1, "[0]"),
  ]

  static let strings: [Case] = [
    Case(#"{"a":"\x"}"#, .escape, at: 5, "a"),
    Case(#"{"a":"\u12g4"}"#, .escape, at: 5, "a"),
    Case(#"{"a":"\u12"}"#, .escape, at: 5, "a"),
    Case(#"{"k":"\n","a":"b\ud800c"}"#, .escape, at: 14, "a"),
    Case(#"{"a":"\udc00"}"#, .escape, at: 5, "a"),
    Case(#"{"a":["",{"b":"\ud83d\ud83d"}]}"#, .escape, at: 14, "a[1].b"),
    Case(#"{"\ud800":1}"#, .escape, at: 1, "name(6)"),
    Case("{\"a\":\"x\u{1}y\"}", .controlCharacter, at: 7, "a"),
    Case("{\"a\":[0,\"x\ny\"]}", .controlCharacter, at: 10, "a[1]"),
    Case("{\"a\\\"\u{2}b\":1}", .controlCharacter, at: 5),
    Case("{\"a\":\"\\n\",\"b\":\"\t\"}", .controlCharacter, at: 15, "b"),
    Case(#"{"a":""#, .unclosedString, at: 5, "a"),
    Case(#"{"a":{"b":[{},"x"#, .unclosedString, at: 14, "a.b[1]"),
    Case(#"{"a"#, .unclosedString, at: 1),
    Case(#"{"a":"x\"#, .unclosedString, at: 5, "a"),
    Case(#"["abc","\""#, .unclosedString, at: 7, "[1]"),
    Case(#"{"a":"b"c"}"#, .unclosedString, at: 9, "a"),
    Case(#"{a":"b"}"#, .unclosedString, at: 6),
    Case(#"{"x":{a":"b"}}"#, .unclosedString, at: 11, "x"),
  ]

  static let trailing: [Case] = [
    Case("{} x", .trailing, at: 3),
    Case("{}{}", .trailing, at: 2),
    Case("{}}", .trailing, at: 2),
    Case("[1],[2]", .trailing, at: 3),
    Case("[] \n{}", .trailing, at: 4),
    Case("{}\u{0}", .trailing, at: 2),
    Case("{}\u{FEFF}", .trailing, at: 2),
  ]

  static let scalars: [Case] = [
    Case("123\u{0}", .number, at: 0),
    Case("2@", .number, at: 0),
    Case("-", .number, at: 0),
    Case("01", .number, at: 0),
    Case("1.5.2 ", .number, at: 0),
    Case(" nul ", .literal, at: 1),
    Case("nullx", .literal, at: 0),
    Case("truefalse", .literal, at: 0),
    Case("false\u{0}", .literal, at: 0),
    Case("True", .syntax, at: 0),
    Case(#""\UA66D""#, .escape, at: 0),
    Case(#""\ud800""#, .escape, at: 0),
    Case("\"\"x", .trailing, at: 2),
    Case(#""a" "b""#, .trailing, at: 4),
    Case("1]", .trailing, at: 1),
    Case("1 2", .trailing, at: 2),
    Case("null,null", .trailing, at: 4),
    Case("true {}", .trailing, at: 5),
  ]

  @Test(arguments: scalars)
  func aBrokenScalarIsRefusedAsWhatStandsInsideARecord(_ broken: Case) {
    aBrokenTextIsRefusedWithItsReasonAndPlace(broken)
  }

  @Test(arguments: unfinished + misplaced + words + numbers + strings + trailing)
  func aBrokenTextIsRefusedWithItsReasonAndPlace(_ broken: Case) {
    let error = #expect(throws: JSONError.self) { try ReadText(broken.text) }
    #expect(error?.reason == broken.reason)
    #expect(error?.offset == broken.offset)
    #expect(error?.path.description == broken.path)
  }

  @Test(arguments: [
    ("x", "byte 0: expected JSON, found a character that JSON does not allow here"),
    (#"{"a":{"b":1} x}"#, "byte 13: a: expected JSON, found a character that JSON does not allow here"),
    (#"{"a":["b"#, "byte 6: a[0]: a string begins here and has no end"),
  ])
  func theTextSaysWhere(_ json: String, _ text: String) {
    let error = #expect(throws: JSONError.self) { try ReadText(json) }
    #expect(error?.description == text)
  }

  static let behindContainers: [Case] = [
    Case(#"{"a":{"b":1} x}"#, .syntax, at: 13, "a"),
    Case(#"{"a":{"b":1},"c":{"d":2} "e":3}"#, .syntax, at: 25, "c"),
    Case(#"[{"b":1} x]"#, .syntax, at: 9, "[0]"),
    Case(#"{"a":[1,[2,3]"#, .incomplete, at: 13, "a[1]"),
  ]

  @Test(arguments: behindContainers)
  func aFaultBehindAClosedContainerNamesThatContainer(_ broken: Case) {
    let error = #expect(throws: JSONError.self) { try ReadText(broken.text) }
    #expect(error?.reason == broken.reason)
    #expect(error?.offset == broken.offset)
    #expect(error?.path.description == broken.path)
  }

  @Test func aBareControlCharacterBehindABackslashIsFoundWhereItStands() {
    let error = #expect(throws: JSONError.self) { try ReadText("{\"a\":\"x\\\ny\"}") }
    #expect(error?.reason == .controlCharacter)
    #expect(error?.offset == 8)
  }

  struct Bytes: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let offset: Int
    let path: String

    var testDescription: String { bytes.map { String($0, radix: 16) }.joined(separator: " ") }

    init(_ before: String, _ bytes: [UInt8], _ behind: String, at offset: Int, _ path: String = "") {
      (self.bytes, self.offset, self.path) = (Array(before.utf8) + bytes + Array(behind.utf8), offset, path)
    }
  }

  static let notUTF8: [Bytes] = [
    Bytes(#"{"a":"b"#, [0xFF], #""}"#, at: 7, "a"),
    Bytes("", [0xFF], "", at: 0),
    Bytes(#"["é€𝄞"#, [0x80], #""]"#, at: 11, "[0]"),
    Bytes(#"[""#, [0xE2, 0x82], #""]"#, at: 2, "[0]"),
    Bytes(#"[""#, [0xC0, 0x80], #""]"#, at: 2, "[0]"),
    Bytes(#"[""#, [0xED, 0xA0, 0x80], #""]"#, at: 2, "[0]"),
    Bytes(#"[""#, [0xF4, 0x90, 0x80, 0x80], #""]"#, at: 2, "[0]"),
    Bytes(#"{"k"#, [0xC3], #"":1}"#, at: 3),
    Bytes("", [0xFE, 0xFF, 0x00, 0x7B], "", at: 0),
    Bytes(String(repeating: " ", count: 1000) + "{}", [0xA0], "", at: 1002),
  ]

  @Test(arguments: notUTF8)
  func aByteThatIsNoUTF8IsFoundWhereItStands(_ broken: Bytes) {
    let error = #expect(throws: JSONError.self) { try ReadText(broken.bytes) }
    #expect(error?.reason == .utf8)
    #expect(error?.offset == broken.offset)
    #expect(error?.path.description == broken.path)
  }

  @Test(arguments: ["[", #"{"a":"#], [true, false])
  func nestingBeyondTheLimitIsRefusedAtItsBracket(_ bracket: String, isClosed: Bool) {
    let count = 100_000
    let closing = isClosed ? String(repeating: bracket == "[" ? "]" : "}", count: count) : ""
    let error = #expect(throws: JSONError.self) {
      try ReadText(String(repeating: bracket, count: count) + "1" + closing)
    }
    #expect(error?.reason == .tooDeep(limit: 128))
    #expect(error?.offset == 128 * bracket.utf8.count)
    #expect(error?.path.steps.count == 12)
  }

  @Test(arguments: 1...6)
  func nestingUpToTheLimitIsRead(_ depth: Int) throws {
    let limits = JSONLimits(depth: depth)
    let text = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    #expect(try ReadText(text(depth), limits: limits).tape.count == depth)
    #expect(throws: JSONError.self) { try ReadText(text(depth + 1), limits: limits) }
  }

  @Test func aRecordMayHaveExactlyAsManyBytesAsTheLimit() throws {
    let limits = JSONLimits(recordBytes: 9)
    _ = try ReadText(#"{"a":123}"#, limits: limits)
    #expect(throws: JSONError(reason: .recordTooLarge(limit: 9), path: JSONPath(), offset: 9)) {
      try ReadText(#"{"a":1234}"#, limits: limits)
    }
  }

  @Test func theDescriptionNeverShowsTheText() {
    let all = Self.unfinished + Self.misplaced + Self.words + Self.numbers + Self.strings + Self.trailing
    for broken in all where broken.text.count > 3 {
      do throws(JSONError) {
        _ = try ReadText(broken.text)
      } catch {
        #expect(!error.description.contains(broken.text))
        #expect(!error.code.isEmpty && error.code.allSatisfy { $0.isLetter || $0.isNumber })
      }
    }
  }
}
