import SlipcastSignatures
import SlipcastTestSupport
import SlipcastWire
import Testing

@testable import SlipcastReceipts

@Suite struct ReceiptTextTests {
  static let binary: [UInt8] = [
    0x30, 0x82, 0x01, 0x00, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
  ]
  static let list = Array("{ \"purchase-info\" = \"e30=\"; }".utf8)

  static func refusal(_ bytes: [UInt8]) -> Refusal.Reason? {
    HandMade.refusal { () throws(Refusal) in _ = try ReceiptText(bytes) }
  }

  @Test(arguments: [0x80, 0x81, 0x82, 0x83, 0x84] as [UInt8])
  func aBinaryReceiptIsKnownByItsHead(_ length: UInt8) throws {
    let text = try ReceiptText([0x30, length] + Self.binary.dropFirst(2))
    #expect(text.form == .appReceipt)
    #expect(text.bytes == [0x30, length] + Self.binary.dropFirst(2))
  }

  @Test(arguments: [ReceiptText.Form.appReceipt, .transactionReceipt])
  func base64IsTakenOffWithBlanksAndLineEnds(_ form: ReceiptText.Form) throws {
    let bytes = form == .appReceipt ? Self.binary : Self.list
    let text = Base64.encode(bytes)
    let half = text.index(text.startIndex, offsetBy: 7)
    for dress in [text, " \t\(text)\r\n", text[..<half] + "\r\n" + text[half...], "\u{FEFF}" + text] {
      let read = try ReceiptText(Array(dress.utf8))
      #expect(read.form == form)
      #expect(read.bytes == bytes)
    }
  }

  @Test(arguments: [
    "{ \"purchase-info\" = \"e30=\"; }", "\n{signature=x;}", "{ /* a: b */ // c: d\n \"e:f\" = g; }",
    "/* note */ { \"pod\"=\"1\"; }", "\u{FEFF}{ pod = 1; }",
  ])
  func aPropertyListIsKnownByItsFirstKey(_ text: String) throws {
    #expect(try ReceiptText(Array(text.utf8)).form == .transactionReceipt)
  }

  @Test(arguments: [
    "x", "hello world", "{}", "[]", "{\"receipt\":{}}", "{\"a\": \"b = c\"}", "MIIB*", "0", "30", "AAAA",
    "eyJhbGciOiJFUzI1NiJ9.e30.AAAA", "\u{FEFF}{\"a\":1}", "{", "{\"a",
  ])
  func everythingElseIsNotRecognised(_ text: String) { #expect(Self.refusal(Array(text.utf8)) == .unrecognized) }

  @Test func nothingAndTooMuchAreRefused() {
    #expect(Self.refusal([]) == .empty)
    #expect(Self.refusal([0xEF, 0xBB, 0xBF]) == .empty)
    #expect(Self.refusal([UInt8](repeating: 0x41, count: 2 * SignedMessage.limit + 1)) == .tooLarge)
  }

  @Test func everyPrefixAndEveryMutationIsRecognisedOrRefused() {
    let text = Array(Base64.encode(Self.list).utf8)
    for count in 0...text.count { _ = Self.refusal(Array(text.prefix(count))) }
    var random = SeededGenerator(seed: 64)
    for _ in 0..<20_000 { _ = Self.refusal(random.mutated(random.mutated(text))) }
  }
}
