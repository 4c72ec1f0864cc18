@_spi(Slipcast) import SlipcastWire
import Testing

@Suite struct Base64Tests {
  /// RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func theVectorsOfTheStandardHold(_ text: String, _ encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == encoded)
  }

  @Test(
    arguments: [
      ([0x00], "AA=="), ([0xFF], "/w=="), ([0xFF, 0xFF], "//8="), ([0xFF, 0xFF, 0xFF], "////"),
      ([0xFB, 0xEF, 0xBE], "++++"), ([0x14, 0xFB, 0x9C, 0x03, 0xD9, 0x7E], "FPucA9l+"), ([0, 0, 0, 0], "AAAAAA=="),
    ] as [([UInt8], String)])
  func theStandardAlphabetIsUsed(_ bytes: [UInt8], _ encoded: String) {
    #expect(Base64.encode(bytes) == encoded)
  }
}
