import Foundation
import SlipcastLegacy
import SlipcastMapping
import SlipcastSignatures
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastReceipts

/// Receipts of hand-made bytes.
enum HandMade {
  static let rules = BuiltIn.rules
  static let table = ReceiptAttributeTable(rules)

  static func receipt(_ content: [UInt8]) throws(Refusal) -> AppReceipt {
    try AppReceipt(content: content, table: table)
  }

  static func answer(_ attributes: [[UInt8]]) throws -> String {
    String(decoding: try receipt(ReceiptBytes.set(attributes)).answer, as: UTF8.self)
  }

  /// The list of attributes that `inspect` shows.
  static func hidden(_ content: [UInt8]) throws -> [[String: Any]] {
    let writer = JSONWriter()
    writer.byte(UInt8(ascii: "{"))
    try receipt(content).writeInspection(to: writer)
    writer.byte(UInt8(ascii: "}"))
    let object = try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any]
    return object?["attributes"] as? [[String: Any]] ?? []
  }

  static func refusal(_ body: () throws(Refusal) -> Void) -> Refusal.Reason? {
    do throws(Refusal) {
      try body()
      return nil
    } catch {
      return error.reason
    }
  }
}

@Suite struct AppReceiptTests {
  typealias Bytes = ReceiptBytes

  @Test func theAnswerHasApplesKeysInApplesOrder() throws {
    let answer = String(
      decoding: try HandMade.receipt(Bytes.receipt(adding: [Bytes.purchase(), Bytes.purchase(id: "2")])).answer,
      as: UTF8.self)
    let purchase = { (id: String) in
      #"{"quantity":"1","product_id":"com.example.monthly","transaction_id":"\#(id)","#
        + #""original_transaction_id":"500000000000011","purchase_date_ms":"1646730000000","#
        + #""original_purchase_date_ms":"1646125201000","expires_date_ms":"1649408400000","#
        + #""web_order_line_item_id":"77","is_trial_period":"false","is_in_intro_offer_period":"true","#
        + #""product_type":"3"}"#
    }
    #expect(
      answer == #"{"receipt":{"receipt_type":"ProductionSandbox","adam_id":0,"app_item_id":0,"#
        + #""bundle_id":"com.example.slipcast","application_version":"42","download_id":0,"#
        + #""version_external_identifier":0,"receipt_creation_date_ms":"1647856800000","#
        + #""original_purchase_date_ms":"1375340400000","original_application_version":"1.0","in_app":["#
        + purchase("500000000000012") + "," + purchase("2") + "]}}")
  }

  @Test func theLegacyReaderTakesTheAnswerWithoutAFinding() throws {
    let document = try LegacyDocument(json: try HandMade.receipt(Bytes.receipt(adding: [Bytes.purchase()])).answer)
    #expect(document.findings.isEmpty)
    #expect(document.inApp.first?.date(.expires_date_ms)?.description == "2022-04-08T09:00:00Z")
    #expect(document.receipt?.text(.adam_id) == "0")
    #expect(document.inApp.first?.integer(.product_type) == 3)
  }

  /// Each attribute that becomes a key, with a value of its kind and what the answer says then.
  @Test(
    arguments: [
      (0, Bytes.utf8("Production"), #""receipt_type":"Production""#),
      (1, Bytes.integer(1_289_197_285), #""adam_id":1289197285,"app_item_id":1289197285"#),
      (2, Bytes.utf8("a\"b"), #""bundle_id":"a\"b""#), (3, Bytes.utf8("3"), #""application_version":"3""#),
      (12, Bytes.ia5("2020-07-22T18:33:15+0100"), #""receipt_creation_date_ms":"1595439195000""#),
      (15, Bytes.integer(510_000_000_000_017), #""download_id":510000000000017"#),
      (16, Bytes.integer(828_809_229), #""version_external_identifier":828809229"#),
      (18, Bytes.ia5("2020-09-27T12:07:19.686Z"), #""original_purchase_date_ms":"1601208439686""#),
      (19, Bytes.utf8("1.0"), #""original_application_version":"1.0""#),
      (21, Bytes.ia5("4001-01-01T00:00:00Z"), #""expiration_date_ms":"64092211200000""#),
      (32, Bytes.ia5("2019-02-01T08:00:00Z"), #""preorder_date_ms":"1549008000000""#),
    ] as [(Int64, [UInt8], String)])
  func anAttributeOfTheReceiptIsSpelledAsVerifyReceiptSpellsIt(
    _ type: Int64, _ value: [UInt8], _ member: String
  ) throws {
    #expect(try HandMade.answer([Bytes.attribute(type, value)]) == "{\"receipt\":{\(member),\"in_app\":[]}}")
  }

  @Test(
    arguments: [
      (1701, Bytes.integer(3), #""quantity":"3""#), (1702, Bytes.utf8("p"), #""product_id":"p""#),
      (1703, Bytes.utf8("1"), #""transaction_id":"1""#), (1705, Bytes.utf8("1"), #""original_transaction_id":"1""#),
      (1704, Bytes.ia5("1970-01-01T00:00:01Z"), #""purchase_date_ms":"1000""#),
      (1706, Bytes.ia5("1970-01-01T00:00:01Z"), #""original_purchase_date_ms":"1000""#),
      (1707, Bytes.integer(0), #""product_type":"0""#),
      (1708, Bytes.ia5("1970-01-01T00:00:01Z"), #""expires_date_ms":"1000""#),
      (1711, Bytes.integer(9_007_199_254_740_995), #""web_order_line_item_id":"9007199254740995""#),
      (1712, Bytes.ia5("1970-01-01T00:00:01Z"), #""cancellation_date_ms":"1000""#),
      (1713, Bytes.integer(1), #""is_trial_period":"true""#), (1713, Bytes.integer(0), #""is_trial_period":"false""#),
      (1719, Bytes.integer(1), #""is_in_intro_offer_period":"true""#),
      (1720, Bytes.integer(1), #""cancellation_reason":"1""#), (1721, Bytes.utf8("o"), #""promotional_offer_id":"o""#),
    ] as [(Int64, [UInt8], String)])
  func anAttributeOfAPurchaseIsSpelledAsVerifyReceiptSpellsIt(
    _ type: Int64, _ value: [UInt8], _ member: String
  ) throws {
    let purchase = Bytes.attribute(17, Bytes.set([Bytes.attribute(type, value)]))
    #expect(try HandMade.answer([purchase]) == "{\"receipt\":{\"in_app\":[{\(member)}]}}")
  }

  @Test func everyRuleWithAKeyIsExercisedHere() {
    let app: Set<Int64> = [0, 1, 2, 3, 12, 15, 16, 17, 18, 19, 21, 32]
    let purchase: Set<Int64> = [1701, 1702, 1703, 1704, 1705, 1706, 1707, 1708, 1711, 1712, 1713, 1719, 1720, 1721]
    #expect(
      Set(HandMade.rules.receiptAttributes.filter { !$0.keys.isEmpty }.map(\.type)) == app.union(purchase))
  }

  @Test(
    arguments: [
      (1708, Bytes.ia5("")), (1712, Bytes.ia5("")), (1702, Bytes.utf8("")), (1711, Bytes.integer(0)),
    ] as [(Int64, [UInt8])])
  func whatSaysNoneIsLeftOutAndNotShown(_ type: Int64, _ value: [UInt8]) throws {
    let purchase = Bytes.attribute(17, Bytes.set([Bytes.attribute(type, value)]))
    #expect(try HandMade.answer([purchase]) == #"{"receipt":{"in_app":[{}]}}"#)
    #expect(try HandMade.hidden(Bytes.set([purchase])).isEmpty)
  }

  @Test(
    arguments: [
      (1708, Bytes.ia5("soon")), (1708, Bytes.utf8("2022-04-08T09:00:00Z")), (1701, Bytes.integer(-1)),
      (1701, Bytes.utf8("1")), (1701, [2, 0]), (1711, [2, 9, 0, 0x80, 0, 0, 0, 0, 0, 0, 0]), (1711, Bytes.integer(-5)),
      (1713, Bytes.integer(2)), (1702, [0x0C, 1, 0xFF]), (1702, Bytes.utf8("a\0b")), (1702, Bytes.utf8("a") + [0]),
      (1702, Bytes.ia5("a")), (1702, []), (1703, [0x31, 0]),
    ] as [(Int64, [UInt8])])
  func whatIsNotAsItsRuleSaysIsShownAndIsNoValueOfTheAnswer(_ type: Int64, _ value: [UInt8]) throws {
    let purchase = Bytes.attribute(17, Bytes.set([Bytes.attribute(type, value)]))
    let key = try #require(HandMade.rules.receiptAttributes.first { $0.type == type }?.keys.first?.name)
    let answer = try HandMade.answer([purchase])
    #expect(answer.hasPrefix(#"{"receipt":{"in_app":[{"\#(key)":{"type":\#(type),"encoding":""#), "\(answer)")
    let shown = try HandMade.hidden(Bytes.set([purchase]))
    #expect(shown.count == 1)
    #expect(shown.first?["type"] as? Int64 == type)
    #expect(shown.first?["in_app"] as? Int == 0)
  }

  @Test func ofTwoTheFirstCountsAndTheSecondIsShown() throws {
    let purchase = Bytes.attribute(
      17, Bytes.set([Bytes.attribute(1703, Bytes.utf8("1")), Bytes.attribute(1703, Bytes.utf8("2"))]))
    let answer = try HandMade.answer([purchase])
    #expect(answer == #"{"receipt":{"in_app":[{"transaction_id":"2","transaction_id":"1"}]}}"#)
    let document = try LegacyDocument(json: answer)
    #expect(document.inApp.first?.text(.transaction_id) == "1")
    #expect(document.findings.contains { $0.drift == .duplicateKey })
    #expect(try HandMade.hidden(Bytes.set([purchase])).map { $0["value"] as? String } == ["2"])
  }

  @Test func anEmptyAttributeBeforeAValueIsTwoOfThem() throws {
    let dates = ["", "2022-03-08T09:00:00Z"].map { Bytes.attribute(1712, Bytes.ia5($0)) }
    let answer = try HandMade.answer([Bytes.attribute(17, Bytes.set(dates))])
    #expect(answer == #"{"receipt":{"in_app":[{"cancellation_date_ms":"1646730000000","cancellation_date_ms":""}]}}"#)
    let document = try LegacyDocument(json: answer)
    #expect(document.inApp.first?.date(.cancellation_date_ms) == nil)
    #expect(document.findings.contains { $0.drift == .duplicateKey })
  }

  @Test func whatVerifyReceiptDoesNotShowIsShownBesideIt() throws {
    let content = Bytes.set([
      Bytes.attribute(4, [0xDE, 0xAD], version: 2), Bytes.attribute(10, Bytes.ia5("4+")),
      Bytes.attribute(9999, [0xFF]), Bytes.attribute(9998, Bytes.utf8("new")), Bytes.attribute(14, Bytes.integer(152)),
      Bytes.attribute(
        17, Bytes.set([Bytes.attribute(1707, Bytes.integer(3)), Bytes.attribute(1710, Bytes.integer(9))])),
    ])
    let shown = try HandMade.hidden(content)
    #expect(shown.map { $0["type"] as? Int } == [4, 10, 9999, 9998, 14, 1707, 1710])
    #expect(shown.map { $0["in_app"] as? Int } == [nil, nil, nil, nil, nil, 0, 0])
    #expect(shown.map { $0["version"] as? Int } == [2, 1, 1, 1, 1, 1, 1])
    #expect(shown[0]["name"] as? String == "opaque value")
    #expect(shown[0]["hex"] as? String == "DEAD")
    #expect(shown[1]["value"] as? String == "4+")
    #expect(shown[2]["name"] == nil)
    #expect(shown[2]["hex"] as? String == "FF")
    #expect(shown[3]["value"] as? String == "new")
    #expect(shown[4]["value"] as? Int == 152)
    #expect(shown[5]["name"] as? String == "product type")
  }

  @Test func aPurchaseThatIsNoSetIsRefusedWithItsNumber() {
    let content = Bytes.set([Bytes.purchase(), Bytes.attribute(17, Bytes.element(0x30, []))])
    do throws(Refusal) {
      _ = try HandMade.receipt(content)
      Issue.record("taken")
    } catch {
      #expect(error.reason == .receiptMalformed)
      #expect(error.detail == "purchase 2: byte 0: expected a SET of attributes")
    }
  }

  @Test func theTimeOfAReceiptGrowsWithItsPurchasesAndNotWithTheirSquare() throws {
    let growth = try growth(from: 125) { count in
      let receipt = try HandMade.receipt(Bytes.set((0..<count).map { Bytes.purchase(id: "\($0)") }))
      #expect(receipt.purchaseCount == count)
      #expect(try LegacyDocument(json: receipt.answer).inApp.count == count)
    }
    #expect(growth < 64, "the time of sixteen times the purchases")
  }

  @Test func everyPrefixAndEveryMutationEndsInAReceiptOrARefusal() throws {
    let content = Bytes.receipt(adding: [Bytes.purchase(), Bytes.attribute(9999, [0, 1])])
    for count in 0..<content.count {
      #expect(HandMade.refusal { () throws(Refusal) in _ = try HandMade.receipt(Array(content.prefix(count))) } != nil)
    }
    var random = SeededGenerator(seed: 1707)
    let reader = JSONReader(names: [])
    for _ in 0..<20_000 {
      guard let receipt = try? HandMade.receipt(random.mutated(content)) else { continue }
      let text = JSONBuffer(receipt.answer)
      _ = try reader.read(text)
      _ = try? receipt.requireDecisiveAttributes()
      _ = try? receipt.requiredCreationDate()
      _ = try? receipt.requireDevice([1])
    }
  }
}
