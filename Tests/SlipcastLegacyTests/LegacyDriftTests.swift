@_spi(Slipcast) import SlipcastLegacy
@_spi(Slipcast) import SlipcastWire
import Testing

/// Every drift, provoked by one change of a clean body, is found once and at its place.
@Suite struct LegacyDriftTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let drift: LegacyDrift
    let path: String
    let json: String
    let change: String
    var testDescription: String { "\(drift): \(change)" }

    /// A change of the notification.
    init(_ drift: LegacyDrift, _ path: String, _ piece: String, _ other: String) {
      (self.drift, self.path) = (drift, path)
      (json, change) = (Body.notification.with(piece, as: other), other)
    }

    init(_ drift: LegacyDrift, _ path: String, json: String) {
      (self.drift, self.path, self.json, change) = (drift, path, json, json)
    }
  }

  static let row = "unified_receipt.latest_receipt_info[0]"
  static let entry = "unified_receipt.pending_renewal_info[0]"

  static let kinds: [Case] = [
    Case(.unexpectedKind, row + ".quantity", #""quantity":"1""#, #""quantity":1"#),
    Case(.unexpectedKind, row + ".product_id", #""product_id":"com.example.monthly""#, #""product_id":7"#),
    Case(.unusableKind, row + ".product_id", #""product_id":"com.example.monthly""#, #""product_id":{}"#),
    Case(.unusableKind, row + ".transaction_id", #""730001200471022""#, "true"),
    Case(.unusableKind, row + ".quantity", #""quantity":"1""#, #""quantity":["1"]"#),
    Case(.unusableKind, row + ".is_trial_period", #""is_trial_period":"false""#, #""is_trial_period":{}"#),
    Case(.unusableKind, row + ".purchase_date", #""2023-03-20 17:30:00 Etc/GMT""#, "false"),
    Case(.unusableKind, row + ".purchase_date", #""2023-03-20 17:30:00 Etc/GMT""#, "1679333400"),
    Case(
      .unusableKind, "unified_receipt.pending_renewal_info", #""pending_renewal_info":[\#(Body.renewal)]"#,
      #""pending_renewal_info":"none""#),
    Case(
      .unusableKind, "unified_receipt.latest_receipt_info[1]", "}],\"latest_receipt\"",
      "},[\(Body.transaction)]],\"latest_receipt\""),
    Case(.unexpectedKind, row + ".transaction_id", #""730001200471022""#, "730001200471022"),
    Case(.unexpectedKind, row + ".purchase_date_ms", #""1679333400000""#, "1679333400000"),
    Case(.unexpectedKind, row + ".purchase_date", #""2023-03-20 17:30:00 Etc/GMT""#, "1679333400000"),
    Case(.unusableKind, "bid", #""bid":"com.example""#, #""bid":true"#),
    Case(.unusableKind, "original_transaction_id", "730001200471000,", "false,"),
    Case(.unexpectedKind, "unified_receipt.status", #""status":0"#, #""status":"0""#),
    Case(.unusableKind, "unified_receipt.latest_receipt_info[1]", "}],\"latest_receipt\"", "},5],\"latest_receipt\""),
    Case(
      .unusableKind, entry + ".product_id", #""product_id":"com.example.monthly","auto"#, #""product_id":[],"auto"#),
    Case(.emptyValue, "bvrs", #""bvrs":"412""#, #""bvrs":"""#),
    Case(.emptyValue, row + ".transaction_id", #""730001200471022""#, #""""#),
    Case(.emptyValue, row + ".expires_date", #""2023-04-20 17:30:00 Etc/GMT""#, #""""#),
    Case(.emptyValue, row + ".is_trial_period", #""is_trial_period":"false""#, #""is_trial_period":"""#),
    Case(.emptyElement, "unified_receipt.latest_receipt_info[1]", "}],\"latest_receipt\"", "},{}],\"latest_receipt\""),
    Case(
      .emptyElement, "unified_receipt.latest_receipt_info[1]", "}],\"latest_receipt\"", "},null],\"latest_receipt\""),
    Case(
      .textForContainer, "", #""pending_renewal_info":[\#(Body.renewal)]"#,
      #""pending_renewal_info":"[\#(Body.renewal.replacing("\"", with: "\\\""))]""#),
    Case(.emptyValue, "latest_receipt_info", #""bid":"#, #""latest_receipt_info":{},"bid":"#),
    Case(
      .expiredInfoUnused, "latest_expired_receipt_info", #""bid":"#,
      #""latest_receipt_info":\#(Body.transaction),"latest_expired_receipt_info":\#(Body.transaction),"bid":"#),
    Case(.nullValue, "bvrs", #""bvrs":"412""#, #""bvrs":null"#),
    Case(.nullValue, row + ".quantity", #""quantity":"1""#, #""quantity":null"#),
    Case(.nullValue, "expiration_intent", #""bid":"#, #""expiration_intent":null,"bid":"#),
  ]

  static let flags: [Case] = [
    Case(.flagSpelling, row + ".is_trial_period", #""is_trial_period":"false""#, #""is_trial_period":false"#),
    Case(.flagSpelling, row + ".is_trial_period", #""is_trial_period":"false""#, #""is_trial_period":"0""#),
    Case(.flagSpelling, row + ".is_trial_period", #""is_trial_period":"false""#, #""is_trial_period":1"#),
    Case(.flagSpelling, "auto_renew_status", #""auto_renew_status":"true""#, #""auto_renew_status":"1""#),
    Case(.flagSpelling, entry + ".auto_renew_status", #""auto_renew_status":"1""#, #""auto_renew_status":"true""#),
    Case(.flagSpelling, entry + ".auto_renew_status", #""auto_renew_status":"1""#, #""auto_renew_status":1"#),
    Case(.unreadableFlag, row + ".is_trial_period", #""is_trial_period":"false""#, #""is_trial_period":"2""#),
    Case(.unusableKind, entry + ".auto_renew_status", #""auto_renew_status":"1""#, #""auto_renew_status":[]"#),
  ]

  static let keys: [Case] = [
    Case(.duplicateKey, "bid", #""bid":"com.example""#, #""bid":"x","bid":"com.example""#),
    Case(.duplicateKey, row + ".quantity", #""quantity":"1""#, #""quantity":"2","\u0071uantity":"1""#),
    Case(.unrecognizedKey, "new_key", #""bid":"#, #""new_key":{"a":[1]},"bid":"#),
    Case(.unrecognizedKey, "in_app", #""bid":"#, #""in_app":[],"bid":"#),
    Case(.unrecognizedKey, row + ".notification_type", #""quantity":"#, #""notification_type":"x","quantity":"#),
    Case(.unrecognizedKey, entry + ".new", #""auto_renew_status":"1""#, #""auto_renew_status":"1","new":null"#),
  ]

  static let dates: [Case] = [
    Case(.malformedDate, row + ".purchase_date", "2023-03-20 17:30:00 Etc", "023-03-20 17:30:00 Etc"),
    Case(.malformedDate, row + ".expires_date", "2023-04-20 17:30:00 Etc", "2023-04-20 17: 30: 00 Etc"),
    Case(.malformedDate, row + ".expires_date_pst", "2023-04-20 10:30:00 America/Los_Angeles", "tomorrow"),
    Case(
      .malformedDate, row + ".purchase_date_pst", "2023-03-20 10:30:00 America/Los_Angeles", "2023-03-20 10:30:00 PST"),
    Case(.dateSpelling, row + ".purchase_date", "2023-03-20 17:30:00 Etc/GMT", "2023-03-20T17:30:00Z"),
    Case(.dateSpelling, row + ".purchase_date", "2023-03-20 17:30:00 Etc/GMT", "2023-03-20T19:30:00.000+02:00"),
    Case(.malformedDate, row + ".purchase_date", "2023-03-20 17:30:00 Etc/GMT", "2023-03-20T17:30:00"),
    Case(.malformedDate, row + ".purchase_date", "2023-03-20 17:30:00 Etc/GMT", "2023-03-20"),
    Case(.dateMismatch, row + ".purchase_date", "2023-03-20 17:30:00 Etc", "2023-03-20 17:30:01 Etc"),
    Case(.dateMismatch, row + ".purchase_date_pst", "2023-03-20 10:30:00 Am", "2023-03-20 09:30:00 Am"),
    Case(.millisecondsMissing, row + ".purchase_date", #""purchase_date_ms":"1679333400000","#, ""),
    Case(.millisecondsMissing, row + ".expires_date", #""expires_date_ms":"1682011800000","#, ""),
    Case(
      .implausibleDate, row + ".expires_date_ms",
      #""expires_date":"2023-04-20 17:30:00 Etc/GMT","expires_date_ms":"1682011800000","#
        + #""expires_date_pst":"2023-04-20 10:30:00 America/Los_Angeles","#,
      #""expires_date_ms":"1682011800","#),
    Case(
      .pacificDateOnly, row + ".purchase_date_pst",
      #""purchase_date":"2023-03-20 17:30:00 Etc/GMT","purchase_date_ms":"1679333400000","#, ""),
    Case(.repeatedHour, row + ".purchase_date_pst", purchase, #""purchase_date_pst":"2022-11-06 01:59:59 \#(zone)""#),
    Case(
      .pacificDateOnly, row + ".purchase_date_pst", purchase, #""purchase_date_pst":"2022-11-06 00:59:59 \#(zone)""#),
    Case(
      .pacificDateOnly, row + ".purchase_date_pst", purchase, #""purchase_date_pst":"2022-11-06 02:00:00 \#(zone)""#),
    Case(.skippedHour, row + ".purchase_date_pst", purchase, #""purchase_date_pst":"2023-03-12 02:00:00 \#(zone)""#),
    Case(
      .pacificDateOnly, row + ".purchase_date_pst", purchase, #""purchase_date_pst":"2023-03-12 01:59:59 \#(zone)""#),
    Case(
      .pacificDateOnly, row + ".purchase_date_pst", purchase, #""purchase_date_pst":"2023-03-12 03:00:00 \#(zone)""#),
  ]

  static let zone = "America/Los_Angeles"
  static let purchase =
    #""purchase_date":"2023-03-20 17:30:00 Etc/GMT","purchase_date_ms":"1679333400000","#
    + #""purchase_date_pst":"2023-03-20 10:30:00 America/Los_Angeles""#

  static let values: [Case] = [
    Case(.identifierSpelling, row + ".transaction_id", "730001200471022", "GPA.730001200471022"),
    Case(.identifierSpelling, row + ".web_order_line_item_id", "730000550471006", "-1"),
    Case(
      .identifierSpelling, entry + ".original_transaction_id", #""730001200471000","product_id""#, #""x","product_id""#),
    Case(.identifierSpelling, "original_transaction_id", "730001200471000,", #""1e400","#),
    Case(.identifierFraction, "original_transaction_id", "730001200471000,", "730001200471000.0,"),
    Case(.identifierFraction, row + ".transaction_id", #""730001200471022""#, "730001200471022.00"),
    Case(.unreadableNumber, "original_transaction_id", "730001200471000,", "1e400,"),
    Case(.unreadableNumber, "original_transaction_id", "730001200471000,", "-1,"),
    Case(.unreadableNumber, row + ".transaction_id", #""730001200471022""#, "1001.5"),
    Case(.unreadableNumber, row + ".transaction_id", #""730001200471022""#, "500880970751784896.0"),
    Case(.zeroLineItem, row + ".web_order_line_item_id", #""730000550471006""#, #""0""#),
    Case(.zeroLineItem, row + ".web_order_line_item_id", #""730000550471006""#, "0"),
    Case(.unreadableNumber, row + ".quantity", #""quantity":"1""#, #""quantity":"2147483648""#),
    Case(.unreadableNumber, row + ".quantity", #""quantity":"1""#, #""quantity":"-1""#),
    Case(.unreadableNumber, "expiration_intent", #""bid":"#, #""expiration_intent":4294967297,"bid":"#),
    Case(.unreadableNumber, "expiration_intent", #""bid":"#, #""expiration_intent":"none","bid":"#),
    Case(.unreadableNumber, row + ".quantity", #""quantity":"1""#, #""quantity":"one""#),
    Case(.unreadableNumber, "unified_receipt.status", #""status":0"#, #""status":"valid""#),
    Case(.unreadableNumber, "unified_receipt.status", #""status":0"#, #""status":0.5"#),
    Case(.statusWord, "unified_receipt.status", #""status":0"#, #""status":"OK""#),
    Case(
      .objectForArray, "unified_receipt.pending_renewal_info", "[\(Body.renewal)]", Body.renewal),
    Case(.objectForArray, "unified_receipt.latest_receipt_info", "[\(Body.transaction)]", Body.transaction),
    Case(
      .misplacedKey, "pending_renewal_info", "\"pending_renewal_info\":[\(Body.renewal)]}",
      "\"pending_renewal_info\":[]},\"pending_renewal_info\":[\(Body.renewal)]"),
    Case(
      .objectForArray, "receipt.in_app",
      json: Body.answer.with("\"in_app\":[\(Body.transaction)]", as: "\"in_app\":\(Body.transaction)")),
    Case(.unreadableFlag, row + ".is_trial_period", #""is_trial_period":"false""#, #""is_trial_period":"no""#),
    Case(.unreadableFlag, entry + ".auto_renew_status", #""auto_renew_status":"1""#, #""auto_renew_status":2"#),
    Case(
      .unreadableFlag, "auto_renew_status",
      json: Body.oldAnswer.with(#""auto_renew_status":1"#, as: #""auto_renew_status":2"#)),
    Case(.flagSpelling, "is-retryable", json: #"{"status":21104,"is-retryable":1}"#),
    Case(.duplicateKey, "status_info", json: #"{"status":21002,"status_info":"a","status_info":"b"}"#),
  ]

  @Test(arguments: kinds + flags + keys + dates + values)
  func oneChangeIsFoundOnceAtItsPlace(_ changed: Case) throws {
    #expect(try ReadRecord(changed.json).findings == ["\(changed.drift) \(changed.path)"])
  }

  /// Each part of an answer, with where its values are in the answer that is read.
  static let parts: [(json: String, first: String)] = [
    (Body.transaction, "latest_receipt_info[0]"), ("[\(Body.transaction)]", "latest_receipt_info[0]"),
    (#"{"bundle_id":"com.example.slipcast","in_app":[\#(Body.transaction)]}"#, "receipt.in_app[0]"),
  ]

  @Test(arguments: parts.indices)
  func aPartOfAnAnswerIsReadAndSaid(_ place: Int) throws {
    let record = try ReadRecord(Self.parts[place].json)
    #expect(record.findings.contains("partialAnswer "))
    #expect(record.record.form == .verifyReceipt)
    let row = try #require(record.record.transactions.first ?? record.record.inApp.first)
    #expect(
      record.record.path(record.record.rows.slot(row, .transaction_id)).description == Self.parts[place].first
        + ".transaction_id")
    #expect(record.record.damagedLists.contains(.renewals) && record.record.damagedLists.contains(.transactions))
  }

  /// Names that other programs use too are no part of an answer.
  @Test(arguments: [
    #"{"transaction_id":"1","product_id":"p","purchase_date":"2023-01-01"}"#, #"{"purchase_date_ms":"1"}"#, "[]", "[1]",
    #"{"bundle_id":"com.example.slipcast"}"#,
  ])
  func aRowOfOthersIsNoPart(_ json: String) { #expect(throws: LegacyError.self) { try ReadRecord(json) } }

  @Test func anUnknownKeyThatStandsTwiceIsFoundAtItsObject() throws {
    let findings = try ReadRecord(#"{"status":21002,"x":1,"x":2}"#).findings
    #expect(findings == ["duplicateKey ", "unrecognizedKey x", "unrecognizedKey x"])
  }

  @Test func anObjectWhoseUnknownKeyStandsTwiceIsNamedOnce() throws {
    let findings = try ReadRecord(Body.notification.with(#"{"status":0"#, as: #"{"x":1,"x":2,"status":0"#)).findings
    #expect(findings.filter { $0.hasPrefix("duplicateKey") } == ["duplicateKey unified_receipt"])
  }

  @Test func anObjectThatStandsTwiceIsNamedOnce() throws {
    let twice = Body.notification.with(#""unified_receipt":"#, as: #""unified_receipt":{},"unified_receipt":"#)
    let findings = try ReadRecord(twice).findings
    #expect(findings.filter { $0.hasPrefix("duplicateKey") } == ["duplicateKey unified_receipt"])
  }

  @Test func anArrayForTheFlatObjectIsNamedOnce() throws {
    let json = #"{"notification_type":"CANCEL","latest_receipt_info":[\#(Body.flat)]}"#
    #expect(try ReadRecord(json).findings == ["objectForArray latest_receipt_info"])
  }

  @Test func everyTextDateIsCheckedAlsoWhenTwoHaveOneZone() throws {
    let json = Body.notification.with("2023-04-20 17:30:00 Etc/GMT", as: "2023-04-20 17:30:00 America/Los_Angeles")
    #expect(try ReadRecord(json).findings == ["dateMismatch \(Self.row).expires_date"])
  }

  @Test func everyDriftIsProvoked() {
    let drifts = Set((Self.kinds + Self.flags + Self.keys + Self.dates + Self.values).map(\.drift))
    #expect(drifts.union([.partialAnswer]) == Set(LegacyDrift.allCases))
  }

  @Test func anUnusableIdentifierIsAbsent() throws {
    for value in ["true", "{}", "1001.5", "1e400", "-1"] {
      let read = try ReadRecord(Body.notification.with(#""730001200471022""#, as: value))
      #expect(read.record.rows.slot(read.transaction, .transaction_id) == 0, "\(value)")
      #expect(read.string(read.transaction, .transaction_id) == nil, "\(value)")
    }
  }

  @Test func anIdentifierWithAFractionOfZerosIsReadAsTheWholeNumber() throws {
    let read = try ReadRecord(Body.notification.with(#""730001200471022""#, as: "730001200471022.0"))
    #expect(read.string(read.transaction, .transaction_id) == "730001200471022")
  }

  @Test func aVersionThatIsANumberKeepsItsFraction() throws {
    let read = try ReadRecord(Body.notification.with(#""bvrs":"412""#, as: #""bvrs":1.0"#))
    #expect(read.string(read.record.body, .bvrs) == "1.0")
  }

  @Test(arguments: [Body.notification, Body.answer, Body.oldAnswer, #"{"status":21002}"#])
  func aCleanRecordHasNone(_ json: String) throws {
    #expect(try ReadRecord(json).findings == [])
  }

  @Test func aDateThatIsReplacedIsNotUsedAsItIs() throws {
    let read = try ReadRecord(
      #"{"latest_receipt_info":[{"purchase_date_ms":"0","purchase_date_ms":"1667294138000"}]}"#)
    #expect(read.findings == ["duplicateKey latest_receipt_info[0].purchase_date_ms"])
  }
}
