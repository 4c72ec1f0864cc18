import Testing

@testable import SlipcastWire

@Suite struct GroupedNumberTests {
  @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_000, "-1,000")])
  func digitsStandInGroupsOfThree(_ number: Int, _ text: String) { #expect(number.grouped == text) }

  @Test func theLeastNumberOfAllIsNoException() { #expect(Int.min.grouped == "-9,223,372,036,854,775,808") }
}
