import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@Suite struct CivilTimeTests {
  struct Case: Sendable {
    let time: CivilTime
    let seconds: Int64

    init(_ y: Int, _ m: Int, _ d: Int, _ hour: Int, _ minute: Int, _ second: Int, _ seconds: Int64) {
      time = CivilTime(year: y, month: m, day: d, hour: hour, minute: minute, second: second)
      self.seconds = seconds
    }
  }

  static let known: [Case] = [
    Case(1, 1, 1, 0, 0, 0, -62_135_596_800), Case(1, 12, 31, 23, 59, 59, -62_104_060_801),
    Case(400, 12, 31, 0, 0, 0, -49_512_902_400), Case(1600, 2, 29, 0, 0, 0, -11_670_998_400),
    Case(1900, 2, 28, 23, 59, 59, -2_203_891_201), Case(1900, 3, 1, 0, 0, 0, -2_203_891_200),
    Case(1969, 12, 31, 23, 59, 59, -1), Case(1970, 1, 1, 0, 0, 0, 0), Case(2000, 2, 29, 12, 34, 56, 951_827_696),
    Case(2022, 11, 1, 9, 15, 38, 1_667_294_138), Case(2024, 2, 29, 0, 0, 0, 1_709_164_800),
    Case(2038, 1, 19, 3, 14, 8, 2_147_483_648), Case(2100, 2, 28, 0, 0, 0, 4_107_456_000),
    Case(2100, 3, 1, 0, 0, 0, 4_107_542_400), Case(9999, 12, 31, 23, 59, 59, 253_402_300_799),
  ]

  @Test(arguments: known)
  func aKnownDateIsCountedRightBothWays(_ known: Case) {
    #expect(known.time.secondsSince1970 == known.seconds)
    #expect(CivilTime(secondsSince1970: known.seconds) == known.time)
  }

  /// Walks day by day through all years that text dates can have.
  @Test func everyDayFollowsTheOneBefore() {
    var day = CivilTime.days(year: 1, month: 1, day: 1)
    var wrong = 0
    for year in 1...9999 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for (month, count) in zip(1...12, [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
        if CivilTime.days(year: year, month: month, day: 1) != day { wrong += 1 }
        day += Int64(count)
        let last = CivilTime(secondsSince1970: day * 86_400 - 1)
        if (last.year, last.month, last.day, last.hour, last.minute, last.second) != (year, month, count, 23, 59, 59) {
          wrong += 1
        }
      }
    }
    #expect(wrong == 0)
    #expect(day == CivilTime.days(year: 10_000, month: 1, day: 1))
  }

  @Test(arguments: (0..<20).map(UInt64.init))
  func readingAClockUndoesCountingItsSeconds(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let seconds = Int64(random.number(-62_135_596_800...253_402_300_799))
      #expect(CivilTime(secondsSince1970: seconds).secondsSince1970 == seconds)
    }
  }
}
