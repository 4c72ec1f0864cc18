import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@Suite struct JSONReaderTests {
  @Test(arguments: [
    "0", "-0", "7", "-12", "0.5", "1E5", "1e-7", "-1.5e+10",
    "9007199254740993", "500880970751784867", "9223372036854775807", "-9223372036854775808",
    "9223372036854775808", "18446744073709551616", "1234567890123456789012345678901234567890",
    "1e400", "-1e400", "1e-400", "0.1000000000000000055511151231257827021181583404541015625",
  ])
  func aNumberKeepsItsExactText(_ number: String) throws {
    let read = try ReadText("{ \"a\" : [\(number) ,\(number)] , \"b\": \(number)}")
    #expect(read.root["a"]?.children.map { $0.tape.text($0.index).string } == [number, number])
    #expect(read.root["b"]?.json == number)
    #expect(read.root["b"]?.kind == .number)
  }

  static let integers: [Int64] = [.min, .min + 1, -1, 0, 1, (1 << 53) + 1, .max - 1, .max]

  @Test(arguments: integers)
  func anIntegerOf64BitsIsExact(_ value: Int64) throws {
    let read = try ReadText("[\(value)]")
    #expect(read.root.children.map(\.integer) == [value])
  }

  @Test(arguments: ["9223372036854775808", "-9223372036854775809", "1.5", "1e-1", "1e400"])
  func whatIsNo64BitIntegerGivesNone(_ number: String) throws {
    let read = try ReadText("[\(number)]")
    #expect(read.root.children.map(\.integer) == [nil])
  }

  /// Apple's Swift library reads them too, and Foundation's decoder.
  @Test(arguments: [("1.0", 1), ("1e3", 1000), ("-0.0", 0), ("1.5e1", 15), ("9223372036854775807.0", Int64.max)])
  func aWholeNumberMayHaveAnySpelling(_ number: String, _ value: Int64) throws {
    let read = try ReadText("[\(number)]")
    #expect(read.root.children.map(\.integer) == [value])
  }

  @Test func everyKindIsTold() throws {
    let read = try ReadText(#"{"n":null,"f":false,"t":true,"d":1,"s":"","a":[],"o":{}}"#)
    #expect(read.root.children.map(\.kind) == [.null, .false, .true, .number, .string, .array, .object])
    #expect(read.root.children.map(\.boolean) == [nil, false, true, nil, nil, nil, nil])
  }

  static let spellings: [(spelled: String, text: String)] = [
    (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0000\u001F""#, "\u{0}\u{1F}"), (#""\u00e9\u00E9""#, "éé"), (#""\ud83d\ude00x""#, "😀x"),
    (#""\uFEFF""#, "\u{FEFF}"), (#""ends with \\""#, "ends with \\"), (#""\\\"""#, "\\\""),
    (#""é€𝄞 / \/""#, "é€𝄞 / /"), (#""\u2028""#, "\u{2028}"),
  ]

  @Test(arguments: spellings)
  func escapesAreUndoneInValuesAndKeys(_ spelled: String, _ text: String) throws {
    let read = try ReadText("{\(spelled):\(spelled) , \"x\":[\(spelled)]}")
    let first = try #require(read.root.children.first)
    #expect(first.name == text)
    #expect(first.string == text)
    #expect(read.root["x"]?.children.first?.string == text)
  }

  @Test func keysKeepTheirSpellingBetweenBlanks() throws {
    let read = try ReadText("{\"a\" \t\r\n : \n1 , \"b\\\"c\"\n:2,\"\":3}")
    #expect(read.root.children.map(\.name) == ["a", "b\"c", ""])
    #expect(read.root.children.map(\.integer) == [1, 2, 3])
  }

  @Test func knownKeysAreNumberedInTheOrderGiven() throws {
    let names = (0..<256).map { "name_of_key_\($0)" }
    let members = names.reversed().map { "\"\($0)\":0" } + [#""stranger":0"#, #""name_of_\u006bey_7":0"#, #""":0"#]
    let read = try ReadText("{" + members.joined(separator: ",") + "}", names: names)
    let numbers = read.root.children.map { Int(read.tape[$0.index].key) }
    #expect(numbers == (0..<256).reversed() + [0xFFFF, 7, 0xFFFF])
  }

  @Test func namesThatAreAlikeAreToldApart() throws {
    let names = ["expires_date", "expires_date_ms", "expires_date_pst", "a", "ab", "", "aaaaaaaa_bbbbbbbb", "12345678"]
    let others = ["expires_dat", "expires_date_", "aaaaaaaa-bbbbbbbb", "b", "abc", "1234567", "123456789"]
    let keys = (names + others).shuffled() + names + others.reversed() + names.reversed()
    let read = try ReadText("{" + keys.map { "\"\($0)\":[{\"\($0)\":1}]" }.joined(separator: ",") + "}", names: names)
    for child in read.root.children {
      let number = names.firstIndex(of: child.name) ?? 0xFFFF
      #expect(Int(read.tape[child.index].key) == number)
      #expect(child.children.first?.children.first.map { Int(read.tape[$0.index].key) } == number)
    }
  }

  @Test(arguments: [
    ("5", JSONKind.number, "5"), (" -1.5e400\n", .number, "-1.5e400"), ("\"text\"", .string, "text"),
    (#" "a\u0062\n" "#, .string, "ab\n"), ("\"\"", .string, ""), (" true ", .true, "true"), ("false", .false, "false"),
    ("null\r\n", .null, "null"),
  ])
  func aBareScalarIsReadWhole(_ text: String, _ kind: JSONKind, _ value: String) throws {
    let read = try ReadText(text)
    #expect(read.tape.count == 1)
    #expect(read.root.kind == kind)
    #expect(read.root.string ?? read.text(in: read.tape.range(0)) == value)
  }

  /// A number of any length keeps its digits, alone as in a list.
  @Test func aBareNumberMayBeLong() throws {
    let digits = String(repeating: "7", count: 5000)
    let read = try ReadText(digits)
    #expect(read.text(in: read.tape.range(0)) == digits)
  }

  @Test func blanksAroundTheDocumentAreNoPartOfIt() throws {
    let read = try ReadText(" \r\n\t{\"a\":1}\n\n ")
    #expect(read.root.json == #"{"a":1}"#)
  }

  @Test func oneReaderServesManyRecordsAlsoAfterAFault() throws {
    let reader = JSONReader(names: ["a"])
    let texts = [#"{"a":{"b":[1,2"#, #"{"a":1,"x":2}"#, "[[[", #"["\n"]"#, #"{"a":"\ud800"}"#, #"{"a":{}}"#]
    var kinds: [JSONKind?] = []
    for text in texts {
      let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: JSONReader.padding)
      bytes.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        let tape = try? reader.read(base, count: text.utf8.count)
        kinds.append(tape.map { JSONElement(tape: $0).children[0].kind })
      }
    }
    #expect(kinds == [nil, .number, nil, .string, nil, .object])
  }

  static let cutOff = [
    "[1", "[1.", "[-", "[1e", "[12", "[", "{", #"{"a""#, #"{"a":"#, #"{"a":1,"#, #"{"a":"x"#, #"{"a":"x\"#,
    #"{"a":"x""#,
    #"{"a":"\u12"#, "[tru", "[true", "[fals", "[false", "[nul", "[null", #"{"a":[{"b":true"#, "[[]", "[{}", "x", "\"",
  ]

  private func outcome(_ text: String, behind: [UInt8]) -> JSONError? {
    let bytes = Array(text.utf8) + behind + [UInt8](repeating: behind[0], count: JSONReader.padding)
    return bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return nil }
      do throws(JSONError) {
        _ = try JSONReader(names: []).read(base, count: text.utf8.count)
        return nil
      } catch {
        return error
      }
    }
  }

  static let behind = [
    "]", "}", "\"", "\"}]", "1]", "e5]", ".5]", "rue]", "e]", "l]", ",1]", ":1}", "\\\"]", "\n", "x", "\u{0}",
  ]

  @Test(arguments: cutOff)
  func whatLiesBehindTheTextDoesNotCompleteIt(_ text: String) {
    for behind in Self.behind { #expect(outcome(text, behind: Array(behind.utf8)) != nil, "\(behind)") }
  }

  /// Otherwise a reject's code would depend on what the memory held before.
  @Test(arguments: cutOff)
  func theFaultDoesNotDependOnWhatLiesBehindTheText(_ text: String) {
    let faults = Set(Self.behind.map { outcome(text, behind: Array($0.utf8)) })
    #expect(faults.count == 1, "\(faults.map { "\($0?.code ?? "none") at \($0?.offset ?? -1)" })")
  }

  /// simdjson keeps the places of an earlier text's tokens; a text cut off before `[` must not lead to them.
  @Test(arguments: ["[", "{\"a\":[", "[[", "[{\"a\":[", "{\"a\":[1,"], ["[", "{", "\"", "1"])
  func aTextThatIsCutOffLeadsToNoPlaceOfAnEarlierText(_ text: String, _ behind: String) {
    let reader = JSONReader(names: [])
    let long = #"["\#(String(repeating: "x", count: 8 << 20))"\#(String(repeating: ",[]", count: 64))]"#
    for (text, isWhole) in [(long, true), (text, false)] {
      let bytes = Array(text.utf8) + [UInt8](repeating: behind.utf8.first ?? 0, count: JSONReader.padding)
      let code = bytes.withUnsafeBufferPointer { buffer -> String? in
        guard let base = buffer.baseAddress else { return nil }
        do throws(JSONError) {
          _ = try reader.read(base, count: text.utf8.count)
          return nil
        } catch {
          return error.code
        }
      }
      #expect(code == (isWhole ? nil : "incomplete"))
    }
  }
}
