import Foundation
@_spi(Slipcast) import SlipcastWire
import Testing

@Suite struct Base64WritingTests {
  @Test(arguments: 0...70)
  func base64URLIsThatOfFoundationForEveryLength(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 151 + count * 13) }
    let expected = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    #expect(Base64.encodeURL(bytes) == expected.replacing("=", with: ""))
    #expect(Base64.decode(expected.replacing("=", with: "").utf8, .url) == bytes)
  }
}
