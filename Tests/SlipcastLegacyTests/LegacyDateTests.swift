@_spi(Slipcast) import SlipcastLegacy
@_spi(Slipcast) import SlipcastWire
import Testing

/// The `_ms` field is the authority; texts are used without it and are checked against it.
@Suite struct LegacyDateTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let members: String
    let milliseconds: Int64?
    let source: String
    let findings: [String]
    var testDescription: String { members }

    init(_ members: String, _ milliseconds: Int64?, from source: String = "", _ findings: [String] = []) {
      (self.members, self.milliseconds, self.source, self.findings) = (members, milliseconds, source, findings)
    }
  }

  static let utc = #""purchase_date":"2022-11-01 09:15:38 Etc/GMT""#
  static let wall = #""purchase_date_pst":"2022-11-01 02:15:38 America/Los_Angeles""#

  static let cases: [Case] = [
    Case(#""purchase_date_ms":"1667294138000""#, 1_667_294_138_000, from: "purchase_date_ms"),
    Case(#""purchase_date_ms":"1667294138000",\#(utc),\#(wall)"#, 1_667_294_138_000, from: "purchase_date_ms"),
    Case(#"\#(wall),\#(utc),"purchase_date_ms":"1667294138000""#, 1_667_294_138_000, from: "purchase_date_ms"),
    Case(#""purchase_date_ms":"1667294138466",\#(utc),\#(wall)"#, 1_667_294_138_466, from: "purchase_date_ms"),
    Case(
      #""purchase_date_ms":1667294138000,\#(utc)"#, 1_667_294_138_000, from: "purchase_date_ms",
      ["unexpectedKind purchase_date_ms"]),
    Case(#""purchase_date_ms":"1000""#, 1000, from: "purchase_date_ms", ["implausibleDate purchase_date_ms"]),
    Case(#""purchase_date_ms":"-1000""#, -1000, from: "purchase_date_ms", ["implausibleDate purchase_date_ms"]),
    Case(#""purchase_date_ms":"0""#, 0, from: "purchase_date_ms", ["implausibleDate purchase_date_ms"]),
    Case(
      #""purchase_date_ms":"1667294138""#, 1_667_294_138, from: "purchase_date_ms",
      ["implausibleDate purchase_date_ms"]),
    Case(#""purchase_date_ms":"1000000000000""#, 1_000_000_000_000, from: "purchase_date_ms"),
    Case(#""purchase_date_ms":"9999999999999""#, 9_999_999_999_999, from: "purchase_date_ms"),
    Case(
      #""purchase_date_ms":"10000000000000""#, 10_000_000_000_000, from: "purchase_date_ms",
      ["implausibleDate purchase_date_ms"]),
    Case(utc, 1_667_294_138_000, from: "purchase_date", ["millisecondsMissing purchase_date"]),
    Case(#"\#(utc),\#(wall)"#, 1_667_294_138_000, from: "purchase_date", ["millisecondsMissing purchase_date"]),
    Case(wall, 1_667_294_138_000, from: "purchase_date_pst", ["pacificDateOnly purchase_date_pst"]),
    Case(
      #""purchase_date_ms":"",\#(utc)"#, 1_667_294_138_000, from: "purchase_date",
      ["emptyValue purchase_date_ms", "millisecondsMissing purchase_date"]),
    Case(
      #""purchase_date_ms":"soon",\#(utc)"#, 1_667_294_138_000, from: "purchase_date",
      ["malformedDate purchase_date_ms", "millisecondsMissing purchase_date"]),
    Case(
      #""purchase_date_ms":"253402300800000",\#(utc)"#, 1_667_294_138_000, from: "purchase_date",
      ["malformedDate purchase_date_ms", "millisecondsMissing purchase_date"]),
    Case(#""purchase_date_ms":"99999999999999999999""#, nil, ["malformedDate purchase_date_ms"]),
    Case(#""purchase_date_ms":true"#, nil, ["malformedDate purchase_date_ms"]),
    Case(#""purchase_date":"015-11-13 03:38:17 Etc/GMT""#, nil, ["malformedDate purchase_date"]),
    Case(#""purchase_date":"2020-11-15 03: 36: 03 Etc/GMT""#, nil, ["malformedDate purchase_date"]),
    Case(#""purchase_date":"""#, nil, ["emptyValue purchase_date"]),
    Case(
      #""purchase_date":"015-11-13 03:38:17 Etc/GMT",\#(wall)"#, 1_667_294_138_000, from: "purchase_date_pst",
      ["malformedDate purchase_date", "pacificDateOnly purchase_date_pst"]),
    // The zone decides, not its key.
    Case(
      #""purchase_date":"2022-11-01 02:15:38 America/Los_Angeles""#, 1_667_294_138_000, from: "purchase_date",
      ["pacificDateOnly purchase_date"]),
    Case(
      #""purchase_date_ms":"1667294138000","purchase_date":"2022-11-01 09:15:39 Etc/GMT""#, 1_667_294_138_000,
      from: "purchase_date_ms", ["dateMismatch purchase_date"]),
    // Fixed Pacific standard time all year, as a known library bug writes it.
    Case(
      #""purchase_date_ms":"1667294138000","purchase_date_pst":"2022-11-01 01:15:38 America/Los_Angeles""#,
      1_667_294_138_000, from: "purchase_date_ms", ["dateMismatch purchase_date_pst"]),
    // Either run of the repeated hour fits.
    Case(
      #""purchase_date_ms":"1667723400000","purchase_date_pst":"2022-11-06 01:30:00 America/Los_Angeles""#,
      1_667_723_400_000, from: "purchase_date_ms"),
    Case(
      #""purchase_date_ms":"1667727000000","purchase_date_pst":"2022-11-06 01:30:00 America/Los_Angeles""#,
      1_667_727_000_000, from: "purchase_date_ms"),
    Case(
      #""purchase_date_pst":"2022-11-06 01:30:00 America/Los_Angeles""#, 1_667_723_400_000, from: "purchase_date_pst",
      ["repeatedHour purchase_date_pst"]),
    Case(
      #""purchase_date_pst":"2023-03-12 02:30:00 America/Los_Angeles""#, 1_678_617_000_000, from: "purchase_date_pst",
      ["skippedHour purchase_date_pst"]),
    Case(
      #""purchase_date_ms":"1678617000000","purchase_date_pst":"2023-03-12 02:30:00 America/Los_Angeles""#,
      1_678_617_000_000, from: "purchase_date_ms", ["dateMismatch purchase_date_pst"]),
    // Milliseconds under the plain name.
    Case(
      #""purchase_date":"1667294138000""#, 1_667_294_138_000, from: "purchase_date", ["dateSpelling purchase_date"]),
    Case(#""purchase_date":1667294138000"#, 1_667_294_138_000, from: "purchase_date", ["unexpectedKind purchase_date"]),
    // ISO 8601 has one meaning only with a zone.
    Case(
      #""purchase_date":"2022-11-01T09:15:38Z""#, 1_667_294_138_000, from: "purchase_date",
      ["dateSpelling purchase_date"]),
    Case(
      #""purchase_date":"2022-11-01T02:15:38.5-07:00""#, 1_667_294_138_500, from: "purchase_date",
      ["dateSpelling purchase_date"]),
    Case(
      #""purchase_date_ms":"2022-11-01T09:15:38Z""#, 1_667_294_138_000, from: "purchase_date_ms",
      ["dateSpelling purchase_date_ms"]),
    Case(
      #""purchase_date_ms":"1667294138000","purchase_date":"2022-11-01T09:15:39Z""#, 1_667_294_138_000,
      from: "purchase_date_ms", ["dateSpelling purchase_date", "dateMismatch purchase_date"]),
    Case(#""purchase_date":"2022-11-01T09:15:38""#, nil, ["malformedDate purchase_date"]),
  ]

  @Test(arguments: cases)
  func aDateIsReadFromTheBestOfItsSpellings(_ dated: Case) throws {
    let read = try ReadRecord(#"{"status":0,"latest_receipt_info":[{"product_id":"x",\#(dated.members)}]}"#)
    #expect(read.record.instant(read.transaction, .purchase) == dated.milliseconds)
    if dated.milliseconds != nil {
      #expect(read.source(read.transaction, .purchase) == "latest_receipt_info[0]." + dated.source)
    }
    let findings = read.findings.map { $0.replacing("latest_receipt_info[0].", with: "") }
    #expect(findings.sorted() == dated.findings.sorted())
  }

  @Test(arguments: [
    (#""expires_date":"1682011800000""#, [String]()), (#""expires_date":1682011800000"#, ["unexpectedKind"]),
    (#""expires_date":"2023-04-20 17:30:00 Etc/GMT","expires_date_ms":"1682011800000""#, []),
    (#""expires_date":"1682011800000","expires_date_formatted":"2023-04-20 17:30:00 Etc/GMT""#, []),
    (#""expires_date_formatted":"2023-04-20 17:30:00 Etc/GMT","expires_date":"1682011800000""#, []),
    (#""expires_date":"1682011800000","expires_date_formatted_pst":"2023-04-20 10:30:00 America/Los_Angeles""#, []),
    (#""expires_date_formatted":"2023-04-20 17:30:00 Etc/GMT""#, ["millisecondsMissing"]),
    (#""expires_date_formatted_pst":"2023-04-20 10:30:00 America/Los_Angeles""#, ["pacificDateOnly"]),
    (#""expires_date_ms":"1682011800000","expires_date":"1""#, ["implausibleDate", "dateMismatch"]),
    (#""expires_date":"1","expires_date_ms":"1682011800000""#, ["implausibleDate", "dateMismatch"]),
    (#""expires_date":"1682011800000","expires_date_pst":"1552210200000""#, ["dateSpelling", "dateMismatch"]),
    (#""expires_date_pst":"1552210200000","expires_date":"1682011800000""#, ["dateSpelling", "dateMismatch"]),
    (
      #""expires_date":"2023-04-20 17:30:00 Etc/GMT","expires_date_formatted":"2023-04-20 17:30:09 Etc/GMT""#,
      ["millisecondsMissing", "dateMismatch"]
    ),
    (
      #""expires_date_formatted":"2023-04-20 17:30:09 Etc/GMT","expires_date":"2023-04-20 17:30:00 Etc/GMT""#,
      ["millisecondsMissing", "dateMismatch"]
    ),
    (#""expires_date":"1682011800000","expires_date_formatted":"2023-04-20 17:30:01 Etc/GMT""#, ["dateMismatch"]),
  ])
  func theExpiryIsReadFromOldAndNewSpellings(_ members: String, _ drifts: [String]) throws {
    let read = try ReadRecord(#"{"status":0,"latest_receipt_info":[{"product_id":"x",\#(members)}]}"#)
    #expect(read.record.instant(read.transaction, .expires) == 1_682_011_800_000)
    #expect(read.findings.map { String($0.prefix { $0 != " " }) } == drifts)
  }

  @Test(arguments: [
    "9223372036854775807", "-9223372036854775808", "999999999999999999", "253402300800000", "100000000000000000",
  ])
  func millisecondsBeyondTheYear9999AreNoDateUnderAnyName(_ number: String) throws {
    for key in ["purchase_date_ms", "purchase_date", "purchase_date_pst"] {
      let read = try ReadRecord(#"{"status":0,"latest_receipt_info":[{"product_id":"x","\#(key)":"\#(number)"}]}"#)
      #expect(read.record.instant(read.transaction, .purchase) == nil, "\(key)")
      #expect(read.findings == ["malformedDate latest_receipt_info[0].\(key)"])
    }
  }

  @Test func datesOfOneRowNeverReachTheNext() throws {
    let rows = (0..<50).map { number in
      number % 2 == 0 ? #"{"product_id":"x",\#(Self.utc),\#(Self.wall)}"# : #"{"product_id":"x"}"#
    }
    let read = try ReadRecord(#"{"status":0,"latest_receipt_info":[\#(rows.joined(separator: ","))]}"#)
    #expect(read.record.transactions.count == 50)
    for (number, row) in read.record.transactions.enumerated() {
      #expect((read.record.instant(row, .purchase) != nil) == (number % 2 == 0))
    }
  }
}
