import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

@Suite struct JSONPointerTests {
  static let parsed: [(text: String, tokens: [String])] = [
    ("", []), ("/", [""]), ("/a", ["a"]), ("/a/b", ["a", "b"]), ("/a//b/", ["a", "", "b", ""]), ("/0/-", ["0", "-"]),
    ("/a~1b", ["a/b"]), ("/m~0n", ["m~n"]), ("/~01", ["~1"]), ("/~10", ["/0"]), ("/ ", [" "]), ("/é€", ["é€"]),
    ("/c%d", ["c%d"]), ("/k\"l", ["k\"l"]), ("/i\\j", ["i\\j"]),
  ]

  @Test(arguments: parsed)
  func aPointerIsReadAndWritten(_ text: String, _ tokens: [String]) {
    let pointer = JSONPointer(text)
    #expect(pointer?.tokens == tokens)
    #expect(pointer?.description == text)
  }

  @Test(arguments: ["a", "a/b", "#/a", " /a", "$.a", "."])
  func aTextWithoutASlashInFrontIsNone(_ text: String) {
    #expect(JSONPointer(text) == nil)
  }

  /// The document and the answers of RFC 6901, section 5.
  @Test(arguments: [
    ("/foo", #"["bar", "baz"]"#), ("/foo/0", #""bar""#), ("/foo/1", #""baz""#), ("/", "0"), ("/a~1b", "1"),
    ("/c%d", "2"), ("/e^f", "3"), ("/g|h", "4"), (#"/i\j"#, "5"), (#"/k"l"#, "6"), ("/ ", "7"), ("/m~0n", "8"),
  ])
  func theExamplesOfTheStandardHold(_ text: String, _ json: String) throws {
    let read = try ReadText(
      #"{"foo":["bar", "baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#)
    let pointer = try #require(JSONPointer(text))
    #expect(pointer.find(in: read.tape, from: 0).map { read.text(in: read.tape.range($0)) } == json)
    #expect(JSONPointer("")?.find(in: read.tape, from: 0) == 0)
  }

  @Test(arguments: [
    ("/a/0/b", "1"), ("/a/1/0", "[]"), ("/a/1/0/0", nil), ("/a/2", nil), ("/a/-", nil), ("/a/x", nil), ("/b/c/d", nil),
    ("/x", "3"), ("/e/f", "4"), ("/a/b", nil), ("/b", #""text""#),
  ])
  func aValueIsFoundOrThereIsNone(_ text: String, _ json: String?) throws {
    let read = try ReadText(#"{"a":[{"b":1},[[]]],"b":"text","x":2,"x":3,"\u0065":{"\u0066":4}}"#)
    let pointer = try #require(JSONPointer(text))
    #expect(pointer.find(in: read.tape, from: 0).map { read.text(in: read.tape.range($0)) } == json)
  }

  /// RFC 6901, section 4: no leading zeros, no signs.
  @Test(arguments: ["/00", "/01", "/+1", "/-0", "/1.0", "/ 1", "/1e0"])
  func anArrayPlaceIsSpelledInPlainDigits(_ text: String) throws {
    let read = try ReadText("[0,1]")
    #expect(JSONPointer(text)?.find(in: read.tape, from: 0) == nil)
  }

  @Test func namesThatLookLikePlacesAreNames() throws {
    let read = try ReadText(#"{"0":{"01":[5]}}"#)
    let found = JSONPointer("/0/01/0")?.find(in: read.tape, from: 0)
    #expect(found.map { read.text(in: read.tape.range($0)) } == "5")
  }
}
