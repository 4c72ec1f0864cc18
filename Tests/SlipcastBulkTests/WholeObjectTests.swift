import SlipcastTestSupport
import SlipcastWire
import Testing

@testable import SlipcastBulk

/// Whole objects are passed quickly, by the same grammar as the careful scanner of arrays.
@Suite struct WholeObjectTests {
  /// The same, byte by byte with `ArrayGrammar`.
  static func expected(_ text: [UInt8]) -> (end: Int, isWhole: Bool) {
    var grammar = ArrayGrammar()
    grammar.brackets = [ArrayGrammar.array]
    var place = 0
    while place < text.count {
      guard grammar.accept(text[place]) else { return (place, false) }
      place += 1
      if grammar.depth == 1, !grammar.isInString { return (place, true) }
    }
    return (place, false)
  }

  static func check(_ text: String) {
    let bytes = Array(text.utf8)
    let (found, wanted) = (WholeObject.end(in: bytes.span, from: 0), expected(bytes))
    #expect(found.end == wanted.end && found.isWhole == wanted.isWhole, "\(text.prefix(200))")
  }

  @Test(arguments: [
    "{}", "{", "{\"a\":1}", "{\"a\":1}}", "{\"a\" 1}", "{\"a\":[1,{}]}x", "{\"a\":[1,{}]]", "{\"a\":\"\\\"}\"}",
    "{\"a\":\"\n\"}",
    "{\"a\":\"\\\n\"}", "{\"a\":\"\\", "{\"a\":tr ue}", "{a}", "{\"a\":1,}", "{,}", "{\"a\":,}", "{\"a\":1 \"b\":2}",
    "{\"a\":[}",
    "{\"a\":\"\\u0041\\/\"}", "{\"a\":1:2}", "{\"a\":\"b\"\"c\"}", "{\"a\":[\"b\" \"c\"]}",
  ])
  func endsWhereTheGrammarSays(_ text: String) { Self.check(text) }

  @Test(arguments: [1, 47, 48, 49, 63, 64, 65, 100, 1000, 5000])
  func longStringsEndAtTheirQuote(_ length: Int) {
    let plain = String(repeating: "M", count: length)
    for content in [
      plain, plain + "\\\"", "\\/" + plain, plain + "\\\\", plain + "\n", plain + "\\\n", plain + "\\/" + plain,
    ] {
      Self.check("{\"a\":\"\(content)\",\"b\":\"\(content)\"} ")
      Self.check("{\"a\":\"\(content)")
    }
  }

  @Test(arguments: [1, 63, 64, 65, 127, 128, 129, 1000, 1022, 1023, 1024, 1025, 2000])
  func bracketsNestAsDeepAsTheScannerAllows(_ depth: Int) {
    Self.check(String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth))
    let arrays = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
    Self.check("{\"a\":\(arrays.isEmpty ? "0" : arrays)}")
    let mixed = (0..<depth).map { $0 % 3 == 0 ? "[" : "{\"a\":" }.joined()
    let ends = (0..<depth).reversed().map { $0 % 3 == 0 ? "]" : "}" }.joined()
    Self.check("{\"a\":\(mixed)1\(ends)}")
  }

  @Test(arguments: 0..<40)
  func anyTextEndsWhereTheGrammarSays(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let pieces = ["{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\\", "1", " ", "\n", "\"a\":", "{\"b\":2}", "true"]
    for _ in 0..<200 {
      let count = random.number(0...30)
      Self.check("{" + (0..<count).map { _ in random.one(of: pieces) }.joined())
    }
  }
}
