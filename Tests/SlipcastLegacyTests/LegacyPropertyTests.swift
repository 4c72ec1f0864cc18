import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@_spi(Slipcast) @testable import SlipcastLegacy

/// What holds of every record: fixtures, their disguises, and their ruins.
@Suite struct LegacyPropertyTests {
  /// Rows that wrap their record are left out.
  static let fixtures = (Fixture.cases("notifications") + Fixture.cases("receipts")).filter { fixture in
    (try? fixture.arguments.contains("--body")) == false
  }

  /// All that can be asked of a record.
  private func account(_ record: LegacyRecord) -> [String] {
    var lines = record.findings.map { "\($0.drift) \(record.path(Int($0.index)))" }
    lines.append("\(record.form) \(record.body) \(String(describing: record.unifiedReceipt)) \(record.flatIsExpired)")
    lines.append("\(record.transactions) \(record.renewals) \(record.inApp) \(String(describing: record.flat))")
    for row in 0..<record.rows.count {
      for key in LegacyKey.allCases where record.rows.slot(row, key) != 0 {
        let path = record.path(record.rows.slot(row, key))
        let flag = record.flag(row, key).map { "\($0)" } ?? "-"
        lines.append("\(row) \(key) \(path) \(record.text(row, key)?.string ?? "-") \(flag)")
      }
      for date in LegacyInstant.allCases {
        guard let value = record.instant(row, date) else { continue }
        lines.append("\(row) \(date) \(value) \(record.path(record.rows.source(row, date)))")
      }
    }
    return lines
  }

  private func account(_ reader: LegacyReader, _ tape: JSONTape) -> [String] {
    do throws(LegacyError) {
      try reader.read(tape)
      return account(reader.record)
    } catch {
      return ["\(error.code) \(error.path): \(error)"]
    }
  }

  private func text(_ fixture: Fixture) throws -> String {
    let text = try fixture.text("v1.json")
    return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
  }

  @Test(arguments: fixtures)
  func everyFixtureIsRead(_ fixture: Fixture) throws {
    let read = try ReadText(try text(fixture), names: LegacyKey.names)
    try LegacyReader().read(read.tape)
  }

  /// A letter spelled `\u0061` is the same letter: the fast way through plain text and the slow way must agree.
  @Test(arguments: fixtures)
  func escapesInStringsChangeNothing(_ fixture: Fixture) throws {
    let plain = try text(fixture)
    let read = try ReadText(plain, names: LegacyKey.names)
    let expected = account(LegacyReader(), read.tape)
    for isEscaped in [{ (_: Int) in true }, { $0 % 2 == 0 }, { $0 % 3 == 0 }] as [(Int) -> Bool] {
      let escaped = try ReadText(respelled(plain, isEscaped), names: LegacyKey.names)
      #expect(account(LegacyReader(), escaped.tape) == expected)
    }
  }

  /// The JSON with the first character of some strings spelled as an escape.
  private func respelled(_ json: String, _ isEscaped: (Int) -> Bool) -> String {
    var result = ""
    var strings = 0
    var (isInString, isBehindBackslash, isFirst) = (false, false, false)
    for character in json.unicodeScalars {
      if isInString, isFirst, character != "\\", character != "\"", character.isASCII, isEscaped(strings) {
        let digits = String(character.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        result.unicodeScalars.append(character)
      }
      isFirst = false
      if isInString {
        if isBehindBackslash {
          isBehindBackslash = false
        } else if character == "\\" {
          isBehindBackslash = true
        } else if character == "\"" {
          isInString = false
        }
      } else if character == "\"" {
        (isInString, isFirst) = (true, true)
        strings += 1
      }
    }
    return result
  }

  @Test func whatARecordGaveNeverReachesTheNext() throws {
    let one = LegacyReader()
    let odd = [
      #"{"notification_type":5,"bid":"x","expires_date_pst":"2022-11-01 02:15:38 America/Los_Angeles"}"#, "{}", "[]",
    ]
    let texts = try Self.fixtures.map(text) + odd
    for text in texts + texts.reversed() {
      let read = try ReadText(text, names: LegacyKey.names)
      #expect(account(one, read.tape) == account(LegacyReader(), read.tape))
    }
  }

  static let values = [
    "null", "true", "false", "0", "-1", "1e400", "12345678901234567890", "1.5", #""""#, #""x""#, #""0""#, #""true""#,
    #""9223372036854775807""#, #""2022-02-30 09:15:38 Etc/GMT""#, #""2022-11-01 09:15:38 America/Los_Angeles""#,
    "[]", "{}", "[{}]", #"{"a":"b"}"#, #"[[],"x",{"transaction_id":1}]"#, #""\ud83d\ude00""#,
  ]

  /// Some values of a body replaced by others of any kind: it is read or refused, within its bounds.
  @Test(arguments: (0..<40).map(UInt64.init))
  func aRuinedRecordIsReadOrRefusedInsideItsBounds(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bodies = [Body.notification, Body.answer, Body.oldAnswer]
    for _ in 0..<50 {
      let body = random.one(of: bodies)
      let whole = try ReadText(body)
      let places = (1..<whole.tape.count).filter { _ in random.number(0...14) == 0 }.map { whole.tape.range($0) }
      var text = ""
      var at = 0
      for range in places where range.lowerBound >= at {
        text += whole.text(in: at..<range.lowerBound) + random.one(of: Self.values)
        at = range.upperBound
      }
      text += whole.text(in: at..<body.utf8.count)
      let read = try ReadText(text, names: LegacyKey.names)
      let reader = LegacyReader()
      do throws(LegacyError) {
        try reader.read(read.tape)
        _ = account(reader.record)
        for finding in reader.record.findings { #expect(Int(finding.index) < read.tape.count) }
      } catch {
        #expect((0..<text.utf8.count).contains(error.offset))
        #expect(!error.description.contains(Body.secret))
      }
    }
  }
}
