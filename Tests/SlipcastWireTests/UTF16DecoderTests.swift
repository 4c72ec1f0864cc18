import Testing

@testable import SlipcastWire

/// Text in UTF-16 becomes the same text in UTF-8, in pieces of any size.
@Suite struct UTF16DecoderTests {
  static let text = #"{"a":"é € 𝄞 \u0041","b":[1]}"#

  static func encoded(_ text: String, isLittle: Bool, hasMark: Bool) -> [UInt8] {
    ((hasMark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
      let (low, high) = (UInt8(unit & 0xFF), UInt8(unit >> 8))
      return isLittle ? [low, high] : [high, low]
    }
  }

  @Test(arguments: [true, false], [true, false])
  func textIsDecoded(_ isLittle: Bool, _ hasMark: Bool) throws {
    let bytes = Self.encoded(Self.text, isLittle: isLittle, hasMark: hasMark)
    #expect(try UTF16Decoder.utf8(bytes) == Array(Self.text.utf8))
    var (decoder, found) = (try #require(UTF16Decoder(head: bytes)), [UInt8]())
    for byte in bytes {
      let piece = [byte]
      try decoder.decode(piece.span, into: &found)
    }
    try decoder.finish()
    #expect(found == Array(Self.text.utf8))
  }

  @Test(arguments: ["{}", "", "{\"a\":1}", "\u{FEFF}{}"])
  func otherTextStaysAsItIs(_ text: String) throws {
    #expect(try UTF16Decoder.utf8(Array(text.utf8)) == Array(text.utf8))
  }

  /// UTF-32, a receipt in DER, a document of BSON.
  static let others: [[UInt8]] = [
    [0xFF, 0xFE, 0, 0, 0x7B, 0, 0, 0], [0x7B, 0, 0, 0, 0x7D, 0, 0, 0], [0x30, 0x82, 0x01, 0x00], [0x20, 0, 0, 0, 2],
  ]

  @Test(arguments: others)
  func otherDataIsNotTakenForText(_ bytes: [UInt8]) { #expect(UTF16Decoder(head: bytes) == nil) }

  static let halves: [([UInt8], Int)] = [
    ([0x3D, 0xD8, 0x41, 0x00], 8), ([0x00, 0xDC], 6), ([0x3D, 0xD8], 8), ([0x41], 7),
  ]

  @Test(arguments: halves)
  func halfACharacterIsAnErrorAtItsByte(_ tail: [UInt8], _ offset: Int) {
    let bytes = Self.encoded("{}", isLittle: true, hasMark: true) + tail
    let fault = #expect(throws: UTF16Decoder.Fault.self) { try UTF16Decoder.utf8(bytes) }
    #expect(fault?.offset == offset)
  }
}
