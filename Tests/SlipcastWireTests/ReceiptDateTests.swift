import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@Suite struct ReceiptDateTests {
  /// Reads a text whose memory ends with it.
  private func read(_ text: some Collection<UInt8>) -> ReceiptDate.Reading {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(text.count, 1))
    defer { memory.deallocate() }
    for (place, byte) in text.enumerated() { memory[place] = byte }
    return ReceiptDate.read(JSONText(base: UnsafePointer(memory), count: text.count, isVerbatim: true))
  }

  static let greenwich: [(text: String, seconds: Int64)] = [
    ("1970-01-01 00:00:00 Etc/GMT", 0), ("2013-08-01 07:00:00 Etc/GMT", 1_375_340_400),
    ("2022-11-01 09:15:38 Etc/GMT", 1_667_294_138), ("2024-02-29 23:59:59 Etc/GMT", 1_709_251_199),
    ("2000-02-29 12:34:56 Etc/GMT", 951_827_696), ("2100-03-01 00:00:00 Etc/GMT", 4_107_542_400),
    ("2099-12-31 23:59:59 Etc/GMT", 4_102_444_799), ("1969-12-31 23:59:59 Etc/GMT", -1),
    ("0001-01-01 00:00:00 Etc/GMT", -62_135_596_800), ("9999-12-31 23:59:59 Etc/GMT", 253_402_300_799),
    ("1900-03-01 00:00:00 Etc/GMT", -2_203_891_200),
  ]

  @Test(arguments: greenwich)
  func theGreenwichSpellingIsAnInstant(_ text: String, _ seconds: Int64) {
    #expect(read(text.utf8) == .utc(seconds: seconds))
  }

  @Test(arguments: greenwich)
  func thePacificSpellingIsAWallClock(_ text: String, _ seconds: Int64) {
    #expect(read((text.prefix(19) + " America/Los_Angeles").utf8) == .pacific(seconds: seconds))
  }

  @Test(arguments: [
    "", " ", "2022-11-01", "2022-11-01 09:15:38", "2022-11-01 09:15:38 ", "2022-11-01 09:15:38 PST",
    "2022-11-01 09:15:38 GMT", "2022-11-01 09:15:38 Etc/UTC", "2022-11-01 09:15:38 etc/gmt",
    "2022-11-01 09:15:38  Etc/GMT", "2022-11-01 09:15:38 Etc/GMT ", " 2022-11-01 09:15:38 Etc/GMT",
    "2022-11-01T09:15:38 Etc/GMT", "2022-11-01 09:15:38 America/New_York",
    "2022-11-01 09:15:38 America/Los_Angelos", "2022-11-01 09:15:38 Xmerica/Los_Angeles",
    "015-11-13 03:38:17 Etc/GMT", "015-11-13 03:38:17 America/Los_Angeles", "2020-11-15 03: 36: 03 Etc/GMT",
    "2020-11-15 03: 36: 03 America/Los_Angeles", "2022/11/01 09:15:38 Etc/GMT", "2022-1-01 09:15:38 Etc/GMT",
    "2022-00-01 09:15:38 Etc/GMT", "2022-13-01 09:15:38 Etc/GMT", "2022-11-00 09:15:38 Etc/GMT",
    "2022-11-32 09:15:38 Etc/GMT", "2022-11-01 25:15:38 Etc/GMT", "2022-11-01 09:60:38 Etc/GMT",
    "2022-11-01 09:15:61 Etc/GMT", "+022-11-01 09:15:38 Etc/GMT", "2022-11-01 09:15:3x Etc/GMT", "1667294138000",
    "２022-11-01 09:15:38 Etc/GMT",
  ])
  func anyOtherSpellingIsMalformed(_ text: String) {
    #expect(read(text.utf8) == .malformed)
  }

  @Test(arguments: [
    "2022-02-29 09:15:38", "2022-02-30 09:15:38", "2022-04-31 09:15:38", "2100-02-29 00:00:00",
  ])
  func aDayThatNoCalendarHasIsMalformed(_ text: String) {
    #expect(read((text + " Etc/GMT").utf8) == .malformed)
    #expect(read((text + " America/Los_Angeles").utf8) == .malformed)
  }

  @Test func anHourThatNoClockShowsIsMalformed() {
    #expect(read("2022-11-01 24:30:00 Etc/GMT".utf8) == .malformed)
  }

  /// A slow reading of the same grammar, to compare the fast one with.
  private func slowly(_ text: [UInt8]) -> ReceiptDate.Reading {
    let pattern = Array("dddd-dd-dd dd:dd:dd".utf8)
    guard text.count > 19 else { return .malformed }
    for (byte, sign) in zip(text, pattern) where sign == UInt8(ascii: "d") ? !(48...57).contains(byte) : byte != sign {
      return .malformed
    }
    func number(_ range: Range<Int>) -> Int { text[range].reduce(0) { $0 * 10 + Int($1 - 48) } }
    let time = CivilTime(
      year: number(0..<4), month: number(5..<7), day: number(8..<10), hour: number(11..<13), minute: number(14..<16),
      second: number(17..<19))
    let isLeap = time.year % 4 == 0 && (time.year % 100 != 0 || time.year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(time.month), (1...days[time.month - 1]).contains(time.day), time.hour < 24,
      time.minute < 60, time.second <= 60
    else { return .malformed }
    switch String(decoding: text[19...], as: UTF8.self) {
    case " Etc/GMT": return .utc(seconds: time.secondsSince1970)
    case " America/Los_Angeles": return .pacific(seconds: time.secondsSince1970)
    default: return .malformed
    }
  }

  @Test(arguments: [
    "2022-11-01 09:15:38 Etc/GMT", "2019-05-30 14:48:07 America/Los_Angeles", "2024-02-29 23:59:59 Etc/GMT",
    "1900-03-31 20:00:00 Etc/GMT",
  ])
  func oneOtherByteAnywhereIsReadAsTheGrammarSays(_ text: String) {
    var wrong: [String] = []
    for place in 0..<text.utf8.count {
      for byte in UInt8.min...UInt8.max {
        var other = Array(text.utf8)
        other[place] = byte
        if read(other) != slowly(other) { wrong.append("byte \(byte) at \(place)") }
      }
    }
    #expect(wrong == [])
  }

  @Test func everyDayOfTwoCenturiesIsCountedRight() {
    var wrong = 0
    for day in CivilTime.days(year: 1930, month: 1, day: 1)..<CivilTime.days(year: 2130, month: 1, day: 1) {
      let time = CivilTime(secondsSince1970: day * 86_400 + 43_210)
      func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
      let text = "\(time.year)-\(two(time.month))-\(two(time.day)) 12:00:10 Etc/GMT"
      if read(text.utf8) != .utc(seconds: day * 86_400 + 43_210) { wrong += 1 }
    }
    #expect(wrong == 0)
  }
}
