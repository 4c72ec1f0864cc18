import Testing

@testable import SlipcastCommand

@Suite struct JSONPiecesTests {
  private func pieces(_ json: String) -> [String]? {
    var json = json
    return json.withUTF8 { text in
      JSONPieces(text)?.map { piece in
        let name = piece.name.map { String(decoding: $0, as: UTF8.self) + "=" } ?? ""
        return name + String(decoding: piece.value, as: UTF8.self)
      }
    }
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
