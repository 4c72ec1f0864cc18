@_spi(Slipcast) import SlipcastWire
import Testing

/// Pacific wall time with daylight saving, against the time zone database's own figures.
@Suite struct DaylightTimeTests {
  struct Wall: Sendable, CustomTestStringConvertible {
    let local: CivilTime
    let utc: Int64

    var testDescription: String { "\(Timestamp(milliseconds: local.secondsSince1970 * 1000))" }

    init(_ y: Int, _ m: Int, _ d: Int, _ hour: Int, _ minute: Int, _ second: Int, _ utc: Int64) {
      local = CivilTime(year: y, month: m, day: d, hour: hour, minute: minute, second: second)
      self.utc = utc
    }
  }

  static let clocks: [Wall] = [
    Wall(2022, 11, 1, 2, 15, 38, 1_667_294_138), Wall(2013, 8, 1, 0, 0, 0, 1_375_340_400),
    Wall(2015, 11, 13, 3, 38, 17, 1_447_414_697), Wall(2024, 2, 29, 23, 59, 59, 1_709_279_999),
    Wall(2022, 12, 31, 16, 0, 0, 1_672_531_200),
    // The last second before clocks go forward, and the first behind.
    Wall(2022, 3, 13, 1, 59, 59, 1_647_165_599), Wall(2022, 3, 13, 3, 0, 0, 1_647_165_600),
    // Before the repeated hour and behind it.
    Wall(2022, 11, 6, 0, 59, 59, 1_667_721_599), Wall(2022, 11, 6, 2, 0, 0, 1_667_728_800),
    // The rules until 2006: April to October.
    Wall(2005, 3, 20, 12, 0, 0, 1_111_348_800), Wall(2005, 4, 3, 1, 59, 59, 1_112_522_399),
    Wall(2005, 4, 3, 3, 0, 0, 1_112_522_400), Wall(2005, 10, 30, 0, 59, 59, 1_130_659_199),
    Wall(2005, 10, 30, 2, 0, 0, 1_130_666_400), Wall(2005, 11, 3, 12, 0, 0, 1_131_048_000),
    Wall(2006, 10, 29, 2, 0, 0, 1_162_116_000), Wall(2007, 3, 11, 3, 0, 0, 1_173_607_200),
    Wall(2007, 11, 4, 2, 0, 0, 1_194_170_400),
  ]

  @Test(arguments: clocks)
  func aPacificClockIsOneInstant(_ wall: Wall) {
    let rule = DaylightTime()
    let local = wall.local.secondsSince1970
    #expect(rule.seconds(ofPacific: local) == wall.utc)
    #expect(rule.agrees(local, at: wall.utc))
    #expect(!rule.agrees(local, at: wall.utc + 3600))
    #expect(!rule.agrees(local, at: wall.utc - 3600))
    #expect(!rule.agrees(local + 1, at: wall.utc))
  }

  @Test(arguments: [
    Wall(2022, 11, 6, 1, 0, 0, 1_667_721_600), Wall(2022, 11, 6, 1, 30, 0, 1_667_723_400),
    Wall(2022, 11, 6, 1, 59, 59, 1_667_725_199), Wall(2005, 10, 30, 1, 30, 0, 1_130_661_000),
  ])
  func theRepeatedHourIsReadAsItsFirstRunAndAgreesWithBoth(_ wall: Wall) {
    let rule = DaylightTime()
    let local = wall.local.secondsSince1970
    #expect(rule.seconds(ofPacific: local) == wall.utc)
    #expect(rule.agrees(local, at: wall.utc))
    #expect(rule.agrees(local, at: wall.utc + 3600))
    #expect(!rule.agrees(local, at: wall.utc - 3600))
  }

  @Test func theHourThatSpringLeavesOutIsReadAsStandardTimeAndAgreesWithNone() {
    let rule = DaylightTime()
    let skipped = Wall(2022, 3, 13, 2, 30, 0, 1_647_167_400)
    let local = skipped.local.secondsSince1970
    #expect(rule.seconds(ofPacific: local) == skipped.utc)
    for hours in 5...10 { #expect(!rule.agrees(local, at: local + Int64(hours) * 3600), "\(hours) hours") }
  }

  static let changes: [(year: Int, spring: Int64, autumn: Int64)] = [
    (1987, 544_615_200, 562_150_800), (1999, 923_220_000, 941_360_400), (2000, 954_669_600, 972_810_000),
    (2004, 1_081_072_800, 1_099_213_200), (2005, 1_112_522_400, 1_130_662_800), (2006, 1_143_972_000, 1_162_112_400),
    (2007, 1_173_607_200, 1_194_166_800), (2008, 1_205_056_800, 1_225_616_400), (2010, 1_268_560_800, 1_289_120_400),
    (2012, 1_331_460_000, 1_352_019_600), (2013, 1_362_909_600, 1_383_469_200), (2015, 1_425_808_800, 1_446_368_400),
    (2016, 1_457_863_200, 1_478_422_800), (2019, 1_552_212_000, 1_572_771_600), (2020, 1_583_661_600, 1_604_221_200),
    (2021, 1_615_716_000, 1_636_275_600), (2022, 1_647_165_600, 1_667_725_200), (2023, 1_678_615_200, 1_699_174_800),
    (2024, 1_710_064_800, 1_730_624_400), (2025, 1_741_514_400, 1_762_074_000), (2026, 1_772_964_000, 1_793_523_600),
    (2028, 1_836_468_000, 1_857_027_600), (2030, 1_899_367_200, 1_919_926_800), (2037, 2_120_119_200, 2_140_678_800),
  ]

  @Test(arguments: changes)
  func clocksChangeOnTheSundaysOfTheRule(_ year: Int, _ spring: Int64, _ autumn: Int64) {
    let rule = DaylightTime()
    #expect(!rule.isObserved(at: spring - 1))
    #expect(rule.isObserved(at: spring))
    #expect(rule.isObserved(at: autumn - 1))
    #expect(!rule.isObserved(at: autumn))
    let newYear = CivilTime.days(year: year, month: 1, day: 1) * 86_400
    for hours in -48...48 { #expect(!rule.isObserved(at: newYear + Int64(hours) * 3600)) }
  }

  @Test func oneRuleServesYearsInAnyOrder() {
    let rule = DaylightTime()
    for change in Self.changes.shuffled() + Self.changes.reversed() {
      #expect(rule.isObserved(at: (change.spring + change.autumn) / 2))
      #expect(!rule.isObserved(at: change.spring - 86_400))
    }
  }
}
