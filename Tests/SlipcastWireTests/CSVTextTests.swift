@_spi(Slipcast) import SlipcastWire
import Testing

/// What a spreadsheet would compute begins with an apostrophe, whatever kind of value it is.
@Suite struct CSVTextTests {
  private func written(_ write: (JSONWriter) -> Void) -> String {
    let writer = JSONWriter(capacity: 32)
    write(writer)
    return writer.string
  }

  @Test(arguments: [0, 1, -1, Int64.min, .max])
  func aNumberIsWrittenLikeItsText(_ number: Int64) {
    #expect(written { CSVText.write(number, to: $0) } == CSVText.cell(String(number)))
  }

  @Test(arguments: [
    0, 1_657_000_000_123, -62_167_219_200_000, -62_167_219_200_001, -99_999_999_999_999, Int64.min, .max,
  ])
  func aTimeIsWrittenLikeItsText(_ milliseconds: Int64) {
    let time = Timestamp(milliseconds: milliseconds)
    #expect(written { CSVText.write(time, to: $0) } == CSVText.cell(time.description))
  }
}
