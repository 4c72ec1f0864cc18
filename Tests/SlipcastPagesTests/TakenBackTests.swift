import SlipcastMapping
import Testing

@testable import SlipcastPages

/// What one side says was taken back, and the other one does not.
@Suite struct TakenBackTests {
  private func refund(_ id: UInt64?, _ time: Int64?, bought purchase: Int64 = 0) -> TakenBack {
    TakenBack(
      period: id.map { UntoldPeriod.Key(id: $0, purchase: purchase) }, time: time, reason: .refunded)
  }

  private func differences(_ legacy: [TakenBack], _ server: [TakenBack]) -> [TakenBackDifference] {
    TakenBackDifference.differences(legacy, server, tolerance: 60)
  }

  @Test func equalRefundsDoNotDiffer() {
    #expect(differences([], []).isEmpty)
    #expect(differences([refund(1, 100), refund(2, 200)], [refund(2, 260), refund(1, 100)]).isEmpty)
    // The time of one is not known.
    #expect(differences([refund(1, nil)], [refund(1, 100)]).isEmpty)
  }

  @Test func aRestoredPurchaseIsFoundByItsTime() {
    #expect(differences([refund(1, 100, bought: 5_000)], [refund(2, 100, bought: 5_006)]).isEmpty)
    // A purchase without a time is not one with another purchase without a time.
    #expect(differences([refund(1, 100)], [refund(2, 100)]).count == 2)
  }

  @Test func aRefundOfAnUnnamedPurchaseMayBeAnyOne() {
    #expect(differences([refund(nil, nil)], [refund(1, 100)]).isEmpty)
    // It is none of those that the other side names too.
    let left = differences([refund(1, 100), refund(nil, nil)], [refund(1, 100)])
    #expect(left == [TakenBackDifference(legacy: refund(nil, nil))])
  }

  @Test func oneSideAloneAndOtherTimesDiffer() {
    #expect(differences([refund(1, 100)], []) == [TakenBackDifference(legacy: refund(1, 100))])
    #expect(differences([], [refund(1, 100)]) == [TakenBackDifference(server: refund(1, 100))])
    let moved = TakenBackDifference(legacy: refund(1, 100), server: refund(1, 161))
    #expect(differences([refund(1, 100)], [refund(1, 161)]) == [moved])
  }
}
