import Foundation
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

/// What the filter of secrets takes out, what it leaves, and how long it takes.
@Suite struct SecretFilterTests {
  private static func filter(_ text: [UInt8]) -> (text: [UInt8], omission: SecretFilter.Omission?) {
    SecretFilter.filter(text.span)
  }

  private static func pairs(_ text: [UInt8], _ separator: String, _ before: String = "") -> String {
    text.map { before + Hexadecimal.encode([$0]).lowercased() }.joined(separator: separator)
  }

  private static func wide(_ text: [UInt8]) -> [UInt8] { text.flatMap { [$0, 0] } }

  /// A key and its sign are damaged both, alone, in a string, or under a type of DynamoDB.
  @Test(arguments: [
    #"{"pas?word": o"@@"% "b":1}"#, #"{"passwrd" "@@","b":1}"#, #"{"pVassword": 8"@@"8,"b":1}"#,
    #"{"password": "[removed]",@@","b":1}"#, #"{"body":"{\"pasword\":V \"@@\",\"b\":1}"}"#,
    #"{"body":"{\"pa6ssword\" \"@@\"}"}"#, #"{"pasword":{"S":"~@@"},"b":{"N"1}}"#, #"{"Xassword":{g"S":"@@"}}"#,
    #"{"passwordKb {"S":"@@"},"b":1}"#, #"[{"id":1,"x@@":}]"#,
  ])
  func brokenJSONShowsNoSecretWhateverItsKey(_ text: String) {
    let kept = Self.filter(Array(text.replacing("@@", with: WrappedSecretTests.secret).utf8)).text
    #expect(WrappedSecretTests.mark(in: kept) == nil, "\(String(decoding: kept, as: UTF8.self))")
  }

  /// Digits of whole JSON, and parts of UUIDs, are no secret.
  @Test(arguments: [
    #"{"unique_identifier":"00008030001c2d4e3a90802e00008030001c2d4e","password":"[removed]"}"#,
    #"{"appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138","b":}"#, #"{"transaction_id":"1000000123456789","b":}"#,
    #"{"product_id":"a\u0000b","password":"[removed]"}"#,
  ])
  func otherDigitsStay(_ text: String) {
    #expect(Self.filter(Array(text.utf8)).text == Array(text.utf8))
  }

  @Test(arguments: [#"{"x":"\u0000","passw\u0000ord":"@@"}"#, #"{"x":"{\u0000\"password\":\u0000\"@@\"}"}"#])
  func zerosInEscapesHideNoSecret(_ text: String) {
    let kept = Self.filter(Array(text.replacing("@@", with: WrappedSecretTests.secret).utf8)).text
    #expect(WrappedSecretTests.mark(in: kept) == nil, "\(String(decoding: kept, as: UTF8.self))")
  }

  /// Spellings of bytes, and JSON around them.
  @Test(arguments: WrappedSecretTests.bodies)
  func bytesSpelledOneByOneAreNotKept(_ body: String) {
    let bytes = Array(body.utf8)
    let quoted = Array("\"password\":\"\(WrappedSecretTests.secret)\"".utf8)
    let spellings = [
      Self.pairs(bytes, ":"), Self.pairs(bytes, "-"), Self.pairs(bytes, ","), Self.pairs(bytes, " "),
      Self.pairs(bytes, ", ", "0x"), Self.pairs(bytes, "", "\\x"), Self.pairs(bytes, "", "%"),
      bytes.map(String.init).joined(separator: ", "), bytes.map { "&#\($0);" }.joined(),
      Hexadecimal.encode(Self.wide(quoted)), Base64.encode(Self.wide(quoted)),
      body.replacing("\"", with: "\"\""), body.replacing("\"", with: "&quot;"),
      body.replacing("\"", with: "%" + String(repeating: "25", count: 30) + "22"),
    ]
    for spelling in spellings {
      for text in [
        spelling, "{\"id\":1,\"payload\":\(WrappedSecretTests.quoted(Array(spelling.utf8)))}", "a=\(spelling)]",
      ] {
        let kept = Self.filter(Array(text.utf8)).text
        #expect(
          WrappedSecretTests.mark(in: kept) == nil, "\(text.prefix(60)): \(String(decoding: kept, as: UTF8.self))")
        #expect(kept.firstRange(of: Self.pairs(Array(WrappedSecretTests.secret.utf8), ":").utf8) == nil)
        #expect(kept.firstRange(of: Self.pairs(Array(WrappedSecretTests.secret.utf8), "-").utf8) == nil)
      }
    }
  }

  @Test(arguments: [
    "DID_RENEW,@@,PROD", "INSERT INTO t VALUES ('RENEWAL', '@@', 'PROD')", "map[env:PROD password:@@]", "password = @@",
    "{notification_type=RENEWAL, password=@@, environment=PROD}", "<a password=\"@@\"/>",
    "https://a.example/?password=@@",
    "<plist><dict><key>password</key><string>@@</string></dict></plist>",
    "{\"password=\n\":=20\"@@\",=20\"environment\"",
    "17,\"{\"\"password\"\":\"\"@@\"\",\"\"environment\"\":\"\"PROD\"\"}\"",
    "{'password': '@@', 'environment': 'PROD'}",
    "b'{\"password\":\"@@\"}'", "{\"password\":\"\"@@\",\"environment\":\"PROD\"}",
  ])
  func textOfOtherKindsShowsNoSecret(_ text: String) {
    let kept = Self.filter(Array(text.replacing("@@", with: WrappedSecretTests.secret).utf8)).text
    #expect(WrappedSecretTests.mark(in: kept) == nil, "\(String(decoding: kept, as: UTF8.self))")
  }

  // MARK: what stays

  /// A notification with a receipt and without a password, as archives hold millions.
  private static func notification(_ random: inout SeededGenerator) -> [UInt8] {
    let receipt =
      [0x30, 0x82, 0x0F, 0xA0, 0x06] + (0..<random.number(300...900)).map { _ in UInt8(random.number(0...255)) }
    let text = Base64.encode(receipt).replacing("/", with: random.one(of: ["/", "\\/"]))
    return Array(
      (#"{"notification_type":"DID_RENEW","environment":"PROD","unified_receipt":{"latest_receipt":"\#(text)","#
        + #""latest_receipt_info":[{"product_id":"com.example.monthly","transaction_id":"1","purchase_date_ms":"#
        + #""1679333400000","web_order_line_item_id":"730000012345678","app_account_token":"#
        + #""7e3fb20b-4cdb-47cc-936d-99d65f608138"}],"status":0},"bid":"com.example","file":"#
        + #""archive/2022/Legacy-Notifications/part-00017-3f2ea1b2-0c4d-4e5f-8a9b-c1d2e3f40516"}"#).utf8)
  }

  /// Damage of a byte costs nothing of the rest, wherever it is.
  @Test(arguments: 0..<20)
  func aBrokenNotificationWithoutASecretKeepsItsInput(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<40 {
      var text = Self.notification(&random)
      let receipt = text.firstRange(of: "MII".utf8)?.lowerBound ?? 0
      let place = random.number(0...4) == 0 ? receipt + random.number(-20...20) : random.number(0...text.count - 1)
      switch random.number(0...3) {
      case 0: text.removeLast(text.count - place)
      case 1: text.remove(at: place)
      case 2: text.insert(random.one(of: Array("{}[]\",:x9".utf8)), at: place)
      default: text[place] = random.one(of: Array("{}[]\",:x9".utf8))
      }
      let (kept, omission) = Self.filter(text)
      let shown = String(decoding: text[max(0, place - 40)..<min(text.count, place + 40)], as: UTF8.self)
      #expect(omission == nil && kept == text, "\(omission.debugDescription) at \(place): \(shown)")
    }
  }

  // MARK: time

  private static let pieces = [
    "password", "\"password\"", "\"password\":", "\"password\":\"", "password=", "secret\\\"", "pasword\":\"a1b2c3",
    "\\",
    "\\\\\"", "\\u0070", "%25", "%", "&amp;", "&#", "\"", "'", ":", "::::", "{", "[", "}", "]", ",", " ", "\n", "=",
    ".",
    "A", "AAAA", "AAAAAAAAAAAAAAAAAAAA", "eyJ", "eyJub3RpZmljYXRpb24", "MIIT", "H4sIAAAA", "7b22", "7b:", "0x7b,", "00",
    "65,", "65, ", "\\x41", "\\/", "\\n", "x", "-", "_", "+", "\u{1}", "\0", "é", "\"latest_receipt\":\"", "<", ">",
    "[removed]", "T3mQ9", "\"a\":1,",
  ]

  /// Nanoseconds of processor time that this thread took: what else the machine does must not count.
  private static func processorTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  private static func seconds(_ text: [UInt8]) -> Double {
    var best = Double.infinity
    for _ in 0..<2 {
      let start = processorTime()
      _ = filter(text)
      best = min(best, Double(processorTime() - start) / 1e9)
      if best > 2 { break }
    }
    return best
  }

  private static func check(_ before: String, _ piece: String, _ after: String) {
    guard !piece.isEmpty else { return }
    let (few, many) = (4 << 10, 32 << 10)
    let texts = [few, many].map { count in
      Array((before + String(repeating: piece, count: count / piece.utf8.count) + after).utf8)
    }
    let (short, long) = (seconds(texts[0]), seconds(texts[1]))
    #expect(long < max(40 * short, 2), "\(before)|\(piece)|\(after): \(short) s and \(long) s")
  }

  @Test func eightTimesTheTextTakesAboutEightTimesAsLong() {
    for piece in Self.pieces { Self.check("", piece, "!") }
  }

  @Test(arguments: 0..<8)
  func mixturesTakeTimeInProportionToTheirLength(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<12 {
      let piece = (0..<random.number(1...3)).map { _ in random.one(of: Self.pieces) }.joined()
      Self.check(random.one(of: Self.pieces), piece, random.one(of: Self.pieces))
    }
  }

  /// Layers of wrappings multiply neither time nor text.
  @Test func wrappedTextIsSearchedOnceALayer() throws {
    var text = Array(String(repeating: Sample.line(1) + "\n", count: 40).utf8)
    let plain = Self.seconds(text)
    for _ in 0..<4 { text = Array(Base64.encode(text).utf8) }
    let wrapped = Self.seconds(text)
    #expect(wrapped < max(60 * plain, 2), "\(plain) s and \(wrapped) s")
  }
}
