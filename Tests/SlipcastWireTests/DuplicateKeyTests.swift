import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

/// A known key that stands twice is marked at its second place, an unknown one inside its object.
@Suite struct DuplicateKeyTests {
  static let names = ["alpha", "beta"] + (0..<198).map { "name_\($0)" }

  /// The places that are marked, as paths; the root is `$`, and `inside` marks an object with twins.
  private func marked(_ text: String) throws -> [String] {
    let read = try ReadText(text, names: Self.names)
    var places: [String] = []
    for index in 0..<read.tape.count {
      let entry = read.tape[index]
      guard entry.hasDuplicateKey || entry.hasDuplicateInside else { continue }
      let path = index == 0 ? "$" : JSONPath(tape: read.tape, index: index).description
      places += (entry.hasDuplicateKey ? [path] : []) + (entry.hasDuplicateInside ? ["inside " + path] : [])
    }
    return places
  }

  @Test(arguments: [
    #"{"alpha":1,"alpha":2}"#, #"{"alpha":1,"beta":3,"\u0061lpha":2}"#, #"{"\u0061lpha":1,"alpha":2}"#,
    #"{"al\u0070ha":1,"alph\u0061":2}"#, #"{"alpha":{"alpha":1},"alpha":[{"alpha":2}]}"#,
  ])
  func aKnownKeyIsMarkedAtItsSecondPlace(_ text: String) throws {
    #expect(try marked(text) == ["alpha"])
  }

  @Test func everyKnownKeyIsWatched() throws {
    for name in Self.names {
      #expect(try marked(#"{"\#(name)":1,"\#(name)":2}"#) == [name])
    }
    let all = Self.names.map { "\"\($0)\":1" }.joined(separator: ",")
    #expect(try marked("{\(all)}") == [])
  }

  @Test(arguments: [
    #"{"x":1,"x":2}"#, #"{"x":1,"alpha":0,"y":1,"x":2}"#, #"{"x":1,"\u0078":2}"#, #"{"\u0078":1,"\u0078":2}"#,
    #"{"":1,"":2}"#, #"{"x":{"y":1,"z":2},"x":1}"#, #"{"é":1,"\u00e9":2}"#,
  ])
  func anUnknownKeyIsMarkedAtItsObject(_ text: String) throws {
    #expect(try marked(text) == ["inside $"])
  }

  @Test func theObjectIsMarkedInWhichTheKeyStandsTwice() throws {
    #expect(
      try marked(#"{"alpha":{"x":1,"y":{"x":1,"z":1,"z":2}},"x":[{"x":1},{"x":1,"x":2}]}"#)
        == ["inside alpha.y", "inside x[1]"])
  }

  @Test func anObjectThatStandsTwiceIsToldApartFromOneWithTwins() throws {
    #expect(try marked(#"{"alpha":{"x":1,"x":2}}"#) == ["inside alpha"])
    #expect(try marked(#"{"alpha":{},"alpha":{"x":1}}"#) == ["alpha"])
    #expect(try marked(#"{"alpha":{},"alpha":{"x":1,"x":2}}"#) == ["alpha", "inside alpha"])
  }

  @Test(arguments: [
    #"{"x":1,"X":2,"xx":3,"":4}"#, #"{"x":{"x":{"x":1}}}"#, #"[{"x":1},{"x":1},{"alpha":1},{"alpha":1}]"#,
    #"{"a\\u0078":1,"a\u0078":2}"#, #"{"alpha":1,"alpha\u0000":2}"#, #"{"x":1,"y":{"z":1},"z":{"x":2}}"#,
  ])
  func keysThatDifferOrStandInDifferentObjectsAreNotMarked(_ text: String) throws {
    #expect(try marked(text) == [])
  }

  @Test func tenThousandUnknownKeysRaiseNoFalseAlarm() throws {
    let members = (0..<10_000).map { "\"key \($0)\":{\"key \($0)\":0}" }
    #expect(try marked("{" + members.joined(separator: ",") + "}") == [])
    #expect(try marked("{" + (members + ["\"key 4711\":0"]).joined(separator: ",") + "}") == ["inside $"])
  }
}
