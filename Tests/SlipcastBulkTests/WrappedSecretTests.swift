import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

/// The shared secret under the wrappings that archives put around a body, damaged or not: nothing that is kept holds it.
@Suite struct WrappedSecretTests {
  /// As Apple's are: 32 hexadecimal digits.
  static let secret = "5ec7e0f1a2b3c4d5968778695a4b3c2d"

  /// What an archive may do to a text.
  enum Wrapping: CaseIterable {
    case base64, base64url, mime, hex, largeHex, postgresHex, zeroHex, gzip, string, row, nestedRow

    func apply(_ text: [UInt8]) throws -> [UInt8] {
      switch self {
      case .base64: return Array(Base64.encode(text).utf8)
      case .base64url:
        return Array(
          Base64.encode(text).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "").utf8)
      case .mime:
        let line = Array(Base64.encode(text).utf8)
        return Array(
          stride(from: 0, to: line.count, by: 76).map { line[$0..<min($0 + 76, line.count)] }.joined(
            separator: "\r\n".utf8))
      case .hex: return Array(Hexadecimal.encode(text).lowercased().utf8)
      case .largeHex: return Array(Hexadecimal.encode(text).utf8)
      case .postgresHex: return Array(("\\x" + Hexadecimal.encode(text).lowercased()).utf8)
      case .zeroHex: return Array(("0x" + Hexadecimal.encode(text)).utf8)
      case .gzip: return Array(Base64.encode(try WrappedSecretTests.packed(text)).utf8)
      case .string: return Array(WrappedSecretTests.quoted(text).utf8)
      case .row: return Array("{\"id\":17,\"payload\":\(WrappedSecretTests.quoted(text)),\"at\":1}".utf8)
      case .nestedRow:
        return Array("{\"Item\":{\"id\":{\"N\":\"17\"},\"body\":{\"S\":\(WrappedSecretTests.quoted(text))}}}".utf8)
      }
    }

    var isJSON: Bool { self == .string || self == .row || self == .nestedRow }
  }

  static func packed(_ text: [UInt8], _ form: Compression = .gz) throws -> [UInt8] {
    let compressor = try #require(Compressor(form, path: ""))
    try compressor.add(text.span)
    try compressor.endFrame()
    return compressor.output
  }

  static func quoted(_ text: [UInt8]) -> String {
    let writer = JSONWriter()
    writer.text(String(decoding: text, as: UTF8.self))
    return writer.string
  }

  static let bodies: [String] = [
    #"{"notification_type":"RENEWAL","password":"\#(secret)","environment":"PROD","bid":"com.example","original_transaction_id":1000000123}"#,
    #"{"environment":"PROD","latest_receipt":"MIIT0wYJKoZIhvcNAQcCoIITxDCCE8ACAQExCzAJBgUrDgMCGgUAMIIDdAYJKoZIhvcNAQcB","password":"\#(secret)"}"#,
    #"{"receipt-data":"ewoJInNpZ25hdHVyZSIgPSAiQXdYIjsKfQ==","password":"\#(secret)","exclude-old-transactions":true}"#,
    #"{"password":{"S":"\#(secret)"},"notification_type":{"S":"RENEWAL"},"bid":{"S":"com.example"}}"#,
    "{\n  \"notification_type\" : \"RENEWAL\",\n  \"password\" : \"\(secret)\",\n  \"bid\" : \"com.example\"\n}",
    #"{"bid":"com.example","unified_receipt":{"status":0},"sharedSecret":"\#(secret)"}"#,
  ]

  /// Spellings of half a secret that would show it, two layers deep.
  static let marks: [[UInt8]] = {
    func spelled(_ piece: [UInt8]) -> [[UInt8]] {
      var result = [Array(Hexadecimal.encode(piece).utf8), Array(Hexadecimal.encode(piece).lowercased().utf8)]
      for shift in 0..<3 {
        // The characters at both ends depend on the neighbors.
        let text = Array(Base64.encode([UInt8](repeating: 0, count: shift) + piece).utf8.filter { $0 != 0x3D })
        result.append(Array(text.dropFirst(shift == 0 ? 0 : shift + 1).dropLast(2)))
      }
      return result + [result[2].map { swapped($0) }]
    }
    let halves = [Array(secret.utf8.prefix(16)), Array(secret.utf8.suffix(16))]
    let pieces = halves + halves.map { $0.map { swapped($0) } }
    let once = pieces.flatMap(spelled)
    return pieces + once + once.flatMap(spelled)
  }()

  private static func swapped(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte & 0xDF) ? byte ^ 0x20 : byte
  }

  static func mark(in text: [UInt8]) -> String? {
    marks.first { text.firstRange(of: $0) != nil }.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func filter(_ text: [UInt8]) -> (text: [UInt8], omission: SecretFilter.Omission?) {
    SecretFilter.filter(text.span)
  }

  /// The lines that a rejects file may hold of the text.
  private static func line(_ text: [UInt8]) -> [UInt8] {
    let (input, omission) = filter(text)
    let reject = Reject(
      source: "a", record: 1, offset: 0, line: 1, stage: .json, code: "x", path: "", message: "m", id: nil,
      input: input, inputOmitted: omission?.rawValue)
    let writer = JSONWriter()
    reject.write(to: writer)
    return writer.bytes
  }

  private static func chain(_ random: inout SeededGenerator, _ layers: Int) -> [Wrapping] {
    (0..<layers).map { _ in random.one(of: Wrapping.allCases) }
  }

  private static func wrapped(_ body: String, _ chain: [Wrapping]) throws -> [UInt8] {
    try chain.reduce(Array(body.utf8)) { try $1.apply($0) }
  }

  @Test(arguments: 0..<40)
  func wholeTextIsSearchedAndKept(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<10 {
      let chain = Self.chain(&random, random.number(0...4))
      let text = try Self.wrapped(random.one(of: Self.bodies), chain)
      let (kept, omission) = Self.filter(text)
      #expect(omission == nil && !kept.isEmpty, "\(chain) \(omission.debugDescription)")
      #expect(Self.mark(in: kept) == nil, "\(chain)")
      #expect(Self.filter(kept).text == kept, "\(chain)")
      if chain.isEmpty { #expect(String(decoding: kept, as: UTF8.self).contains("[removed]")) }
    }
  }

  @Test(arguments: 0..<100)
  func damagedTextShowsNoSecret(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(1000 + seed))
    for _ in 0..<15 {
      let chain = Self.chain(&random, random.number(0...5))
      var text = try Self.wrapped(random.one(of: Self.bodies), chain)
      let place = random.number(0...text.count - 1)
      let damage = random.one(of: ["cut", "flip", "sign", "delete", "insert", "feed", "case"])
      let byte = random.one(of: Array("{}[]\",:\\ x9=/%\n".utf8))
      switch damage {
      case "cut": text = Array(text[..<place])
      case "flip": text[place] ^= UInt8(1 << random.number(0...7))
      case "sign": text[place] = byte
      case "delete": text.remove(at: place)
      case "feed": text = Array(text[place...])
      case "case": for at in place..<min(place + 40, text.count) { text[at] = Self.swapped(text[at]) }
      default: text.insert(byte, at: place)
      }
      // Text that begins in the middle of the secret's own key or value does not show it: the key is missing.
      if damage == "feed", !chain.contains(where: { !$0.isJSON }) { continue }
      let line = Self.line(text)
      if let mark = Self.mark(in: line) {
        Issue.record("\(chain) \(damage) at \(place): \(mark) in \(String(decoding: line.suffix(3000), as: UTF8.self))")
      }
    }
  }

  @Test(arguments: [
    #"{"password" {"S":"T"}}"#, #"{"password":"{"S":"T"}}"#, #"{"password":"T":"T"}}"#, #"{"password":}"S":"T"}"#,
    #"{"password":,"S":"T"}}"#, #"{"password" ["T"]}"#, #"{"p%61ssword":"T"}"#, #"{"&#112;assword":"T"}"#,
    #"{"\x70assword":"T"}"#, #"{"\160assword":"T"}"#, "%7B%22password%22%3A%22T%22%7D",
    "{&quot;password&quot;:&quot;T&quot;}",
    "%257B%2522password%2522%253A%2522T%2522%257D", #"{"passwprd":"T"}"#, #"{"pasword":"T"}"#, #"{"passw"ord":"T"}"#,
    #"{"paassword":"T"}"#, #"{"shared_secrer":"T"}"#, #"word":"T","environment":"PROD"}"#,
    #"{"\u0070\u0061\u0073\u0073\u0077\u006f\u0072\u0064\u0022:"T"}"#,
    #"{"passwprd":{"S":"T"}}"#, #"{"M":{"pasword" : {"SS": ["T"]}}}"#, #"{"password":{"S"]"T"}}"#,
    #"{"body":"{\"passwprd\":{\"S\":\"T\"}}"}"#, #"{"passwor":{"$binary":{"base64":"T","subType":"00"}}}"#,
    #"{"body":"{\"password\" {\"S\":\"T\"}}"}"#, #"{"M":{"password":{"M":{"a":{"S":"T"}}}}}"#,
  ])
  func malformedTextShowsNoSecret(_ text: String) {
    let line = Self.line(
      Array(
        text.replacing("\"T\"", with: "\"\(Self.secret)\"").replacing("22T", with: "22" + Self.secret)
          .replacing("quot;T", with: "quot;" + Self.secret).replacing("\\\"T\\\"", with: "\\\"\(Self.secret)\\\"").utf8)
    )
    #expect(Self.mark(in: line) == nil, "\(String(decoding: line, as: UTF8.self))")
  }

  @Test func bytesOfOtherKindsAreNotKept() throws {
    let body = Array(Self.bodies[0].utf8)
    var wide: [UInt8] = []
    for byte in body { wide += [byte, 0] }
    let list = "{\"type\":\"Buffer\",\"data\":[" + body.map(String.init).joined(separator: ",") + "]}"
    let deep = try Self.wrapped(Self.bodies[0], [.base64, .hex, .base64url, .gzip, .base64, .base64])
    let whole: [UInt8] = try Self.packed(body)
    let cutZip: [UInt8] = Array(whole.dropLast(9))
    let controls: [UInt8] = (0..<200).map { UInt8($0 & 0x1F) }
    let wideText: [UInt8] = Array(Base64.encode(wide).utf8)
    let listText: [UInt8] = Array(list.utf8)
    let cutText: [UInt8] = Array(Base64.encode(cutZip).utf8)
    let other: [UInt8] = try Self.packed(body, .zst)
    let texts: [[UInt8]] = [wideText, listText, deep, cutText, cutZip, other, controls]
    let reasons = ["encoded", "encoded", "nested", "compressed", "compressed", "compressed", "binary"]
    for (text, reason) in zip(texts, reasons) { #expect(Self.filter(text).omission?.rawValue == reason) }
    let line = String(decoding: Self.line(deep), as: UTF8.self)
    #expect(line.hasSuffix(#""message":"m","input":null,"inputOmitted":"nested"}"# + "\n"))
  }

  /// Receipts, signatures and identifiers are data that holds no secret.
  @Test(arguments: [
    Sample.line(1).replacing(Sample.secret, with: "[removed]"),
    #"{"latest_receipt":"MIIT0wYJKoZIhvcNAQcCoIITxDCCE8ACAQExCzAJBgUrDgMCGgUAMIIDdAYJKoZIhvcNAQcBoIIDZQSCA2Ex"}"#,
    #"{"unique_identifier":"0123456789abcdef0123456789abcdef01234567","unique_vendor_identifier":"A"}"#,
    #"{"a":"0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0","product_id":"com.example.premium_monthly_2019-with-trial"}"#,
    #"{"receipt":{"signature":"AwXabcDEF0123456789abcDEF0123456789abcDEF0123456789abcDEF0123456789"}}"#,
    #"{"latest_receipt":"c2xpcGNhc3QgZml4dHVyZSwgbm8gcmVhbCByZWNlaXB0OiBvbmU=","bid":"com.example"}"#,
    "plain text with several words, none of which is anything", "{\"a\":\"é \\u00e9 \\u0026 / \\/ 😀\"}",
  ])
  func textWithoutASecretStaysAsItIs(_ text: String) {
    let (kept, omission) = Self.filter(Array(text.utf8))
    #expect(String(decoding: kept, as: UTF8.self) == text && omission == nil)
  }

  @Test(arguments: [true, false])
  func textInUTF16IsNamedAndSaysHowToConvertIt(_ isLittle: Bool) async throws {
    let units = Array((Sample.lines(1...3)).utf16)
    let text =
      (isLittle ? [0xFF, 0xFE] : [0xFE, 0xFF])
      + units.flatMap { unit -> [UInt8] in
        let (low, high) = (UInt8(unit & 0xFF), UInt8(unit >> 8))
        return isLittle ? [low, high] : [high, low]
      }
    for text in [text, Array(text.dropFirst(2))] {
      let run = try await Runs.convert(text)
      #expect(run.rejects.count == 1 && run.numbers == [])
      let message = try #require(run.rejects.first?.message)
      #expect(message.contains("UTF-16 (\(isLittle ? "little" : "big")-endian)") && message.contains("iconv -f UTF-16"))
      #expect(run.counts.unreadBytes == text.count)
    }
  }
}
