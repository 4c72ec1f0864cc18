import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@Suite struct JSONPathTests {
  @Test(
    arguments: [
      ([], ""), ([.key("a")], "a"), ([.index(0)], "[0]"), ([.key("a"), .key("b")], "a.b"),
      (
        [.key("unified_receipt"), .key("latest_receipt_info"), .index(3), .key("expires_date_ms")],
        "unified_receipt.latest_receipt_info[3].expires_date_ms"
      ),
      ([.index(1), .index(2), .key("a")], "[1][2].a"),
    ] as [([JSONPath.Step], String)])
  func aPathIsSpelledWithDotsAndPlaces(_ steps: [JSONPath.Step], _ text: String) {
    #expect(JSONPath(steps).description == text)
    #expect(steps.reduce(JSONPath()) { $0.appending($1) } == JSONPath(steps))
  }

  @Test func everyValueOfATapeHasItsPath() throws {
    let read = try ReadText(#"{"a":[1,[2,{"b":3}],{}],"c":{"d":{"e":[]}},"\u0066":[[4]],"":5}"#)
    let paths = (0..<read.tape.count).map { JSONPath(tape: read.tape, index: $0).description }
    #expect(
      paths == [
        "", "a", "a[0]", "a[1]", "a[1][0]", "a[1][1]", "a[1][1].b", "a[2]", "c", "c.d", "c.d.e", "f", "f[0]",
        "f[0][0]", "name(0)",
      ])
    #expect(JSONPath(tape: read.tape, index: read.tape.count - 1).steps == [.key("")])
  }

  @Test func pathsOfATapeAreWrittenWithTheEscapesOfTheirKeys() throws {
    var paths = TapePaths()
    for text in [#"{"a":[1,[2,{"b":3}],{}],"c\"\n":{"d":{"\u0001":[]}},"":{"":[5],"e":6}}"#, #"[{"x":[[7]]}]"#] {
      let read = try ReadText(text)
      paths.begin(read.tape)
      for index in (0..<read.tape.count).reversed() {
        let (written, expected) = (JSONWriter(), JSONWriter())
        written.byte(UInt8(ascii: "\""))
        paths.write(index, to: written)
        written.byte(UInt8(ascii: "\""))
        expected.text(JSONPath(tape: read.tape, index: index).description)
        #expect(written.string == expected.string)
        #expect(paths.text(index) == JSONPath(tape: read.tape, index: index).description)
      }
    }
  }

  @Test func aPathLeadsBackToItsValue() throws {
    let read = try ReadText(#"[{"x":[0,[[],[{"y":[true]}]]],"z":null},[[[]]],{"x":{"x":{"x":1}}}]"#)
    for index in 0..<read.tape.count {
      let steps = JSONPath(tape: read.tape, index: index).steps
      let found = steps.reduce(JSONElement?.some(read.root)) { element, step in
        switch step {
        case .key(let name): element?[name]
        case .index(let place): element?.children[place]
        }
      }
      #expect(found?.index == index)
    }
  }
}
