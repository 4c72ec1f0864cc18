import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@_spi(Slipcast) @testable import SlipcastLegacy

@Suite struct LegacyReaderTests {
  @Test(arguments: ["502432905404171488", "999999999999999999", "9007199254740993", "000730001200471022"])
  func anIdentifierKeepsEveryDigit(_ id: String) throws {
    let read = try ReadRecord(Body.notification.with("730001200471022", as: id))
    #expect(read.string(read.transaction, .transaction_id) == id)
    #expect(read.findings == [])
  }

  @Test(arguments: ["500880970751784867", "9007199254740993", "9223372036854775807", "18446744073709551616"])
  func aNumericOriginalIdentifierKeepsEveryDigit(_ id: String) throws {
    for spelled in [id, "\"\(id)\""] {
      let read = try ReadRecord(Body.notification.with("730001200471000,", as: spelled + ","))
      #expect(read.string(read.record.body, .original_transaction_id) == id)
      #expect(read.record.integer(read.record.body, .original_transaction_id) == Int64(id))
      #expect(read.findings == [])
    }
  }

  @Test(arguments: [("5", 5), (#""5""#, 5), ("5.0", 5), ("true", 1), ("false", 0), (#""x""#, nil), ("[]", nil)])
  func aNumberIsReadInEveryDress(_ json: String, _ value: Int64?) throws {
    let read = try ReadRecord(Body.notification.with(#""bid":"#, as: #""expiration_intent":\#(json),"bid":"#))
    #expect(read.record.integer(read.record.body, .expiration_intent) == value)
  }

  @Test func theLastOfTwoEqualKeysCounts() throws {
    let text = Body.notification.with(#""bid":"com.example""#, as: #""bid":"first","bid":"last""#)
      .with(#""purchase_date_ms":"1679333400000""#, as: #""purchase_date_ms":"1","purchase_date_ms":"1679333400000""#)
    let read = try ReadRecord(text)
    #expect(read.string(read.record.body, .bid) == "last")
    #expect(read.record.instant(read.transaction, .purchase) == 1_679_333_400_000)
  }

  @Test(arguments: ["null", #""""#])
  func theLastOfTwoEqualKeysCountsAlsoWhenItIsEmpty(_ last: String) throws {
    let read = try ReadRecord(Body.notification.with(#""bid":"com.example""#, as: #""bid":"first","bid":\#(last)"#))
    #expect(read.string(read.record.body, .bid) == nil)
  }

  @Test func aHundredTransactionsAreReadEachInItsRow() throws {
    let rows = (0..<100).map { number in
      Body.transaction.with("730001200471022", as: "\(number)").with(
        "1682011800000", as: "\(1_682_011_800_000 + number)")
    }
    let read = try ReadRecord(Body.notification.with(Body.transaction, as: rows.joined(separator: ",")))
    #expect(read.record.transactions.count == 100)
    for (number, row) in read.record.transactions.enumerated() {
      #expect(read.string(row, .transaction_id) == "\(number)")
      #expect(read.record.instant(row, .expires) == 1_682_011_800_000 + Int64(number))
    }
    #expect(read.findings == [])
  }
}
