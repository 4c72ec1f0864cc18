import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@Suite struct JSONWriterTests {
  private func written(_ write: (JSONWriter) -> Void) -> String {
    let writer = JSONWriter()
    write(writer)
    return writer.string
  }

  @Test(arguments: [
    ("", #""""#), ("text", #""text""#), ("\"", #""\"""#), ("\\", #""\\""#), ("\\\"\\", #""\\\"\\""#),
    ("\u{8}\u{C}\n\r\t", #""\b\f\n\r\t""#), ("\u{0}\u{1}\u{1B}\u{1F}", #""\u0000\u0001\u001b\u001f""#),
  ])
  func quoteBackslashAndControlCharactersAreEscaped(_ text: String, _ json: String) {
    #expect(written { $0.text(text) } == json)
  }

  @Test(arguments: ["a/b", "https://example.com/?a=b&c=<d>'", "é€𝄞😀", "\u{7F}", "\u{2028}\u{2029}", "\u{FEFF}", " "])
  func everythingElseStaysAsItIs(_ text: String) {
    #expect(written { $0.text(text) } == "\"\(text)\"")
  }

  @Test func exactlyTheCharactersThatMustBeEscapedAre() {
    for scalar in (UInt32(0)...0x2FF).compactMap(Unicode.Scalar.init) {
      let json = written { $0.text(String(Character(scalar))) }
      let mustBeEscaped = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      #expect(json.utf8.contains(UInt8(ascii: "\\")) == mustBeEscaped, "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test func anArrayWhoseItemsEndWithCommasIsClosedWithoutTheLastOne() {
    #expect(
      written { writer in
        writer.raw("["); writer.closeArray()
      } == "[]")
    #expect(
      written { writer in
        writer.raw("[1,2,"); writer.closeArray()
      } == "[1,2]")
  }

  /// The room for the copy may have to be made first, which moves the text that is copied.
  @Test func aWriterCopiesItsOwnText() {
    let writer = JSONWriter(capacity: 64)
    writer.raw("0123456789")
    for _ in 0..<4 { writer.copy(0..<writer.count, of: writer) }
    #expect(writer.string == String(repeating: "0123456789", count: 16))
  }

  static let integers: [Int64] = [.min, .min + 1, -100, -10, -9, -1, 0, 1, 9, 10, 99, 100, 1_667_294_138_000, .max]

  @Test(arguments: integers)
  func anIntegerIsWrittenInDecimalDigits(_ value: Int64) {
    #expect(written { $0.integer(value) } == "\(value)")
    #expect(written { $0.member("m", Int(value)) } == "\"m\":\(value)")
  }

  /// Around the place where the buffer must grow; a memory checker sees a write behind it.
  @Test(arguments: 0...64, [Int64.min, -1, 0, .max] as [Int64])
  func anIntegerFitsWhereverTheBufferEnds(_ filled: Int, _ value: Int64) {
    let writer = JSONWriter(capacity: 64)
    for _ in 0..<filled { writer.byte(UInt8(ascii: " ")) }
    writer.integer(value)
    writer.text("x")
    #expect(writer.string == String(repeating: " ", count: filled) + "\(value)\"x\"")
  }

  /// The writer is given memory that goes on behind its capacity, so that a write there can be seen.
  @Test(arguments: [Int64.min, -1, 0, .max] as [Int64])
  func anIntegerStaysInsideTheBuffer(_ value: Int64) {
    for filled in 0...64 {
      let writer = JSONWriter(capacity: 64)
      let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 128)
      memory.initialize(repeating: 0xEE, count: 128)
      writer.base.deallocate()
      (writer.base, writer.written) = (memory, filled)
      writer.integer(value)
      guard writer.capacity == 64 else { continue }
      #expect((64..<128).allSatisfy { memory[$0] == 0xEE }, "\(filled) bytes were written before")
    }
  }

  @Test func booleansAreWords() {
    #expect(written { $0.boolean(true) } == "true")
    #expect(written { $0.boolean(false) } == "false")
  }

  @Test func commasStandBetweenMembersOnly() {
    let json = written { writer in
      for _ in 0..<2 {
        writer.byte(UInt8(ascii: "{"))
        writer.member("a", "x{")
        writer.member("b", 1)
        writer.key("c")
        writer.byte(UInt8(ascii: "["))
        for value in [1, 2] {
          writer.comma()
          writer.integer(Int64(value))
        }
        writer.raw("]")
        writer.key("d")
        writer.raw("{}")
        writer.key("e")
        writer.boolean(true)
        writer.raw("}\n")
      }
    }
    let line = #"{"a":"x{","b":1,"c":[1,2],"d":{},"e":true}"#
    #expect(json == "\(line)\n\(line)\n")
  }

  @Test(arguments: ["{", "[", ":", ",", "\n"])
  func aTextThatEndsLikeAnOpeningStillGetsItsComma(_ end: String) {
    let json = written { writer in
      writer.byte(UInt8(ascii: "["))
      for _ in 0..<2 {
        writer.comma()
        writer.text(end)
      }
    }
    #expect(json.utf8.filter { $0 == UInt8(ascii: ",") }.count == (end == "," ? 3 : 1))
  }

  @Test func textOfATapeIsWrittenAsValidJSONWhateverItsSpelling() throws {
    let read = try ReadText(#"["plain / é","\u00e9\/\"\u0001","123",456]"#)
    let texts = read.root.children.map { child in written { $0.text(child.tape.text(child.index)) } }
    #expect(texts == [#""plain / é""#, #""é/\"\u0001""#, #""123""#, #""456""#])
  }

  @Test func whatWasWrittenCanBeTakenBack() {
    let writer = JSONWriter(capacity: 64)
    writer.raw("first")
    let place = writer.count
    for _ in 0..<1000 { writer.text("second") }
    writer.truncate(to: place)
    #expect(writer.string == "first")
    writer.truncate(to: 1000)
    #expect(writer.string == "first")
    writer.clear()
    #expect(writer.string == "")
    #expect(writer.count == 0 && writer.bytes.isEmpty)
  }
}
