import Testing

@testable import SlipcastServer

/// The order of a replay, and what is sent twice.
@Suite struct ReplayPlanTests {
  private func plan(_ order: ReplayPlan.Order, _ duplicates: Double = 0, seed: UInt64 = 1) -> [Int32] {
    ReplayPlan(count: 1000, order: order, duplicates: duplicates, seed: seed).indices
  }

  @Test func ordersAreWhatTheirNamesSay() {
    #expect(plan(.original) == Array(0..<1000))
    #expect(plan(.reversed) == Array(0..<1000).reversed())
    #expect(plan(.shuffled).sorted() == Array(0..<1000) && plan(.shuffled) != Array(0..<1000))
  }

  @Test func aSeedDecidesEverything() {
    #expect(plan(.shuffled, 0.3) == plan(.shuffled, 0.3))
    #expect(plan(.shuffled, 0.3) != plan(.shuffled, 0.3, seed: 2))
  }

  @Test(arguments: [0, 0.1, 0.5, 1])
  func aShareIsSentTwice(_ share: Double) {
    let twice = Double(plan(.original, share).count - 1000) / 1000
    // Four standard deviations of a thousand choices.
    #expect(abs(twice - share) <= 4 * (share * (1 - share) / 1000).squareRoot())
    #expect(Set(plan(.original, share)).count == 1000)
  }

  @Test func latenciesAreThoseThatWereNoted() throws {
    var result = ReplayResult()
    for number in 1...100 {
      result.note(status: 200, isSuccess: true, latency: Double(number) / 1000, at: 0)
    }
    let (half, most) = (try #require(result.total.latency(0.5)), try #require(result.total.latency(0.99)))
    #expect((50...53).contains(half) && (99...104).contains(most))
    #expect(ReplayResult().total.latency(0.5) == nil)
  }
}
