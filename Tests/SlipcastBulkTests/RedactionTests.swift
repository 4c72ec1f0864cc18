import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

@Suite struct RedactionTests {
  static let secret = "SECRET0123456789abcdef"

  private func redact(_ bytes: [UInt8]) -> [UInt8] { Redaction.redact(bytes.span) }
  private func redact(_ text: String) -> String { String(decoding: redact(Array(text.utf8)), as: UTF8.self) }

  static let spelled: [(text: String, redacted: String)] = [
    (#"{"password":"S"}"#, #"{"password":"[removed]"}"#),
    (#"{"a":1,"password" : "S" ,"b":2}"#, #"{"a":1,"password" : "[removed]" ,"b":2}"#),
    ("{\"password\"\n:\t\"S\"}", "{\"password\"\n:\t\"[removed]\"}"),
    (#"{"password":"a\"b\\","b":"x"}"#, #"{"password":"[removed]","b":"x"}"#),
    (#"{"password":""}"#, #"{"password":"[removed]"}"#),
    (#"{"p\u0061ssword":"S","b":1}"#, #"{"p\u0061ssword":"[removed]","b":1}"#),
    (
      #"{"\u0070\u0061\u0073\u0073\u0077\u006F\u0072\u0064":"S"}"#,
      #"{"\u0070\u0061\u0073\u0073\u0077\u006F\u0072\u0064":"[removed]"}"#
    ),
    (#"{"body":"{\"password\":\"S\",\"b\":1}"}"#, #"{"body":"{\"password\":\"[removed]\",\"b\":1}"}"#),
    (#"{"body":"{\"p\\u0061ssword\":\"S\"}"}"#, #"{"body":"{\"p\\u0061ssword\":\"[removed]\"}"}"#),
    (
      #"{"b":"{\"c\":\"{\\\"password\\\":\\\"S\\\"}\"}"}"#, #"{"b":"{\"c\":\"{\\\"password\\\":\\\"[removed]\\\"}\"}"}"#
    ),
    (#"{"Password":"S"}"#, #"{"Password":"[removed]"}"#), (#"{"PASSWORD":"S"}"#, #"{"PASSWORD":"[removed]"}"#),
    (#"{"shared_secret":"S"}"#, #"{"shared_secret":"[removed]"}"#),
    (#"{"sharedSecret":"S","b":1}"#, #"{"sharedSecret":"[removed]","b":1}"#),
    (#"{"\u0053ecret":"S"}"#, #"{"\u0053ecret":"[removed]"}"#),
    (#"{"b":"{\"sharedSecret\":\"S\"}"}"#, #"{"b":"{\"sharedSecret\":\"[removed]\"}"}"#),
    (#"{"password":123,"b":1}"#, #"{"password":"[removed]","b":1}"#),
    (#"{"password":null}"#, #"{"password":"[removed]"}"#),
    (#"{"password":{"a":["S"]},"b":1}"#, #"{"password":"[removed]","b":1}"#),
    (#"{"password":["S",{"x":"S"}],"b":1}"#, #"{"password":"[removed]","b":1}"#),
    (
      #"{"a":{"password":"S"},"b":[{"password":"T"}]}"#,
      #"{"a":{"password":"[removed]"},"b":[{"password":"[removed]"}]}"#
    ),
  ]

  @Test(arguments: spelled)
  func theValueIsReplacedAndTheRestStays(_ text: String, _ redacted: String) {
    #expect(redact(text) == redacted)
  }

  @Test(arguments: [
    "", "{}", #"{"passwort":"x"}"#, #"{"a":"password"}"#, #"{"a":"my password is safe"}"#, #"{"pass":"word"}"#,
    #"{"secretary":"x","secrets":1}"#, #"{"a":"secret"}"#, #"["secret","x"]"#,
    #"{"auth":"password","transaction_id":"1000000123"}"#, #"{"a":"b secret", "id" : 1000000123}"#,
    #"{"b":"{\"a\":\"secret\",\"id\":\"1000000123\"}"}"#, #"{"password_1000000123":"x","secret2_1000000":"y"}"#,
    #"{"a":"é / \/ 😀"}"#, #"["password"]"#, #"["password","x"]"#, "password",
  ])
  func whatHoldsNoSecretStaysAsItIs(_ text: String) {
    #expect(redact(text) == text)
  }

  /// The key is there, but its value cannot be found.
  @Test(arguments: [
    #"{"password" "S","b":1}"#, #"{"password", "S","b":1}"#, #"{"password "S","b":1}"#, "password S",
    "{\"password\"\u{A0}: \"S\"}", #"{"password"/*x*/: "S"}"#, #"{"password": "x" "S"}"#,
    "<key>password</key><string>S</string>", "“password”: “S”", "password%3DS", "{'password' 'S'}",
    #"{"b":"{\"password\" \"S\",\"c\":1}"}"#, #"{"b":"{\"password\", \"S\"}"}"#,
    #"{"b":"{\"password\": \"x\" \"S\"}"}"#,
    "shared_secret\tS", "Password -> S", #"["password","S"]"#, #"{"password":"" "S"}"#,
  ])
  func whatMayBeTheSecretIsRemovedToo(_ text: String) {
    for secret in [Self.secret, "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "correct-horse-battery-staple", "hunter2"] {
      let redacted = redact(text.replacing("S", with: secret))
      #expect(!redacted.contains(secret) && redacted.contains("[removed]"), "\(redacted)")
      if text.hasSuffix(#","b":1}"#) { #expect(redacted.hasSuffix(#","b":1}"#)) }
    }
  }

  /// Values that end where a careless reader would not think so.
  @Test(arguments: [
    #"{"password":{"a":"}\#(secret)"},"b":1}"#, #"{"password":["]\#(secret)"],"b":1}"#,
    #"{"password":{"a":"\"}\#(secret)"}}"#, #"{"password":"{}\#(secret)","b":1}"#, #"{"password":"[]\#(secret)"}"#,
    #"{"password":"a\\\"\#(secret)","b":1}"#, #"{"password":"\\\"\#(secret)"}"#, #"{"password":"x, y}\#(secret)"}"#,
    #"{"body":"{\"password\":\"a\\\"\#(secret)\"}"}"#, #"{"body":"{\"password\":{\"x\":\"}\#(secret)\"}}"}"#,
    #"{"body":"{\"password\"\n:\"\#(secret)\"}"}"#, #"{"body":"{\"password\":\n\"\#(secret)\"}"}"#,
    #"{"body":"{\"password\"\t: \"\#(secret)\"}"}"#, #"{"body":"{\"password\":\n  \"a,\#(secret)\"}"}"#,
    #"{"password":'a,\#(secret)'}"#, #"{'password':'\#(secret)'}"#, "{password:\"\(secret)\"}",
    "password=\(secret)&x=1",
  ])
  func theSecretIsGoneFromOddValues(_ text: String) {
    #expect(!redact(text).contains(Self.secret))
  }

  /// Common encoders spell quotes inside strings as escapes with digits.
  @Test(arguments: [
    #"{"body":"{\u0022password\u0022:\u0022\#(secret)\u0022,\u0022b\u0022:1}"}"#,
    #"{"body":"{\u0022a\u0022:1,\u0022password\u0022 : \u0022\#(secret)\u0022}"}"#,
    #"{"body":"{\u0022password\u0022:[\u0022\#(secret)\u0022]}"}"#,
    #"{"body":"{\\u0022password\\u0022:\\u0022\#(secret)\\u0022}"}"#,
  ])
  func theSecretIsGoneWhenQuotesAreSpelledWithDigits(_ text: String) {
    #expect(!redact(text).contains(Self.secret))
  }

  @Test(arguments: [#"{"password":"\#(secret)\\","b":"kept"}"#, #"{"password":"\\\\","b":"kept"}"#])
  func aValueThatEndsWithABackslashEndsAtItsQuote(_ text: String) {
    let redacted = redact(text)
    #expect(redacted == #"{"password":"[removed]","b":"kept"}"#)
  }

  /// Cut anywhere, no more than the beginning of the secret's key is left, and never a piece of the secret.
  @Test(arguments: [
    #"{"a":1,"password":"\#(secret)","b":2}"#, #"{"body":"{\"password\":\"\#(secret)\",\"b\":1}"}"#,
    #"{"p\u0061ssword" : "\#(secret)"}"#, #"{"password":{"x":["\#(secret)"]}}"#, #"{"password":"a\\\"\#(secret)"}"#,
  ])
  func aTruncatedTextShowsNoPieceOfTheSecret(_ text: String) {
    for count in 0...text.utf8.count {
      let redacted = redact(String(decoding: Array(text.utf8)[..<count], as: UTF8.self))
      #expect(!redacted.contains("SEC"), "\(redacted)")
    }
  }

  @Test func textThatIsNoUTF8IsRedactedToo() {
    let (before, behind) = (Array(#"{"password":""#.utf8), Array(#"","x":1}"#.utf8))
    let text: [UInt8] = [0xFF] + before + [0xFE, 0xC3] + Array(Self.secret.utf8) + behind
    let redacted = redact(text)
    #expect(redacted == [0xFF] + Array(#"{"password":"[removed]","x":1}"#.utf8))
  }

  @Test func textInUTF16IsRedactedToo() {
    let text = #"{"password":"\#(Self.secret)","x":1}"#
    let little: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big: [UInt8] = [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    for bytes in [little, big] {
      let letters = String(decoding: redact(bytes).filter { $0 != 0 }, as: UTF8.self)
      #expect(!letters.contains(Self.secret))
    }
  }

  @Test func whatWasRedactedIsNotChangedAgain() {
    for (text, redacted) in Self.spelled {
      #expect(redact(redact(text)) == redacted)
    }
  }

  @Test func aRedactedRecordIsReadAsBefore() throws {
    let read = try ReadText(redact(Sample.line(1)))
    #expect(read.root["password"]?.string == "[removed]")
    #expect(read.root["bid"]?.string == "com.example")
  }

  /// One bit is enough to ruin the colon or the quote behind the key.
  @Test(arguments: [
    #"{"password":"SECRET","b":1}"#, #"{"password" : "SECRET","b":1}"#, #"{"x":"{\"password\":\"SECRET\"}"}"#,
  ])
  func aRuinedSignHidesNoSecret(_ text: String) throws {
    let bytes = Array(text.utf8)
    let end = try #require(text.firstRange(of: "SECRET")).lowerBound
    let value = text.utf8.distance(from: text.startIndex, to: end)
    let colon = try #require(bytes[..<value].lastIndex(of: UInt8(ascii: ":")))
    for bit in colon * 8..<value * 8 where bytes[bit / 8] != UInt8(ascii: "\\") {
      let redacted = String(decoding: Redaction.redact(Mutants.flipped(bytes, bit)), as: UTF8.self)
      #expect(!redacted.contains("SECRET"), "bit \(bit % 8) of byte \(bit / 8): \(redacted)")
    }
  }

  @Test func anEmptyValueOfAFormEndsAtTheNextName() {
    let text = "password=&receipt=x"
    #expect(String(decoding: Redaction.redact(Array(text.utf8)), as: UTF8.self) == "password=[removed]&receipt=x")
  }
}
