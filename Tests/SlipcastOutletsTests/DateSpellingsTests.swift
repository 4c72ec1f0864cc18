import SlipcastOutlets
@_spi(Slipcast) import SlipcastWire
import Testing

@Suite struct DateSpellingsTests {
  private let spellings = DateSpellings()

  /// Both sides of every change of the clock, and the time before it existed in its present form.
  @Test(arguments: [
    (1_762_073_999_000, "2025-11-02 08:59:59", "2025-11-02 01:59:59"),
    (1_762_074_000_000, "2025-11-02 09:00:00", "2025-11-02 01:00:00"),
    (1_772_963_999_000, "2026-03-08 09:59:59", "2026-03-08 01:59:59"),
    (1_772_964_000_000, "2026-03-08 10:00:00", "2026-03-08 03:00:00"),
    // 2006: from the first Sunday of April.
    (1_143_972_000_000, "2006-04-02 10:00:00", "2006-04-02 03:00:00"),
    (0, "1970-01-01 00:00:00", "1969-12-31 16:00:00"),
    (1_375_340_400_999, "2013-08-01 07:00:00", "2013-08-01 00:00:00"),
  ])
  func aDateHasThreeSpellings(time: Int64, greenwich: String, pacific: String) {
    let text = JSONWriter.object(capacity: 128) { _ = spellings.write(time, as: "purchase_date", to: $0) }.string
    #expect(
      text == """
        {"purchase_date":"\(greenwich) Etc/GMT","purchase_date_ms":"\(time)",\
        "purchase_date_pst":"\(pacific) America/Los_Angeles"}
        """)
  }

  @Test(arguments: [-1, Int64.min, Int64.max, 253_402_300_800_000])
  func aTimeWithoutSuchATextIsNotWritten(time: Int64) {
    let writer = JSONWriter.object(capacity: 128) { #expect(!spellings.write(time, as: "purchase_date", to: $0)) }
    #expect(writer.string == "{}")
  }

  /// What is written is read back by the reader of V1 dates.
  @Test func bothTextsAreReadBack() {
    for time in stride(from: Int64(0), to: 4_000_000_000_000, by: 86_399_000 * 7) {
      var (greenwich, pacific) = (spellings.greenwich(time), spellings.pacific(time))
      let readings = [greenwich.withUTF8(Self.read), pacific.withUTF8(Self.read)]
      #expect(readings[0] == .utc(seconds: time / 1000))
      guard case .pacific(let local) = readings[1] else {
        Issue.record("\(pacific) is not read")
        return
      }
      #expect(DaylightTime().agrees(local, at: time / 1000))
    }
  }

  private static func read(_ text: UnsafeBufferPointer<UInt8>) -> ReceiptDate.Reading {
    guard let base = text.baseAddress else { return .malformed }
    return ReceiptDate.read(JSONText(base: base, count: text.count, isVerbatim: true))
  }
}
