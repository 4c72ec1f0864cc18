@_spi(Slipcast) import SlipcastWire
import Testing

/// A model with one field of every kind.
private struct Tiny: FieldModel {
  enum Word: String { case known = "KNOWN" }
  enum Code: Int32 { case one = 1 }

  var text: String?
  var word: Open<Word>?
  var code: Open<Code>?
  var count: Int32?
  var id: Int64?
  var date: Timestamp?
  var flag: Bool?
  var texts: [String]?
  var inner: Inner?
  var list: [Inner]?
  var unrecognized: [UnrecognizedField] = []

  static let document = "Documents, Tiny"
  static let fields: [Field<Tiny>] = [
    .text("text", \.text),
    .word("word", \.word),
    .code("code", \.code),
    .integer32("count", \.count),
    .integer64("id", \.id),
    .milliseconds("date", \.date),
    .boolean("flag", \.flag),
    .texts("texts", \.texts),
    .object("inner", \.inner),
    .objects("list", \.list),
  ]
}

private struct Inner: FieldModel {
  var name: String?
  var unrecognized: [UnrecognizedField] = []

  static let document = "Documents, Inner"
  static let fields: [Field<Inner>] = [.text("name", \.name)]
}

@Suite struct FieldModelTests {
  static let full =
    #"{"text":"a/é","word":"KNOWN","code":7,"count":-2147483648,"id":9223372036854775807,"date":1667294138000,"#
    + #""flag":false,"texts":["x","y"],"inner":{"name":"n","more":[1]},"list":[{},{"name":"m"}]}"#

  @Test func everyFieldIsReadIntoItsType() throws {
    let tiny = try Tiny(json: Self.full)
    #expect(tiny.text == "a/é")
    #expect(tiny.word == .known(.known))
    #expect(tiny.code == .unknown(7))
    #expect(tiny.count == .min)
    #expect(tiny.id == .max)
    #expect(tiny.date == Timestamp(milliseconds: 1_667_294_138_000))
    #expect(tiny.flag == false)
    #expect(tiny.texts == ["x", "y"])
    #expect(tiny.inner?.unrecognized == [UnrecognizedField(name: "more", json: "[1]")])
    #expect(tiny.list?.map(\.name) == [nil, "m"])
    #expect(tiny.unrecognized == [])
  }

  @Test func writingUndoesReading() throws {
    #expect(try Tiny(json: Self.full).json == Self.full)
    #expect(Tiny().json == "{}")
  }

  @Test func membersAreWrittenInTheOrderOfTheTable() throws {
    #expect(try Tiny(json: #"{"flag":true,"x":1,"id":2,"text":"t"}"#).json == #"{"text":"t","id":2,"flag":true,"x":1}"#)
  }

  @Test func unknownMembersKeepTheirSpellingAndOrder() throws {
    let json = #"{"z":1.50,"text":"t","a":{"b" : [ null ]},"\u0065sc":"\u00e9","big":123456789012345678901234567890}"#
    let tiny = try Tiny(json: json)
    #expect(tiny.unrecognized.map(\.name) == ["z", "a", "esc", "big"])
    #expect(
      tiny.json
        == #"{"text":"t","z":1.50,"a":{"b" : [ null ]},"esc":"\u00e9","big":123456789012345678901234567890}"#)
    #expect(try Tiny(json: tiny.json) == tiny)
  }

  @Test func nullCountsAsAbsent() throws {
    let tiny = try Tiny(json: #"{"text":null,"count":null,"inner":null,"list":null,"unknown":null}"#)
    #expect(tiny == Tiny())
    #expect(tiny.namedValues == [])
  }

  @Test func aFractionOfAMillisecondIsCutOff() throws {
    #expect(try Tiny(json: #"{"date":1667294138000.9}"#).date?.milliseconds == 1_667_294_138_000)
    #expect(try Tiny(json: #"{"date":1.667294138e12}"#).date?.milliseconds == 1_667_294_138_000)
  }

  // As Foundation's JSONDecoder reads them (Swift 6.3 on Linux).
  @Test(
    arguments: [
      ("1.0", 1), ("1e3", 1000), ("1E+2", 100), ("10e-1", 1), ("1.50e1", 15), ("-2.0", -2), ("0.0", 0), ("0e5", 0),
      ("-0.0", 0), ("9007199254740993.0", 9_007_199_254_740_993), ("12345678901234567.8e1", 123_456_789_012_345_678),
      ("-9223372036854775808", .min), ("-9223372036854775808.0", .min),
    ] as [(String, Int64)])
  func aWholeNumberMayHaveAFractionOfZerosOrAnExponent(_ text: String, _ value: Int64) throws {
    #expect(try Tiny(json: "{\"id\":\(text)}").id == value)
  }

  @Test(arguments: [
    ("count", "1.7", "a number with a fraction"), ("count", "1e-3", "a number with a fraction"),
    ("count", "3000000000", "a number of more than 32 bits"), ("count", "3e9", "a number of more than 32 bits"),
    ("code", "1e300", "a number of more than 32 bits"), ("id", "9223372036854775808", "a number of more than 64 bits"),
    ("id", "1e99999999999999999999", "a number of more than 64 bits"), ("id", "\"x\"", "string"),
  ])
  func theMessageSaysWhyANumberDoesNotFit(_ key: String, _ value: String, _ found: String) {
    let error = #expect(throws: FieldError.self) { try Tiny(json: "{\"\(key)\":\(value)}") }
    #expect(error?.found == found)
    #expect(error?.description.hasPrefix("byte \(key.count + 4): \(key): expected number (") == true)
  }

  @Test func presentMembersCanBeWalkedWithoutTheirTypes() throws {
    let tiny = try Tiny(json: #"{"code":1,"list":[{"name":"m"}],"flag":true,"unknown":0}"#)
    let name = FieldValue.NamedValue(name: "name", value: .text("m"))
    #expect(tiny.namedValues.map(\.name) == ["code", "flag", "list", "unknown"])
    #expect(tiny.namedValues.map(\.value) == [.integer(1), .boolean(true), .objects([[name]]), .json("0")])
    #expect(FieldValue.object(tiny.namedValues).json == #"{"code":1,"flag":true,"list":[{"name":"m"}],"unknown":0}"#)
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    let json: String
    let path: String
    let offset: Int
    var testDescription: String { json }

    init(_ json: String, _ path: String, at offset: Int) { (self.json, self.path, self.offset) = (json, path, offset) }
  }

  static let wrong: [Wrong] = [
    Wrong("[]", "", at: 0), Wrong(#"{"text":{}}"#, "text", at: 8), Wrong(#"{"count":2147483648}"#, "count", at: 9),
    Wrong(#"{"count":1.7}"#, "count", at: 9), Wrong(#"{"id":"x"}"#, "id", at: 6),
    Wrong(#"{"id":9223372036854775808}"#, "id", at: 6), Wrong(#"{"code":"x"}"#, "code", at: 8),
    Wrong(#"{"flag":1}"#, "flag", at: 8), Wrong(#"{"texts":["a",1]}"#, "texts[1]", at: 14),
    Wrong(#"{"date":1e300}"#, "date", at: 8), Wrong(#"{"inner":[]}"#, "inner", at: 9),
    Wrong(#"{"inner":{"name":[]}}"#, "inner.name", at: 17), Wrong(#"{"list":{}}"#, "list", at: 8),
    Wrong(#"{"list":[{},{"name":true}]}"#, "list[1].name", at: 20), Wrong(#"{"list":[{},null]}"#, "list[1]", at: 12),
  ]

  @Test(arguments: wrong)
  func aValueOfAnotherKindIsAnErrorAtItsPlace(_ wrong: Wrong) {
    let error = #expect(throws: FieldError.self) { try Tiny(json: wrong.json) }
    #expect(error?.path.description == wrong.path)
    #expect(error?.offset == wrong.offset)
  }

  @Test(arguments: ["", "{", "{\"text\":\"", "{}\u{FEFF}", "{}{}"])
  func brokenJSONIsAnErrorOfJSON(_ json: String) {
    #expect(throws: JSONError.self) { try Tiny(json: json) }
  }
}
