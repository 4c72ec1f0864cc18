@_spi(Slipcast) import SlipcastWire
import Testing

/// The head of an ASN.1 value: X.690 sections 8.1.3.4 and 8.1.3.5.
@Suite struct ASN1HeadTests {
  private func head(_ bytes: [UInt8]) -> ASN1Head? { ASN1Head(bytes.span) }

  @Test(
    arguments: [
      ([0x30, 0x05], 7), ([0x30, 0x7F], 129), ([0x30, 0x81, 0x80], 131), ([0x30, 0x82, 0x01, 0x00], 260),
      ([0x30, 0x83, 0x01, 0x00, 0x00], 65_541), ([0x30, 0x84, 0x01, 0x00, 0x00, 0x00], 16_777_222),
    ] as [([UInt8], Int)])
  func statesTheLengthOfTheWholeValue(_ bytes: [UInt8], _ whole: Int) throws {
    let head = try #require(self.head(bytes))
    #expect(head.whole == whole && head.isMinimal && head.isLong == (bytes[1] > 0x80) && head.count == bytes.count)
  }

  @Test(arguments: [[0x30, 0x82], [0x30, 0x82, 0x01], [0x30, 0x84, 1, 2, 3]] as [[UInt8]])
  func aHeadThatIsCutOffStatesNone(_ bytes: [UInt8]) throws {
    let head = try #require(self.head(bytes))
    #expect(head.whole == nil && head.isLong)
  }

  @Test(arguments: [[], [0x30], [0x30, 0x80], [0x30, 0x85, 0, 0, 0, 0, 1], [0x30, 0xFF]] as [[UInt8]])
  func otherBytesAreNone(_ bytes: [UInt8]) { #expect(head(bytes) == nil) }

  @Test(arguments: [[0x30, 0x81, 0x7F], [0x30, 0x82, 0x00, 0xFF], [0x30, 0x83, 0x00, 0x01, 0x00]] as [[UInt8]])
  func moreBytesThanNeededAreNotMinimal(_ bytes: [UInt8]) throws {
    let head = try #require(self.head(bytes))
    #expect(!head.isMinimal)
  }
}
