import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@Suite struct JSONTapeTests {
  /// Every value's text by its path; the range must hold exactly the value.
  private func pieces(_ text: String) throws -> [String: String] {
    let read = try ReadText(text)
    var result: [String: String] = [:]
    for index in 0..<read.tape.count {
      result[JSONPath(tape: read.tape, index: index).description] = read.text(in: read.tape.range(index))
    }
    return result
  }

  @Test func theRangeOfAScalarHoldsExactlyTheScalar() throws {
    let pieces = try pieces(#"{ "n" : null , "t":true,"f": false ,"d":-1.50e+3 ,"s":"text" }"#)
    #expect(pieces["n"] == "null")
    #expect(pieces["t"] == "true")
    #expect(pieces["f"] == "false")
    #expect(pieces["d"] == "-1.50e+3")
    #expect(pieces["s"] == #""text""#)
  }

  @Test(arguments: [
    #""""#, #""plain""#, #""\"""#, #""\\""#, #""\\\"\\""#, #""a\u0022b""#, #""\ud83d\ude00""#, #""]}\"]}""#, #""\/""#,
    #""é\n€""#,
  ])
  func theRangeOfAStringReachesFromQuoteToQuote(_ string: String) throws {
    let pieces = try pieces("{\"a\":[\(string) , \(string)],\"b\":\(string)}")
    #expect(pieces["a[0]"] == string)
    #expect(pieces["a[1]"] == string)
    #expect(pieces["b"] == string)
    #expect(pieces["a"] == "[\(string) , \(string)]")
  }

  @Test(arguments: [
    "[]", "{}", "[ ]", "{ \n }", "[[]]", "[[],{}]", "[[[]] ]", #"{"x":{}}"#, #"{"x":{ } }"#, #"{"x":[{"y":"]"},"}"]}"#,
    #"["\"]"]"#, #"[1,[2,[3,{"z":[4] }] ] ]"#, #"{"x":"\\"}"#, #"{"}":{"]":[]}}"#,
  ])
  func theRangeOfAContainerReachesFromBracketToBracket(_ container: String) throws {
    let pieces = try pieces("{\"a\":\(container),\"b\":[ \(container) ,\(container) ] }")
    #expect(pieces["a"] == container)
    #expect(pieces["b[0]"] == container)
    #expect(pieces["b[1]"] == container)
    #expect(pieces["b"] == "[ \(container) ,\(container) ]")
    #expect(pieces[""] == "{\"a\":\(container),\"b\":[ \(container) ,\(container) ] }")
  }

  @Test func theNextValueOfALevelSkipsWhatLiesInside() throws {
    let read = try ReadText(#"{"a":[1,[2,3]],"b":{},"c":0}"#)
    var at = 1
    var names: [String] = []
    while at < read.tape.count {
      names.append(read.tape.key(at).string)
      at = read.tape.after(at)
    }
    #expect(names == ["a", "b", "c"])
    #expect(read.tape.after(0) == read.tape.count)
  }

  @Test func aContainerCountsItsChildren() throws {
    let read = try ReadText(#"{"a":[1,[2,3],{}],"b":{}}"#)
    #expect(read.tape[0].length == 2)
    #expect(read.tape[1].length == 3)
    #expect(read.root["b"].map { read.tape[$0.index].length } == 0)
    #expect(read.root.children.map { $0.children.count } == [3, 0])
  }

  @Test func theLastMemberOfANameIsTaken() throws {
    let read = try ReadText(#"{"a":1,"b":2,"\u0061":3}"#)
    #expect(read.root["a"]?.integer == 3)
    #expect(read.root["c"] == nil)
    #expect(read.root["a"]?["a"] == nil)
  }

  @Test func escapedTextIsKeptApartAndPlainTextInPlace() throws {
    let read = try ReadText(#"{"plain":"plain","esc\u0061ped":"\t"}"#)
    let (plain, escaped) = (read.root.children[0], read.root.children[1])
    #expect(read.tape.text(plain.index).isVerbatim)
    #expect(read.tape.key(plain.index).isVerbatim)
    #expect(!read.tape.text(escaped.index).isVerbatim)
    #expect(!read.tape.key(escaped.index).isVerbatim)
    #expect(read.tape[plain.index].flags == 0)
    #expect(read.tape[escaped.index].isEscaped && read.tape[escaped.index].isKeyEscaped)
  }

  @Test func textsAreComparedByTheirBytes() throws {
    let words = ["", "a", "b", "12345678", "12345679", "x2345678", "1234567890123456x", "1234567890123456y", "é"]
    let read = try ReadText("[" + (words + words).map { "\"\($0)\"" }.joined(separator: ",") + "]")
    for left in 0..<words.count {
      for right in 0..<words.count {
        #expect((read.tape.text(left + 1) == read.tape.text(right + 1 + words.count)) == (left == right))
      }
    }
    #expect(read.tape.text(4) == ("12345678" as StaticString))
    #expect(!(read.tape.text(5) == ("12345678" as StaticString)))
    #expect(!(read.tape.text(4) == ("1234567" as StaticString)))
    #expect(read.tape.text(1).isEmpty)
  }

  @Test func anEmptyTapeHoldsNothing() {
    #expect(JSONTape.empty.count == 0)
    #expect(JSONTape.empty.byteCount == 0)
  }
}
