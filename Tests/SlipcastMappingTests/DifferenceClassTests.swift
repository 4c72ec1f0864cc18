import SlipcastMapping
import Testing

@Suite struct DifferenceClassTests {
  @Test func conflictIsTheMostSeriousAndIdenticalTheLeast() {
    #expect(DifferenceClass.allCases.min() == .conflict)
    #expect(DifferenceClass.allCases.max() == .identical)
    #expect(DifferenceClass.allCases == DifferenceClass.allCases.sorted())
  }
}
