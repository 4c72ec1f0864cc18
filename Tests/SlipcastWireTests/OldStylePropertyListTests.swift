import SlipcastTestSupport
import SlipcastWire
import Testing

@Suite struct OldStylePropertyListTests {
  typealias List = OldStylePropertyList

  static func fault(_ text: String) -> List.Fault? {
    do throws(List.Fault) {
      _ = try List(Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  static func text(_ quoted: String) throws -> String? { try List(Array("{ key = \(quoted); }".utf8))["key"] }

  @Test(arguments: [
    #"{ "key" = "value"; }"#, #"{"key"="value"}"#, "{key=value;}", "{\r\n\tkey\r\n=\r\nvalue\r\n;\r\n}\r\n",
    "// first\n{ key /* why */ = /* {} */ value; } // last", "/**/{key=value}", "{ 'key' = 'value'; }",
    "\u{B}\u{C}{ key = value; }",
  ])
  func blanksCommentsAndQuotesChangeNothing(_ text: String) throws {
    #expect(try List(Array(text.utf8))["key"] == "value")
  }

  @Test func everyKindOfValueIsRead() throws {
    let list = try List(Array("{ a = (1, two, { b = <0F bd 00>; }, ()); c = <>; d = {}; e = a.b/c-d:e_f$g; }".utf8))
    guard case .dictionary(let members) = list else {
      Issue.record("no dictionary")
      return
    }
    #expect(members.map(\.key) == ["a", "c", "d", "e"])
    let expected: [List] = [
      .array([.text("1"), .text("two"), .dictionary([("b", .data([0x0F, 0xBD, 0]))]), .array([])]), .data([]),
      .dictionary([]),
    ]
    #expect(members.prefix(3).map { "\($0.value)" } == expected.map { "\($0)" })
    #expect(list["e"] == "a.b/c-d:e_f$g")
    #expect(list["a"] == nil)
    #expect(list["nowhere"] == nil)
  }

  @Test(arguments: [
    (#""\"\\\n\t\r\a\b\f\v\'""#, "\"\\\n\t\r\u{7}\u{8}\u{C}\u{B}'"), (#""caf\U00e9""#, "café"),
    (#""\Ud83d\Ude00""#, "😀"), (#""\101\60\7""#, "A0\u{7}"), (#""\1011""#, "A1"), (#""\341\375""#, "Æÿ"),
    (#""\200\256""#, "\u{A0}ﬁ"), (#""// no comment /* none */""#, "// no comment /* none */"), ("\"größe\"", "größe"),
    (#""""#, ""), ("\"two\nlines\"", "two\nlines"),
  ])
  func escapesAreResolved(_ quoted: String, _ text: String) throws {
    #expect(try Self.text(quoted) == text)
  }

  @Test(arguments: [
    (#""\376""#, "octal escape"), (#""\777""#, "octal escape"), (#""\U12""#, "four hexadecimal digits"),
    (#""\U+123""#, "four hexadecimal digits"), (#""\Ud83d""#, "a character"), (#""\Ude00""#, "a character"),
    (#""\Ud83d\U0041""#, "second half"), (#""abc"#, "a text that ends"), ("<0>", "hexadecimal"),
    ("<0g>", "hexadecimal"),
    ("<00", "hexadecimal"), ("(a b)", ", or )"), ("(a", ", or )"), (";", "a value"), ("a b", "; or }"),
    ("/* never", "a comment that ends"), ("=", "a value"),
  ])
  func whatIsBrokenInAValueIsNamed(_ value: String, _ words: String) {
    let fault = Self.fault("{ key = \(value); }")
    #expect(fault?.expected.contains(words) == true, "\(String(describing: fault))")
    #expect((fault?.offset ?? 0) >= 8)
    #expect(fault?.isDuplicate == false)
  }

  @Test(arguments: [
    ("", 0), ("   ", 3), ("{", 1), ("{ a", 3), ("{ a = ", 6), ("{ a = b } c", 10), ("{} {}", 3), ("}", 0),
    ("{ = b; }", 2), ("{ a b }", 4), ("/*", 0),
  ])
  func theByteAtFaultIsNamed(_ text: String, _ offset: Int) {
    #expect(Self.fault(text)?.offset == offset)
  }

  @Test func aKeyThatStandsTwiceIsRefusedWhereItStandsAgain() {
    let fault = Self.fault(#"{ "a" = 1; b = { a = 2; }; "\141" = 3; }"#)
    #expect(fault?.isDuplicate == true)
    #expect(fault?.offset == 27)
  }

  @Test func bytesThatAreNoUTF8AreRefused() {
    #expect(throws: List.Fault.self) { try List(Array("{ a = \"".utf8) + [0xFF] + Array("\"; }".utf8)) }
    #expect(throws: List.Fault.self) { try List([0xFF]) }
  }

  @Test(arguments: ["(", "{a=", "(("])
  func deepNestingIsRefusedWithoutRecursingIntoIt(_ opening: String) {
    let fault = Self.fault(String(repeating: opening, count: 100_000))
    #expect(fault?.expected.contains("32") == true)
    #expect(Self.fault(String(repeating: "(", count: 32) + String(repeating: ")", count: 32)) == nil)
    #expect(Self.fault(String(repeating: "(", count: 33) + String(repeating: ")", count: 33)) != nil)
  }

  @Test(arguments: [
    ("{ a = b; }", true), (" // note: 1\n{ \"a:b\" = c", true), ("{\"a\"=", true), (#"{"a": "b"}"#, false),
    (#"{"a": "b=c"}"#, false), ("{}", false), ("(a)", false), ("", false), ("{", false), ("{\"a", false),
  ])
  func aDictionaryIsToldFromJSONByItsFirstKey(_ text: String, _ isDictionary: Bool) {
    #expect(List.isDictionary(Array(text.utf8)) == isDictionary)
  }

  @Test func everyPrefixAndEveryMutationEndsInAListOrAFault() {
    let text = Array((#"{ "a" = "x\U00e9\101\"y"; b = (1, <0fbd>, {c = d;}); /* e */ f = g; // h"# + "\n}").utf8)
    for count in 0..<text.count { #expect(throws: List.Fault.self) { try List(Array(text.prefix(count))) } }
    var random = SeededGenerator(seed: 6)
    for _ in 0..<20_000 { _ = try? List(random.mutated(text)) }
  }

  @Test func keysAreComparedAsBytes() throws {
    let list = try OldStylePropertyList(Array("{ \"\u{E9}\" = 1; \"e\u{301}\" = 2; }".utf8))
    guard case .dictionary(let members) = list else { return #expect(Bool(false), "no dictionary") }
    #expect(members.count == 2)
    #expect(throws: OldStylePropertyList.Fault.self) {
      try OldStylePropertyList(Array("{ \"\(String(repeating: "k", count: 257))\" = 1; }".utf8))
    }
  }
}
