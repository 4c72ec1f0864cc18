import Foundation
import SlipcastBulk
import SlipcastTestSupport
import Testing

/// What a conversion says about the attributes of an app receipt: those that cannot be read, and how sure others are.
@Suite struct ReceiptAccountTests {
  typealias Bytes = ReceiptBytes

  /// A conversion: the line, the account, and the rejects.
  struct Outcome {
    var line: [String: Any]
    var account: [String: Any]
    var text: String

    /// The code of the finding at a path.
    func findings(at path: String) -> [String] {
      objects("findings").filter { $0["path"] as? String == path }.compactMap { $0["code"] as? String }
    }

    func objects(_ name: String) -> [[String: Any]] { account[name] as? [[String: Any]] ?? [] }

    func isUnreadable(_ path: String) -> Bool {
      objects("lost").contains { $0["v1Path"] as? String == path && $0["unreadable"] as? Bool == true }
    }

    func reason(_ path: String) -> String? {
      objects("lost").first { $0["v1Path"] as? String == path }?["reason"] as? String
    }

    func confidence(_ path: String) -> String? {
      objects("fields").first { $0["v2Path"] as? String == path }?["confidence"] as? String
    }

    var transaction: [String: Any] { (line["transactions"] as? [[String: Any]])?.first ?? [:] }
  }

  static func convert(_ content: [UInt8]) async throws -> Outcome {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("record", bytes: Bytes.message(content))
    let file = folder.path("record")
    let (sink, _, counts) = try await Harness.convert([], [file])
    #expect(counts.converted == 1, "\(sink.rejectLines)")
    func object(_ lines: [String]) throws -> [String: Any] {
      let object = try JSONSerialization.jsonObject(with: Data(try #require(lines.first).utf8))
      return try #require(object as? [String: Any])
    }
    let (lines, accounts) = (sink.lines, sink.provenanceLines)
    return Outcome(line: try object(lines), account: try object(accounts), text: (lines + accounts).joined())
  }

  /// A receipt with one purchase, one attribute of which has another value.
  static func purchase(_ type: Int64, _ value: [UInt8]) async throws -> Outcome {
    let purchase = Bytes.purchase(leavingOut: [type], adding: [Bytes.attribute(type, value)])
    return try await convert(Bytes.receipt(adding: [purchase]))
  }

  struct Damage: CustomTestStringConvertible {
    var type: Int64
    var value: [UInt8]
    var key: String
    var code: String
    /// The member of the transaction, or of the envelope, that must be absent.
    var lacks: String?
    var testDescription: String { "\(type) \(value)" }
  }

  private static func bad(_ type: Int64, _ value: [UInt8], _ key: String, _ code: String, lacks: String) -> Damage {
    Damage(type: type, value: value, key: key, code: code, lacks: lacks)
  }

  static let damages: [Damage] = [
    bad(1712, Bytes.ia5("2023-02-30T10:00:00Z"), "cancellation_date_ms", "malformedDate", lacks: "revocationDate"),
    bad(1712, Bytes.utf8("2023-03-02T10:00:00Z"), "cancellation_date_ms", "malformedDate", lacks: "revocationDate"),
    // Each of these is a date under some key of V1, and none in a receipt.
    bad(1712, Bytes.ia5("1677752400000"), "cancellation_date_ms", "malformedDate", lacks: "revocationDate"),
    bad(
      1712, Bytes.ia5("2023-03-02 10:00:00 Etc/GMT"), "cancellation_date_ms", "malformedDate", lacks: "revocationDate"),
    bad(1712, Bytes.integer(1_677_752_400_000), "cancellation_date_ms", "malformedDate", lacks: "revocationDate"),
    bad(1712, [0x16, 2, 0x0A, 0xFF], "cancellation_date_ms", "malformedDate", lacks: "revocationDate"),
    bad(1704, Bytes.ia5("soon"), "purchase_date_ms", "malformedDate", lacks: "purchaseDate"),
    bad(1708, Bytes.ia5("1649408400000"), "expires_date_ms", "malformedDate", lacks: "expiresDate"),
    bad(1701, Bytes.integer(-1), "quantity", "unusableKind", lacks: "quantity"),
    bad(1701, Bytes.utf8("1"), "quantity", "unusableKind", lacks: "quantity"),
    bad(1702, Bytes.ia5("a"), "product_id", "unusableKind", lacks: "productId"),
    bad(1703, Bytes.utf8("50000\u{0}12"), "transaction_id", "unusableKind", lacks: "transactionId"),
    bad(1703, Bytes.integer(500_000_000_000_012), "transaction_id", "unusableKind", lacks: "transactionId"),
    bad(1703, [0x0C, 1, 0xFF], "transaction_id", "unusableKind", lacks: "transactionId"),
    bad(
      1711, [2, 9, 0, 0x80, 0, 0, 0, 0, 0, 0, 0], "web_order_line_item_id", "unusableKind",
      lacks: "webOrderLineItemId"),
    bad(1719, Bytes.integer(2), "is_in_intro_offer_period", "unusableKind", lacks: "offerType"),
    bad(1720, Bytes.utf8("1"), "cancellation_reason", "unusableKind", lacks: "revocationReason"),
    bad(1721, Bytes.integer(1), "promotional_offer_id", "unusableKind", lacks: "offerType"),
    bad(1707, Bytes.utf8("3"), "product_type", "unusableKind", lacks: "isUpgraded"),
  ]

  @Test(arguments: damages)
  func anAttributeThatCannotBeReadIsAFindingAndUnreadable(_ damage: Damage) async throws {
    let outcome = try await Self.purchase(damage.type, damage.value)
    let path = "receipt.in_app[0].\(damage.key)"
    #expect(outcome.findings(at: path) == [damage.code], "\(outcome.text)")
    if let lacks = damage.lacks { #expect(outcome.transaction[lacks] == nil) }
    #expect(outcome.reason(path)?.hasPrefix("cannot be read: expected attribute \(damage.type) as ") == true)
    #expect(!outcome.text.utf8.contains { $0 < 0x20 })
    // The type is also known from the expiry.
    if damage.type != 1707 { #expect(outcome.isUnreadable(path)) }
    let absent = outcome.objects("absent").first { $0["v2Path"] as? String == "transactions[0].\(damage.lacks ?? "")" }
    #expect(absent?["reason"] as? String != "absentInV1" || damage.type == 1707)
  }

  @Test(
    arguments: [
      (0, Bytes.integer(1), ["receipt_type"], "unusableKind"),
      (1, Bytes.integer(-1), ["adam_id", "app_item_id"], "unusableKind"),
      (2, Bytes.utf8("a\u{0}b"), ["bundle_id"], "unusableKind"),
    ] as [(Int64, [UInt8], [String], String)])
  func anAttributeOfTheReceiptItselfIsTreatedAlike(
    _ type: Int64, _ value: [UInt8], _ keys: [String], _ code: String
  ) async throws {
    let content = Bytes.receipt(leavingOut: [type], adding: [Bytes.attribute(type, value), Bytes.purchase()])
    let outcome = try await Self.convert(content)
    for key in keys {
      #expect(outcome.findings(at: "receipt.\(key)") == [code])
      #expect(outcome.isUnreadable("receipt.\(key)"))
    }
  }

  @Test func aReasonThatCannotBeReadDoesNotMakeARefundCertain() async throws {
    let cancelled = [
      Bytes.attribute(1712, Bytes.ia5("2022-03-20T09:00:00Z")), Bytes.attribute(1720, Bytes.utf8("1")),
    ]
    let outcome = try await Self.convert(
      Bytes.receipt(adding: [Bytes.purchase(leavingOut: [1712], adding: cancelled)]))
    #expect(outcome.findings(at: "receipt.in_app[0].cancellation_date_ms") == ["cancellationUndecided"])
    #expect(outcome.confidence("transactions[0].revocationDate") == "inferred")
  }

  @Test func aLineItemThatCannotBeReadMakesNoSubscription() async throws {
    let purchase = Bytes.purchase(
      type: nil, leavingOut: [1708, 1711], adding: [Bytes.attribute(1711, Bytes.utf8("77"))])
    let outcome = try await Self.convert(Bytes.receipt(adding: [purchase]))
    #expect(outcome.transaction["type"] == nil)
    #expect(outcome.findings(at: "receipt.in_app[0].web_order_line_item_id") == ["unusableKind"])
  }

  @Test func aNumberOfNoKnownProductTypeIsAFinding() async throws {
    let outcome = try await Self.purchase(1707, Bytes.integer(4))
    #expect(outcome.findings(at: "receipt.in_app[0].product_type") == ["productTypeUnknown"])
  }

  @Test func anAttributeThatOccursTwiceIsAFinding() async throws {
    let content = Bytes.receipt(adding: [Bytes.attribute(2, Bytes.utf8("com.example.other")), Bytes.purchase()])
    let outcome = try await Self.convert(content)
    #expect(outcome.findings(at: "receipt.bundle_id").contains("duplicateKey"), "\(outcome.text)")
    #expect(outcome.line["bundleId"] as? String == "com.example.slipcast")
    #expect(outcome.reason("receipt.bundle_id") == "another attribute of this type comes first; that one counts")
    #expect(outcome.objects("findings").allSatisfy { "\($0["message"] ?? "")".hasSuffix("the first one counts") })
  }

  // MARK: confidence

  @Test(
    arguments: [
      ("environment", "corroborated"), ("appAppleId", "corroborated"), ("bundleId", "documented"),
      ("transactions[0].environment", "corroborated"), ("transactions[0].bundleId", "documented"),
      ("transactions[0].type", "corroborated"), ("transactions[0].purchaseDate", "documented"),
      ("transactions[0].offerType", "corroborated"), ("transactions[0].offerIdentifier", "corroborated"),
      ("transactions[0].revocationReason", "corroborated"),
      // That it is no upgrade is known from the type and the reason.
      ("transactions[0].revocationDate", "corroborated"),
    ])
  func aValueIsKnownAsWellAsItsAttribute(_ path: String, _ confidence: String) async throws {
    let added = [
      Bytes.attribute(1712, Bytes.ia5("2022-03-20T09:00:00Z")), Bytes.attribute(1720, Bytes.integer(1)),
      Bytes.attribute(1721, Bytes.utf8("spring")),
    ]
    let purchase = Bytes.purchase(leavingOut: [1712], adding: added)
    let content = Bytes.receipt(leavingOut: [1], adding: [Bytes.attribute(1, Bytes.integer(1_234_567_890)), purchase])
    #expect(try await Self.convert(content).confidence(path) == confidence)
  }

  @Test func aTrialOfAnUndocumentedAttributeIsNotDocumentedAndAnIntroductoryOfferIs() async throws {
    let trial = try await Self.purchase(1713, Bytes.integer(1))
    #expect(trial.confidence("transactions[0].offerType") == "corroborated")
    let offer = try await Self.purchase(1713, Bytes.integer(0))
    #expect(offer.confidence("transactions[0].offerType") == "documented")
  }

  @Test func theSameValuesOfAnAnswerStayDocumented() async throws {
    let answer = #"""
      {"status":0,"environment":"Production","receipt":{"receipt_type":"Production","bundle_id":"com.example.slipcast",
      "app_item_id":1234567890,"in_app":[{"product_id":"p","transaction_id":"1","original_transaction_id":"1",
      "purchase_date_ms":"1646730000000","expires_date_ms":"1649408400000","promotional_offer_id":"spring"}]}}
      """#
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("record", bytes: Array(answer.utf8))
    let file = folder.path("record")
    let (sink, _, _) = try await Harness.convert([], [file])
    let account = try JSONSerialization.jsonObject(with: Data(try #require(sink.provenanceLines.first).utf8))
    let outcome = Outcome(line: [:], account: try #require(account as? [String: Any]), text: "")
    for path in ["environment", "appAppleId", "transactions[0].offerType", "transactions[0].offerIdentifier"] {
      #expect(outcome.confidence(path) == "documented", "\(path)")
    }
  }

  // MARK: what is broken

  static let broken: [(text: [UInt8], code: String, words: String)] = [
    ([0x30, 0x82], "messageUnreadable", "cut off within its header"),
    ([0x30, 0x80, 0x30, 0x80, 0x0A, 0x30, 0x80], "messageUnreadable", "begins like a binary receipt"),
    (
      [0x30] + [UInt8](repeating: 0xFF, count: 127) + [0x0A, 1, 2], "messageUnreadable", "begins like a binary receipt"
    ),
    (
      Array("30820db906092a864886f70d010702a0".utf8), "messageUnreadable",
      "its header states 3517 bytes, 16 of them are there"
    ),
    (Array("MIINuQYJKoZIhvcNAQcCoIINqjCCD".utf8), "unrecognized", "its header states 3517 bytes"),
    (Array("MIINuQYJKoZIhvcNAQcCoIIN*jCCD".utf8), "unrecognized", "byte 24 is not a character of base64"),
  ]

  @Test(arguments: broken)
  func aBrokenReceiptIsRejectedAsOne(_ broken: (text: [UInt8], code: String, words: String)) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("record", bytes: broken.text)
    let file = folder.path("record")
    let (sink, _, counts) = try await Harness.convert([], [file])
    #expect(counts.rejected == 1 && counts.read == 1)
    #expect(sink.rejects.map(\.code) == [broken.code])
    #expect(sink.rejects.first?.message.contains(broken.words) == true, "\(sink.rejectLines)")
  }
}
