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

  /// 0xFB and 0xFF become the characters in which the two alphabets differ.
  static let spelled: [UInt8] = binary + [0xFB, 0xEF, 0xBE, 0xFF]

  @Test func base64ForURLsAndWithoutPaddingIsRead() throws {
    let padded = Base64.encode(Self.spelled)
    #expect(padded.hasSuffix("=") && padded.contains("+") && padded.contains("/"))
    let ofURL = padded.replacing("+", with: "-").replacing("/", with: "_")
    let bare = { (text: String) in text.replacing("=", with: "") }
    for text in [ofURL, bare(ofURL), bare(padded), " \(bare(ofURL))\n"] {
      let read = try ReceiptText(Array(text.utf8))
      #expect(read.form == .appReceipt)
      #expect(read.bytes == Self.spelled)
    }
  }

  @Test(arguments: ["\\x", "\\\\x", "0x", "\n  0x"])
  func digitsOfADatabaseAreRead(_ sign: String) throws {
    let read = try ReceiptText(Array((sign + Hexadecimal.encode(Self.spelled) + "\n").utf8))
    #expect(read.form == .appReceipt && read.bytes == Self.spelled)
  }

  @Test func twoAlphabetsInOneTextAreNotRead() {
    let mixed = Base64.encode(Self.spelled).replacing("+", with: "-")
    #expect(mixed.contains("-") && mixed.contains("/"))
    #expect(Self.refusal(Array(mixed.utf8)) == .unrecognized)
  }

  static let likenesses: [(text: String, words: String)] = [
    ("308201000609 2a864886f70d010702", "hexadecimal digits"), ("0x308201000609 2A864886F70D010702", "hexadecimal"),
    ("MIINuQYJKoZIhvcNAQcCoIINqjCCD", "cut off: its header states 3517 bytes, 21 of them are there"),
    ("MIINuQYJKoZIhvcNAQcCoIIN*qjCC", "byte 24 is not a character of base64"),
  ]

  @Test(arguments: likenesses)
  func whatLooksLikeAReceiptIsNamed(_ likeness: (text: String, words: String)) {
    do throws(Refusal) {
      _ = try ReceiptText(Array(likeness.text.utf8))
      Issue.record("taken")
    } catch {
      #expect(error.reason == .unrecognized)
      #expect(error.description.contains(likeness.words), "\(error)")
    }
  }

  @Test(arguments: [
    "MIB", "MISSING WORDS ARE NO RECEIPT", "MIIT some words that follow it", "3082", "308201000609 and more",
    "30820100060g2a8648",
  ])
  func otherTextIsNotTakenForOne(_ text: String) { #expect(ReceiptLikeness(Array(text.utf8)) == nil) }

  static let broken: [(bytes: [UInt8], words: String)] = [
    ([0x30, 0x82], "cut off within its header, after 2 bytes"),
    ([0x30, 0x82, 0x0D, 0xB9, 0x06], "cut off: its header states 3517 bytes, 5 of them are there"),
    ([0x30, 0x81, 0x01, 0x06], "in DER or BER, and is broken"), ([0x30, 0x80, 0x30, 0x80], "and is broken"),
    ([0x30, 0xFF] + [UInt8](repeating: 0xFF, count: 200), "and is broken"),
    ([0x30, 0x88] + [UInt8](repeating: 0xFF, count: 20), "and is broken"),
  ]

  @Test(arguments: broken)
  func theDamageOfABinaryReceiptIsNamed(_ broken: (bytes: [UInt8], words: String)) {
    do throws(Refusal) {
      _ = try SignedMessage(broken.bytes)
      Issue.record("taken")
    } catch {
      #expect(error.reason == .messageUnreadable)
      #expect(error.detail?.contains(broken.words) == true, "\(error)")
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
