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
    #expect(Self.find(pointer, in: read).map { read.text(in: read.tape.range($0)) } == json)
    #expect(Self.find(try #require(JSONPointer("")), in: read) == 0)
  }

  @Test(arguments: [
    ("/a/0/b", "1"), ("/a/1/0", "[]"), ("/a/1/0/0", nil), ("/a/2", nil), ("/a/-", nil), ("/a/x", nil), ("/b/c/d", nil),
    ("/x", "3"), ("/e/f", "4"), ("/a/b", nil), ("/b", #""text""#),
  ])
  func aValueIsFoundOrThereIsNone(_ text: String, _ json: String?) throws {
    let read = try ReadText(#"{"a":[{"b":1},[[]]],"b":"text","x":2,"x":3,"\u0065":{"\u0066":4}}"#)
    let pointer = try #require(JSONPointer(text))
    #expect(Self.find(pointer, in: read).map { read.text(in: read.tape.range($0)) } == json)
  }

  /// RFC 6901, section 4: no leading zeros, no signs.
  @Test(arguments: ["/00", "/01", "/+1", "/-0", "/1.0", "/ 1", "/1e0"])
  func anArrayPlaceIsSpelledInPlainDigits(_ text: String) throws {
    let read = try ReadText("[0,1]")
    #expect(Self.find(try #require(JSONPointer(text)), in: read) == nil)
  }

  @Test func namesThatLookLikePlacesAreNames() throws {
    let read = try ReadText(#"{"0":{"01":[5]}}"#)
    let found = Self.find(try #require(JSONPointer("/0/01/0")), in: read)
    #expect(found.map { read.text(in: read.tape.range($0)) } == "5")
  }

  private static func find(_ pointer: JSONPointer, in read: ReadText) -> Int? {
    PointerReader(JSONLimits()).value(pointer, in: nil, or: read.tape)?.index
  }

  /// What a value is, where JSON in texts is on the way to it.
  private static func text(_ pointer: String, in json: String) throws -> String? {
    let (read, reader) = (try ReadText(json), PointerReader(JSONLimits()))
    defer { withExtendedLifetime(reader) {} }
    let found = reader.value(try #require(JSONPointer(pointer)), in: nil, or: read.tape)
    return found.map { $0.tape.json($0.index).string }
  }

  private static func quoted(_ json: String) -> String { JSONWriter.quoted(json) }

  @Test func aPointerPassesThroughJSONInTexts() throws {
    let sns = #"{"Message":\#(Self.quoted(#"{"a":[7]}"#))}"#
    let sqs = #"{"Records":[{"body":\#(Self.quoted(sns))}]}"#
    #expect(try Self.text("/Records/0/body/Message/a/0", in: sqs) == "7")
    #expect(try Self.text("/Records/0/body/Message/a/1", in: sqs) == nil)
    #expect(try Self.text("/Records/0/body/Other", in: sqs) == nil)
    let encoded = #"{"data":"\#(Base64.encode(Array(#"{"a":"b"}"#.utf8)))"}"#
    #expect(try Self.text("/data/a", in: encoded) == #""b""#)
  }

  @Test(arguments: [(4, true), (5, false)])
  func moreThanFourTextsAreNotOpened(_ count: Int, _ isFound: Bool) throws {
    var (json, pointer) = (#"{"a":1}"#, "/a")
    for _ in 0..<count { (json, pointer) = (#"{"a":\#(Self.quoted(json))}"#, "/a" + pointer) }
    #expect(try Self.text(pointer, in: json) == (isFound ? "1" : nil))
  }
}

extension JSONWriter {
  fileprivate static func quoted(_ text: String) -> String {
    let writer = JSONWriter(capacity: 256)
    writer.text(text)
    return writer.string
  }
}
