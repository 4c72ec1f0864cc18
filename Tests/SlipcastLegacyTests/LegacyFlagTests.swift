@_spi(Slipcast) import SlipcastLegacy
@_spi(Slipcast) import SlipcastWire
import Testing

/// Flags come as words, digits, numbers and booleans; all are read, and all but the documented one are drift.
@Suite struct LegacyFlagTests {
  static let spellings: [(json: String, value: Bool)] = [
    (#""true""#, true), (#""false""#, false), (#""1""#, true), (#""0""#, false), ("1", true), ("0", false),
    ("true", true), ("false", false), (#""tr\u0075e""#, true),
  ]

  @Test(arguments: spellings, [LegacyKey.is_trial_period, .is_in_intro_offer_period, .is_upgraded])
  func aFlagOfATransactionIsReadInEverySpelling(_ spelling: (json: String, value: Bool), _ key: LegacyKey) throws {
    let row = "{\"product_id\":\"x\",\"\(key.name)\":\(spelling.json)}"
    let read = try ReadRecord(#"{"status":0,"latest_receipt_info":[\#(row)]}"#)
    #expect(read.record.flag(read.transaction, key) == spelling.value)
    let isDocumented = spelling.json.contains("\"") && spelling.json.count > 3
    #expect(read.findings == (isDocumented ? [] : ["flagSpelling latest_receipt_info[0].\(key.name)"]))
  }

  static let digits: [LegacyKey] = [
    .auto_renew_status, .is_in_billing_retry_period, .price_consent_status, .price_increase_status,
  ]

  @Test(arguments: spellings, digits)
  func aFlagOfARenewalIsReadInEverySpelling(_ spelling: (json: String, value: Bool), _ key: LegacyKey) throws {
    let row = "{\"product_id\":\"x\",\"\(key.name)\":\(spelling.json)}"
    let read = try ReadRecord(#"{"status":0,"receipt":{"bundle_id":"x"},"pending_renewal_info":[\#(row)]}"#)
    #expect(read.record.flag(read.renewal, key) == spelling.value)
    let isDocumented = spelling.json == #""1""# || spelling.json == #""0""#
    #expect(read.findings == (isDocumented ? [] : ["flagSpelling pending_renewal_info[0].\(key.name)"]))
  }

  @Test(arguments: spellings)
  func aFlagOfTheBodyIsReadInEverySpelling(_ json: String, _ value: Bool) throws {
    let read = try ReadRecord(
      #"{"notification_type":"CANCEL","original_transaction_id":1,"auto_renew_status":\#(json)}"#)
    #expect(read.record.flag(read.record.body, .auto_renew_status) == value)
  }

  @Test(arguments: ["is_retryable", "is-retryable"])
  func aBooleanOfAnAnswerIsReadUnderBothNames(_ name: String) throws {
    let read = try ReadRecord("{\"status\":21104,\"\(name)\":true}")
    let key: LegacyKey = name == "is_retryable" ? .is_retryable : .hyphenated_is_retryable
    #expect(read.record.flag(read.record.body, key) == true)
    #expect(read.findings == [])
  }

  /// The renewal state of an iOS 6 style answer is a JSON number.
  @Test(arguments: [("1", true), ("0", false), (#""1""#, true), ("true", true)])
  func theStateOfAnOldAnswerIsRead(_ json: String, _ value: Bool) throws {
    let read = try ReadRecord(Body.oldAnswer.with(#""auto_renew_status":1"#, as: "\"auto_renew_status\":\(json)"))
    #expect(read.record.flag(read.record.body, .auto_renew_status) == value)
  }

  @Test(arguments: [#""yes""#, #""TRUE""#, #""2""#, "2", "-1", #"" true""#, #""truee""#, "[]", "{}", "1.0"])
  func whatIsNoFlagGivesNoneAndIsFound(_ json: String) throws {
    let read = try ReadRecord(
      Body.notification.with(#""is_trial_period":"false""#, as: "\"is_trial_period\":\(json)"))
    #expect(read.record.flag(read.transaction, .is_trial_period) == nil)
    #expect(read.findings.count == 1)
    #expect(read.findings.allSatisfy { $0.hasSuffix("latest_receipt_info[0].is_trial_period") })
  }

  @Test(arguments: ["null", #""""#])
  func anEmptyFlagIsAbsent(_ json: String) throws {
    let read = try ReadRecord(
      Body.notification.with(#""is_trial_period":"false""#, as: "\"is_trial_period\":\(json)"))
    #expect(read.record.flag(read.transaction, .is_trial_period) == nil)
    #expect(read.record.rows.slot(read.transaction, .is_trial_period) == 0)
  }
}
