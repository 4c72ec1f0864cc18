import Testing

@testable import SlipcastCommand

@Suite struct JSONPiecesTests {
  private func pieces(_ json: String) -> [String]? {
    let text = Array(json.utf8)
    guard var pieces = JSONPieces(text.span) else { return nil }
    var found: [String] = []
    while let piece = pieces.next(in: text.span) {
      let name = piece.name.map { String(decoding: text[$0], as: UTF8.self) + "=" } ?? ""
      found.append(name + String(decoding: text[piece.value], as: UTF8.self))
    }
    return found
  }

  @Test func membersHaveTheirNamesAndValues() {
    let json = #"{"a":1, "b\"":"x\\\"}", "c":{"d":[1,{"e":"]"}]},"f":[],"g":true}"#
    #expect(
      pieces(json) == [
        #""a"=1"#, #""b\""="x\\\"}""#, #""c"={"d":[1,{"e":"]"}]}"#, #""f"=[]"#, #""g"=true"#,
      ])
  }

  @Test func itemsHaveNoNames() {
    let json = #"[1,-2.5e3 , "[",{"a":{}},[[]],null]"#
    #expect(pieces(json) == ["1", "-2.5e3", #""[""#, #"{"a":{}}"#, "[[]]", "null"])
    #expect(pieces("[]") == [])
    #expect(pieces("{}") == [])
  }

  @Test func textsAndNumbersHaveNoPieces() {
    #expect(pieces("\"[1]\"") == nil)
    #expect(pieces("12") == nil)
    #expect(pieces("") == nil)
  }
}
