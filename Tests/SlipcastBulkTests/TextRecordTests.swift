import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// Bare tokens and receipts in a source, alone and among JSON.
@Suite struct TextRecordTests {
  static let token = TextSample.token(1)
  static let receipt = TextSample.base64(Sample.line(1))
  static let old = TextSample.old(Sample.pretty(1))
  static let isToken = "token of \(token.utf8.count)"
  static let isReceipt = "encoded of \(receipt.utf8.count)"
  static let isOld = "encoded of \(old.utf8.count)"

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let kinds: [String]

    init(_ name: String, _ text: String, _ kinds: [String]) {
      (testDescription, self.text, self.kinds) = (name, text, kinds)
    }
  }

  static let plain: [Case] = [
    Case("a token", token, [isToken]), Case("a receipt", receipt, [isReceipt]),
    Case("an iOS 6 receipt", old, [isOld]),
    Case(
      "an iOS 6 receipt that begins with a blank", TextSample.old("{ \(Sample.pretty(1).dropFirst())"), [isOldWithBlank]
    ),
    Case("lines", "\(token)\n\(receipt)\n\(old)\n", [isToken, isReceipt, isOld]),
    Case("the last line without its feed", "\(token)\n\(token)", [isToken, isToken]),
    Case("carriage returns", "\(token)\r\n\(receipt)\r\n\(old)\r\n", [isToken, isReceipt, isOld]),
    Case("a byte order mark", "\u{FEFF}\(token)\n\(token)", [isToken, isToken]),
    Case("blank lines and blanks around", "\n\n  \(token) \n\t\n\(receipt)\t\r\n\n", [isToken, isReceipt]),
    Case("padded tokens", "\(token)==", ["token of \(token.utf8.count + 2)"]),
  ]

  static let isOldWithBlank = "encoded of \(TextSample.old("{ \(Sample.pretty(1).dropFirst())").utf8.count)"
  static let digits = String(repeating: "0a", count: 16)
  static let object = #"{"a":1}"#
  static let pretty = "{\n  \"a\": [\n    1\n  ]\n}"

  static let mixed: [Case] = [
    Case(
      "between JSON lines", "\(object)\n\(token)\n\(object)\n\(receipt)",
      [
        "object of 2", isToken, "object of 2", isReceipt,
      ]),
    Case(
      "between pretty-printed documents", "\(pretty)\n\(receipt)\n\(pretty)\n\(token)\n\(pretty)",
      [
        "object of 3", isReceipt, "object of 3", isToken, "object of 3",
      ]),
    Case("as JSON strings, one a line", "\"\(token)\"\n\"\(receipt)\"\n\"\(old)\"", [isToken, isReceipt, isOld]),
    Case(
      "as items of an array", "[\"\(token)\", \"\(receipt)\",\n\(object),\n \"\(old)\"]",
      [
        isToken, isReceipt, "object of 2", isOld,
      ]),
    Case("as JSON strings with escapes", "\"\(receipt.replacing("/", with: "\\/"))\"", [isReceipt]),
    Case(
      "as wrapped JSON strings", "\"\(TextSample.wrapped(receipt, 76, feed: "\\r\\n"))\"",
      [
        "encoded of \(TextSample.wrapped(receipt, 76, feed: "\r\n").utf8.count)"
      ]),
    Case("behind an array", "[\(object)]\n\(token)\n\(receipt)", ["object of 2", isToken, isReceipt]),
    Case(
      "a binary receipt in digits", "\\x3082\(digits)\n\"0x3082\(digits)\"", ["encoded of 38", "encoded of 38"]),
    Case(
      "words", "[\"MI\", \"eyJ\", \"MIxed words with blanks\", \"ew\"]",
      ["string of 1", "string of 1", "encoded of 23", "string of 1"]),
  ]

  @Test(arguments: plain + mixed)
  func everyRecordIsFoundInOrder(_ stream: Case) async throws {
    for jobs in [1, 3] {
      let listing = try await Listing.of(stream.text, jobs: jobs)
      #expect(listing.kinds == stream.kinds)
      #expect(listing.rejects == [])
      #expect(listing.counts.bytes == stream.text.utf8.count)
    }
  }

  @Test(arguments: [
    "MI", "MIIBroken", "eyJ", "ewok", "Mixed", "e", "M", "MIIT some words that follow it", "MI.\(token)",
  ])
  func wordsThatOnlyBeginLikeARecordAreBrokenLines(_ word: String) async throws {
    let listing = try await Listing.of("\(Self.object)\n\(word)\n\(Self.object)\n")
    #expect(listing.kinds == ["object of 2", "object of 2"])
    #expect(listing.rejects.map(\.code) == ["syntax"])
    #expect(listing.rejects.map(\.record) == [2])
  }

  @Test(arguments: ["x", "{\"a\":", "{\"a\":[", "{\"a\":\"x", "}", "{\n  \"a\": [\n    1,"])
  func aBrokenRecordEndsBeforeATextRecord(_ broken: String) async throws {
    let text = "\(Self.object)\n\(broken)\n\(Self.token)\n\(broken)\n\(Self.receipt)\n\(Self.object)"
    let listing = try await Listing.of(text)
    #expect(listing.kinds == ["object of 2", Self.isToken, Self.isReceipt, "object of 2"])
    #expect(listing.rejects.map(\.record) == [2, 4])
    #expect(listing.rejects.map { String(decoding: $0.text, as: UTF8.self) } == [broken, broken])
  }

  @Test func aRecordKnowsItsPlace() async throws {
    let before = "\(Self.pretty)\n\n  "
    let listing = try await Listing.of(before + Self.token)
    #expect(listing.records.last == "\(before.utf8.count):7 \(Self.isToken)")
  }

  // MARK: wrapped

  @Test(arguments: [16, 60, 64, 76, 80], ["\n", "\r\n"])
  func wrappedReceiptsAreOneRecordEach(_ width: Int, _ feed: String) async throws {
    for filler in 1...6 {
      let one = TextSample.wrapped(TextSample.base64(Sample.line(1, filler: filler)), width, feed: feed)
      let two = TextSample.wrapped(TextSample.old(Sample.pretty(2)), width, feed: feed)
      let kinds = [one, two].map { "encoded of \($0.utf8.count)" }
      for text in [
        one + feed + feed + two, one + feed + Self.object + feed + two + feed, one + feed + Self.token + feed + two,
      ] {
        let listing = try await Listing.of(text)
        #expect(listing.kinds.filter { $0.hasPrefix("encoded") } == kinds)
        #expect(listing.rejects == [])
      }
    }
  }

  /// Padding, a shorter line, or the length in its first bytes: one of them always shows where a receipt ends.
  @Test(arguments: [60, 64, 76])
  func wrappedReceiptsNeedNothingBetweenThem(_ width: Int) async throws {
    for filler in 1...200 {
      let texts = (0..<3).map { TextSample.wrapped(TextSample.base64(Sample.line($0, filler: filler)), width) }
      let listing = try await Listing.of(texts.joined(separator: "\n"))
      #expect(listing.kinds == texts.map { "encoded of \($0.utf8.count)" }, "with \(filler)")
    }
  }

  @Test func linesOfMoreThanEightyCharactersAreRecordsByThemselves() async throws {
    let line = "MII" + String(repeating: "A", count: 78)
    let listing = try await Listing.of("\(line)\n\(line)\n\(line)")
    #expect(listing.kinds == Array(repeating: "encoded of 81", count: 3))
    let short = String(line.dropLast())
    #expect(try await Listing.of("\(short)\n\(short)\n\(short)").kinds == ["encoded of 242"])
  }

  @Test func aTokenIsNeverWrapped() async throws {
    let token = "eyJhbGciOiJFUzI1NiJ9.e30.c2ln"
    #expect(try await Listing.of("\(token)\n\(token)").kinds == Array(repeating: "token of 29", count: 2))
  }

  // MARK: limits

  @Test(arguments: [100, 300 << 10, 900 << 10])
  func aTextThatIsTooLongIsOneReject(_ size: Int) async throws {
    let long = TextSample.token(2, length: 4096 + size)
    let wrapped = TextSample.wrapped(TextSample.base64(Sample.line(1, filler: 4096 + size)), 64)
    for (name, text) in [("token", long), ("wrapped", wrapped)] {
      for jobs in [1, 3] {
        let listing = try await Listing.of(
          "\(Self.token)\n\(text)\n\(Self.token)\n\(Self.object)", jobs: jobs, recordBytes: 4096)
        #expect(listing.kinds == [Self.isToken, Self.isToken, "object of 2"], "\(name)")
        #expect(listing.rejects.map(\.code) == ["recordTooLarge"], "\(name)")
        #expect(listing.rejects.map(\.record) == [2], "\(name)")
      }
    }
  }

  @Test func anAppReceiptInItsBytesIsTheWholeSource() async throws {
    for filler in [1, 300 << 10, 2 << 20] {
      let bytes = TextSample.receipt(Sample.line(1, filler: filler) + "\n{}\n\n[")
      for jobs in [1, 2] {
        let listing = try await Listing.of(bytes, jobs: jobs)
        #expect(listing.records == ["0:1 binary of \(bytes.count)"])
        #expect(listing.counts.bytes == bytes.count)
        let refused = try await Listing.of(bytes, jobs: jobs, recordBytes: bytes.count - 1)
        #expect(refused.rejects.map(\.code) == ["recordTooLarge"])
        #expect(refused.counts.read == 1)
        #expect(refused.counts.bytes == bytes.count)
      }
    }
  }

  @Test(arguments: [[0x30, 0x80], [0x30, 0x82, 0x01, 0x00, 0x02, 0x01], [0x30]])
  func otherBytesAreNoReceipt(_ bytes: [UInt8]) async throws {
    let listing = try await Listing.of(bytes + [UInt8](repeating: 0x80, count: 60))
    #expect(listing.kinds == [])
    #expect(listing.rejects.count == 1)
  }
}
