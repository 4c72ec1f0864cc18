import Testing

@testable import SlipcastWire

@Suite struct SafeTextTests {
  static let dangerous: [Unicode.Scalar] =
    (0x00...0x1F).map { Unicode.Scalar($0) } + (0x7F...0x9F).map { Unicode.Scalar($0) }
    + "\u{61C}\u{200B}\u{200C}\u{200D}\u{200E}\u{200F}\u{2028}\u{2029}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}"
    .unicodeScalars
    + "\u{2060}\u{2064}\u{2066}\u{2067}\u{2068}\u{2069}\u{206A}\u{206F}\u{FEFF}\u{FFF9}\u{FFFB}\u{FFFE}\u{FFFF}"
    .unicodeScalars
    + "\u{E0001}\u{E0020}\u{E007F}".unicodeScalars

  @Test(arguments: dangerous)
  func noneOfThemIsLeft(_ scalar: Unicode.Scalar) throws {
    let text = "a\(scalar)b"
    #expect(["a\u{FFFD}b", "a b"].contains(SafeText.words(text)))
    #expect(scalar == "\n" || ["a\u{FFFD}b", "a b"].contains(SafeText.lines(text)))
    let json = SafeText.json(text)
    #expect(json.hasPrefix("a\\u") && json.hasSuffix("b") && json.unicodeScalars.allSatisfy(\.isASCII))
  }

  @Test(arguments: ["", "plain", "\u{20}~", "é\u{A0}漢字", "😀", "\u{FFFD}", "\u{E0100}"])
  func everythingElseStaysAsItIs(_ text: String) {
    #expect(SafeText.words(text) == text && SafeText.lines(text) == text && SafeText.json(text) == text)
  }

  @Test func escapesOfJSONMeanTheSame() {
    #expect(SafeText.json("\u{9B}\u{202E}\u{E0041}") == "\\u009b\\u202e\\udb40\\udc41")
    #expect(SafeText.json("{\"a\":\"\u{7F}\"}\n{}\n", keepsLines: true) == "{\"a\":\"\\u007f\"}\n{}\n")
  }

  @Test func linesStayLines() {
    #expect(SafeText.lines("a\nb\r\nc\u{2028}d\n") == "a\nb \nc d\n")
    #expect(SafeText.words("a\nb") == "a b")
  }

  @Test func onlyCodesForColoursAreKeptAndOnlyWhenAsked() {
    let text = "\u{1B}[1;31mred\u{1B}[0m \u{1B}[2J \u{1B}]8;;x\u{7} \u{1B}[31"
    let bad = "\u{FFFD}[2J \u{FFFD}]8;;x\u{FFFD} \u{FFFD}[31"
    #expect(SafeText.lines(text, keepsColors: true) == "\u{1B}[1;31mred\u{1B}[0m " + bad)
    #expect(SafeText.lines(text) == "\u{FFFD}[1;31mred\u{FFFD}[0m " + bad)
  }
}
