import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

/// What rejects keep of their records: never the shared secret, in whatever form and under whatever wrapping it came.
@Suite struct RejectTextTests {
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
      case .gzip: return Array(Base64.encode(try RejectTextTests.packed(text)).utf8)
      case .string: return Array(RejectTextTests.quoted(text).utf8)
      case .row: return Array("{\"id\":17,\"payload\":\(RejectTextTests.quoted(text)),\"at\":1}".utf8)
      case .nestedRow:
        return Array("{\"Item\":{\"id\":{\"N\":\"17\"},\"body\":{\"S\":\(RejectTextTests.quoted(text))}}}".utf8)
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

  private static func kept(_ text: [UInt8], _ set: (inout ConvertOptions) -> Void = { _ in }) -> [UInt8]? {
    var options = ConvertOptions()
    set(&options)
    return RejectText(options).kept(of: text.span)?.text
  }

  private static func kept(_ text: String, _ set: (inout ConvertOptions) -> Void = { _ in }) -> String? {
    kept(Array(text.utf8), set).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func chain(_ random: inout SeededGenerator, _ layers: Int) -> [Wrapping] {
    (0..<layers).map { _ in random.one(of: Wrapping.allCases) }
  }

  private static func wrapped(_ body: String, _ chain: [Wrapping]) throws -> [UInt8] {
    try chain.reduce(Array(body.utf8)) { try $1.apply($0) }
  }

  // MARK: no secret

  @Test(arguments: 0..<100)
  func textThatIsWholeOrDamagedShowsNoSecret(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(1000 + seed))
    for _ in 0..<20 {
      let chain = Self.chain(&random, random.number(0...5))
      var text = try Self.wrapped(random.one(of: Self.bodies), chain)
      let place = random.number(0...text.count - 1)
      let damage = random.one(of: ["none", "cut", "flip", "sign", "delete", "insert", "feed", "case"])
      let byte = random.one(of: Array("{}[]\",:\\ x9=/%\n".utf8))
      switch damage {
      case "none": break
      case "cut": text = Array(text[..<place])
      case "flip": text[place] ^= UInt8(1 << random.number(0...7))
      case "sign": text[place] = byte
      case "delete": text.remove(at: place)
      case "feed": text = Array(text[place...])
      case "case": for at in place..<min(place + 40, text.count) { text[at] = Self.swapped(text[at]) }
      default: text.insert(byte, at: place)
      }
      let pointer = random.one(of: [nil, "/payload", "/body", "/Item/body/S", "/unified_receipt"])
      let kept = Self.kept(text) { $0.body = pointer.flatMap { JSONPointer($0) } } ?? []
      let mark = Self.mark(in: kept)
      #expect(mark == nil, "\(chain) \(damage) at \(place): \(String(decoding: kept.suffix(3000), as: UTF8.self))")
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
  func brokenTextIsNotKept(_ text: String) {
    let secret = "\"\(Self.secret)\""
    let text = text.replacing("\"T\"", with: secret).replacing("22T", with: "22" + Self.secret)
      .replacing("quot;T", with: "quot;" + Self.secret).replacing("\\\"T\\\"", with: "\\\"\(Self.secret)\\\"")
    #expect(!(Self.kept(text) ?? "").contains(Self.secret))
  }

  /// Names, pairs of names and values, columns and rows, and what else exports make of a member.
  @Test(arguments: [
    #"{"password":"T"}"#, #"{"Password":"T"}"#, #"{"PASSWORD":"T"}"#, #"{"p\u0061ssword":"T"}"#,
    "{\"\u{FF50}\u{FF41}ssword\":\"T\"}", "{\"pass\u{200B}word\":\"T\"}", "{\"pass\u{AD}word\":\"T\"}",
    #"{"shared_secret":"T"}"#, #"{"sharedSecret":"T"}"#, #"{"password":{"a":["T"]}}"#, #"{"password":["T",{"x":"T"}]}"#,
    #"{"passwort":"T"}"#, #"{"pwd":"T"}"#, #"{"pass":"T"}"#, #"{"note":"my password is T"}"#, #"{"token":"T"}"#,
    #"{"name":"password","value":"T"}"#, #"{"params":[{"name":"password","value":"T"}]}"#,
    #"{"fields":[{"key":"password","value":"T"}]}"#, #"{"key":"password","val":["T"]}"#, #"{"password_1":"T"}"#,
    #"{"columns":["password"],"rows":[["T"]]}"#, #"{"columns":["a","password"],"rows":[[1,"T"],[2,"T"]]}"#,
    #"{"password":{"S":"T"}}"#, #"{"M":{"password":{"S":"T"}}}"#, #"{"a":["password","T"]}"#, #"["password","T"]"#,
    #"{"data":{"password":"T"}}"#, #"{"transactions":["T"],"x":"T"}"#, #"{"form":"receipt-data=x&password=T"}"#,
    #"{"query":"?password=T","headers":["x-secret: T"]}"#, #"{"xml":"<password>T</password>"}"#,
    #"{"sql":"INSERT INTO t VALUES ('RENEWAL','T')"}"#, #"{"yaml":"password: T"}"#,
    #"{"php":"s:8:\"password\";s:32:\"T\""}"#,
    #"{"body":"{\"password\":\"T\"}"}"#, #"{"body":"{\"password\":\"T"}"#,
    #"{"body":"{\u0022password\u0022:\u0022T\u0022}"}"#,
    #"{"unified_receipt":"{\"password\":\"T\"}"}"#, #"{"unified_receipt":"{\"password\":\"T"}"#,
    #"{"receipt":"{\"a\":\"T\"}"}"#, #"{"latest_receipt":"{\"pwd\":\"T\"}"}"#, #"{"bid":{"x":"T"}}"#,
    #"{"unified_receipt":{"x":"T","latest_receipt_info":[{"y":"T"}]}}"#, #"{"signedPayload":{"x":"T"}}"#,
    "T", "\"T\"", "password=T", "DID_RENEW,T,PROD", "{'password':'T'}", "b'{\"password\":\"T\"}'", "password\tT",
  ])
  func noNameAndNoShapeShowsTheSecret(_ text: String) throws {
    let text = text.replacing("T", with: Self.secret)
    let members = text.hasPrefix("{\"") ? [text, #"{"notification_type":"CANCEL","# + text.dropFirst()] : [text]
    for text in members {
      for wrapping in [nil] + Wrapping.allCases.map(Optional.some) {
        let bytes = Array(text.utf8)
        let kept = Self.kept(try wrapping?.apply(bytes) ?? bytes)
        #expect(Self.mark(in: kept ?? []) == nil, "\(text): \(String(decoding: kept ?? [], as: UTF8.self))")
      }
    }
  }

  /// What a reject says of a broken record comes from names that this program knows.
  @Test(arguments: [
    (#"{"notification_type":"CANCEL","T":"#, "…"), (#"{"unified_receipt":{"latest_receipt_info":[{"T":x"#, nil),
    (#"{"a.b":{"T":"#, nil),
  ])
  func thePathOfBrokenTextHasKnownNamesOnly(_ text: String, _ path: String?) async throws {
    let run = try await Runs.convert(text.replacing("T", with: Self.secret))
    let reject = try #require(run.rejects.first)
    #expect(run.rejects.count == 1 && !run.rejectFile.contains(Self.secret))
    if let path { #expect(reject.path == path) }
  }

  // MARK: what is kept

  /// Written by hand: what is kept of a text, and `nil` for what is not.
  static let keeping: [(text: String, kept: String?)] = [
    (
      #"{"notification_type":"CANCEL","password":"x","environment":"PROD","note":"abc","n":12.5,"f":true,"z":null}"#,
      #"{"notification_type":"CANCEL","password":"[removed]","environment":"PROD","note":"string(3)","n":"number(4)","#
        + #""f":"boolean","z":null}"#
    ),
    (
      #"{"fields":["shared","app"],"cells":[["abcd",17]]}"#,
      #"{"fields":["string(6)","string(3)"],"cells":[["string(4)","number(2)"]]}"#
    ),
    (#"{"bid":"com.example","environment":"PROD"}"#, #"{"bid":"string(11)","environment":"string(4)"}"#),
    (#"{"receipt":{"x":{"bundle_id":"a"}}}"#, #"{"receipt":{"x":{"bundle_id":"string(1)"}}}"#),
    (
      #"{"notification_type":1,"unified_receipt":"{\"status\":0,\"x\":1}"}"#,
      #"{"notification_type":1,"unified_receipt":"{\"status\":0,\"x\":\"number(1)\"}"}"#
    ),
    (#"{"notification_type":"A","bid":"{\"status\":"}"#, #"{"notification_type":"A","bid":"string(10)"}"#),
    (#"{"notification_type":"CANCEL""#, nil), ("", nil), ("x", nil), (#"{"a":tru}"#, nil), ("\u{FEFF}", nil),
  ]

  @Test(arguments: keeping)
  func namesThatAreReadKeepTheirValues(_ text: String, _ kept: String?) {
    #expect(Self.kept(text) == kept)
  }

  @Test func anEncodedRecordIsKeptAsJSON() throws {
    let record = Array(Sample.line(1).utf8)
    let plain = try #require(Self.kept(record))
    // Digits without a sign before them are not read.
    for wrapping in Wrapping.allCases where ![.row, .nestedRow, .hex, .largeHex].contains(wrapping) {
      #expect(Self.kept(try wrapping.apply(record)) == plain, "\(wrapping)")
    }
  }

  @Test func aRowKeepsItsRecordItsTimeAndItsID() throws {
    let row =
      #"{"id":7,"at":"2022-01-01","headers":{"secret":"x"},"row":{"body":\#(Self.quoted(Array(Sample.line(1).utf8)))}}"#
    let kept = try #require(
      Self.kept(row) { options in
        options.body = JSONPointer("/row/body")
        options.receivedAt = JSONPointer("/at")
        options.id = JSONPointer("/id")
      })
    let record = try #require(Self.kept(Sample.line(1)))
    #expect(kept == #"{"row":{"body":\#(record)},"at":"2022-01-01","id":7}"#)
  }

  @Test func receiptsAndTokensAreKeptWhereTheyAreComplete() throws {
    let receipt = try Fixture.named("receipts/signed/app-production").bytes("receipt.base64")
    #expect(Self.kept(receipt) == receipt)
    #expect(Self.kept(Array(receipt.dropLast(40))) == nil)
    #expect(Self.kept(receipt + Array("\npassword=\(Self.secret)".utf8)) == nil)
    let text = String(decoding: receipt.filter { $0 != 0x0A }, as: UTF8.self)
    #expect(Self.kept(#"{"receipt-data":"\#(text)"}"#) == #"{"receipt-data":"\#(text)"}"#)
  }
}
