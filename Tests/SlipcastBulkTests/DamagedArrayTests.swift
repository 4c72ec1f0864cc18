import Foundation
import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// Arrays on one line with one damaged byte: the record with the damage and its neighbor are lost at most.
///
/// `SLIPCAST_DAMAGED=3000` damages so many arrays, and every place at the edges of one more; `make test-all` does.
@Suite struct DamagedArrayTests {
  private static let count = ProcessInfo.processInfo.environment["SLIPCAST_DAMAGED"].flatMap { Int($0) } ?? 150
  private static let records = 20

  /// What may happen to a byte.
  enum Damage: CaseIterable {
    case deleted, quote, brace, closingBrace, bracket, closingBracket, comma, colon, letter, backslash
    case insertedQuote, insertedBrace, insertedClosingBrace, insertedBracket, insertedClosingBracket, insertedComma
    case insertedLetter

    private var byte: UInt8 {
      switch self {
      case .deleted: 0
      case .quote, .insertedQuote: UInt8(ascii: "\"")
      case .brace, .insertedBrace: UInt8(ascii: "{")
      case .closingBrace, .insertedClosingBrace: UInt8(ascii: "}")
      case .bracket, .insertedBracket: UInt8(ascii: "[")
      case .closingBracket, .insertedClosingBracket: UInt8(ascii: "]")
      case .comma, .insertedComma: UInt8(ascii: ",")
      case .colon: UInt8(ascii: ":")
      case .letter, .insertedLetter: UInt8(ascii: "x")
      case .backslash: UInt8(ascii: "\\")
      }
    }

    func apply(to text: [UInt8], at place: Int) -> [UInt8] {
      var text = text
      switch self {
      case .deleted: text.remove(at: place)
      case .insertedQuote, .insertedBrace, .insertedClosingBrace, .insertedBracket, .insertedClosingBracket,
        .insertedComma, .insertedLetter:
        text.insert(byte, at: place)
      default: text[place] = byte
      }
      return text
    }
  }

  /// A short record with everything that an array may stumble over: arrays of objects, strings with signs in them.
  private static func record(_ number: Int, _ random: inout SeededGenerator) -> String {
    let product = random.one(of: ["com.example", "a},{b", "x]", "\\\"},{\\\"", ":,"])
    let entries = (0..<random.number(1...3)).map { entry in
      #"{"quantity":"1","product_id":"\#(product)","transaction_id":"\#(entry == 0 ? number : 900 + entry)","#
        + #""original_transaction_id":"730001","purchase_date_ms":"1679333400000","expires_date_ms":"1682011800000"}"#
    }
    let first =
      random.number(0...4) == 0
      ? #""environment":"PROD","notification_type":"DID_RENEW""#
      : #""notification_type":"DID_RENEW","environment":"PROD""#
    return #"{\#(first),"password":"\#(Sample.secret)","unified_receipt":{"status":0,"latest_receipt_info":["#
      + entries.joined(separator: ",") + #"],"pending_renewal_info":[{"auto_renew_status":"1","#
      + #""original_transaction_id":"730001"}]},"bid":"com.example"}"#
  }

  private static let signs = Set("{}[],:\"".utf8)

  private func check(_ text: [UInt8], _ comment: @autoclosure () -> String) async throws {
    let run = try await Runs.convert(text, maySpoilKeys: true)
    let lost = Set(1...Self.records).subtracting(run.numbers)
    #expect(lost.count <= 2, "\(lost.sorted()) \(comment())")
    #expect(run.rejects.count <= 4, "\(run.places) \(comment())")
  }

  @Test(arguments: 0..<30)
  func oneDamagedByteCostsTwoRecordsAtMost(_ seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let separator = random.one(of: [",", ",", ", ", " ,"])
    let text = Array(
      ("[" + (1...Self.records).map { Self.record($0, &random) }.joined(separator: separator) + "]\n").utf8)
    let places = text.indices.filter { Self.signs.contains(text[$0]) }
    for _ in 0..<Self.count / 30 {
      let place = random.number(0...9) == 0 ? random.number(0...text.count - 2) : random.one(of: places)
      let damage = random.one(of: Damage.allCases)
      let shown = String(decoding: text[max(0, place - 40)..<min(text.count, place + 40)], as: UTF8.self)
      try await check(damage.apply(to: text, at: place), "seed \(seed), \(damage) at \(place): \(shown)")
    }
  }

  /// Every place of the array's edges, where there is least to go by.
  @Test(arguments: Damage.allCases)
  func damageOfTheFirstAndLastRecordCostsTwoRecordsAtMost(_ damage: Damage) async throws {
    var random = SeededGenerator(seed: 1)
    let records = (1...Self.records).map { Self.record($0, &random) }
    let text = Array(("[" + records.joined(separator: ",") + "]").utf8)
    let places = text.indices.filter {
      Self.signs.contains(text[$0])
        && ($0 < records[0].utf8.count + 30 || $0 > text.count - records[19].utf8.count - 30)
    }
    for place in places where place == 0 || place % max(1, 3000 / Self.count) == 0 {
      let shown = String(decoding: text[max(0, place - 40)..<min(text.count, place + 40)], as: UTF8.self)
      try await check(damage.apply(to: text, at: place), "\(damage) at \(place): \(shown)")
    }
  }

  @Test(arguments: [1, 3])
  func aMissingQuoteInALongArrayCostsItsRecordOnlyAndIsCounted(_ jobs: Int) async throws {
    var records = (1...3000).map { Sample.line($0) }
    records[1].replace(#""environment":"PROD","#, with: #""environment":"PROD,"#, maxReplacements: 1)
    let run = try await Runs.convert("[" + records.joined(separator: ",") + "]") { $0.jobs = jobs }
    #expect(run.numbers == [1] + Array(3...3000))
    #expect(run.rejects.map(\.record) == [2])
    #expect(run.rejects.allSatisfy { !$0.text.isEmpty })
    #expect(run.counts.unreadBytes == records[1].utf8.count)
  }

  @Test func whatIsWholeLeavesNoByteUnread() async throws {
    let run = try await Runs.convert("[\(Sample.line(1)),\(Sample.line(2))]\n\(Sample.lines(3...4))")
    #expect(run.counts.unreadBytes == 0)
  }

  /// Input that is made to be gone over again and again is gone over a few times.
  @Test(arguments: [
    "{\"k\":[0,", "{\"k\":[", ",{\"k\":[0,", "{\"k\":1}x,", "{\"k\":{},", ",{\"a\":1},{\"b\":", "{\"k\":\"", "[", "{",
    "]}",
    ",{\"k\" ", "}],{\"k\":1", "\"k\":1,{",
  ])
  func hostileArraysTakeLinearTime(_ piece: String) {
    let growth = growth(from: 20_000) { count in
      let text = Array(("[{\"k\":1},{" + String(repeating: piece, count: count / piece.utf8.count)).utf8)
      var scanner = ArrayScanner(at: 0)
      var items: [Range<Int>] = []
      guard case .unclosed = scanner.scan(text.span, isAtEnd: true, limit: 16 << 20, items: &items) else {
        Issue.record("the array ends")
        return
      }
    }
    #expect(growth < 64, "the time of sixteen times the text of \(piece)")
  }
}
