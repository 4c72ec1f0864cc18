import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport
import Testing

/// V1's messages against V2's answers: when a message was written, and what it shows of its subscription.
///
/// Days are counted from the first purchase.
@Suite struct MessageAnswerTests {
  private static let first = Purchase(id: 1, day: 0, end: 30)
  private static let renewal = Purchase(id: 2, day: 30, end: 60, original: 1)
  private static let third = Purchase(id: 3, day: 60, end: 90, original: 1)

  /// Source: mapping.md §1, most types have no date of their own: the list shows that the body is younger than V2's answer.
  @Test(arguments: [(25.0, 0), (40.0, 1)])
  func aListThatShowsALaterRefundIsYoungerThanV2sAnswer(_ signed: Double, _ conflicts: Int) async throws {
    var refunded = Self.first
    refunded.refund = 28
    let message = Answers.message("DID_CHANGE_RENEWAL_PREF", about: Self.renewal, listed: [Self.renewal, refunded])
    let result = try await Archives.compare([message], [Answers.history([Self.first], signed: signed)])
    #expect(result.pairs.matched + result.pairs.conflicting == 1)
    #expect(result.pairs.conflicting == conflicts)
  }

  /// Apple charges renewals up to a day early: such a list may be older than a refund of the same day.
  @Test(arguments: [(29.5, 0), (28.0, 1)])
  func aRenewalsListIsUpToADayOlderThanItsPeriod(_ refund: Double, _ conflicts: Int) async throws {
    var refunded = Self.first
    refunded.refund = refund
    let message = Answers.message("DID_RENEW", about: Self.renewal, listed: [Self.renewal, Self.first])
    let result = try await Archives.compare([message], [Answers.history([refunded, Self.renewal], signed: 70)])
    #expect(result.pairs.matched + result.pairs.conflicting == 2)
    #expect(result.pairs.conflicting == conflicts)
  }

  /// A body that was written long after its event also shows what V2 should have shown before.
  @Test func aRefundIsLostThatOnlyALateListShows() async throws {
    var refunded = Self.first
    refunded.refund = 20
    let message = Answers.message(
      "DID_CHANGE_RENEWAL_STATUS", about: Self.third, listed: [Self.third, Self.renewal, refunded], changed: 10)
    let history = Answers.history([Self.first, Self.renewal], signed: 40)
    #expect(try await Archives.compare([message], [history]).pairs.conflicting == 1)
    let one = try Archives.comparer().compare(legacy: Array(message.utf8), server: Array(history.utf8))
    #expect(one.counts[.conflict, default: 0] > 0)
  }

  /// Before 2020 renewals had no message: a flat CANCEL says nothing about newer periods, and nothing about access after
  /// its own.
  @Test func aMessageWithoutAListIsAboutItsOwnPeriod() async throws {
    var refunded = Self.first
    refunded.refund = 65
    let cancel = Answers.message("CANCEL", about: refunded, listed: nil)
    let status = try await Archives.compare([cancel], [Answers.status(1, of: Self.third, signed: 70, renews: true)])
    #expect(status.pairs.matched == 1 && status.pairs.conflicting == 0)
    let one = try Archives.comparer().compare(
      legacy: Array(cancel.utf8), server: Array(Answers.status(1, of: Self.third, signed: 70, renews: true).utf8))
    #expect(one.counts[.conflict, default: 0] == 0)
    let history = try await Archives.compare(
      [cancel], [Answers.history([refunded, Self.renewal, Self.third], signed: 70)])
    #expect(history.access?.servedForFree == 0 && history.access?.unknown == 1)
    // A period before its own is another statement.
    let other = Answers.message("CANCEL", about: Self.third, listed: nil)
    #expect(
      try await Archives.compare([other], [Answers.status(1, of: Self.renewal, signed: 70)]).pairs.conflicting == 1)
  }

  /// Of two messages the one about the newer period states the subscription, though the flat one is younger.
  @Test func ofAStatusAMessageAboutAnOlderPeriodDoesNotCount() async throws {
    var refunded = Self.first
    refunded.refund = 31
    let legacy = [
      Answers.message("INTERACTIVE_RENEWAL", about: Self.renewal, listed: nil),
      Answers.message("CANCEL", about: refunded, listed: nil),
    ]
    for messages in [legacy, legacy.reversed()] {
      let result = try await Archives.compare(messages, [Answers.status(1, of: Self.renewal, signed: 35, renews: true)])
      #expect(result.pairs.matched == 1 && result.pairs.conflicting == 0)
    }
  }

  /// An upgrade replaced a renewal that Apple had charged ahead: the list shows it, and the status only what runs.
  @Test func aRenewalThatNeverBeganDecidesNoAccess() async throws {
    var replaced = Self.renewal
    replaced.isUpgraded = true
    let bought = Purchase(id: 3, day: 29.6, end: 59.6, original: 1)
    let legacy = [
      Answers.message("DID_RENEW", about: Self.renewal, listed: [Self.renewal, Self.first]),
      Answers.message(
        "DID_CHANGE_RENEWAL_STATUS", about: bought, listed: [replaced, bought, Self.first], changed: 29.6),
    ]
    let other = Answers.message("INITIAL_BUY", about: Purchase(id: 7, day: 80, end: 110), listed: nil)
    let statuses = [
      Answers.status(2, of: bought, signed: 81),
      Answers.status(1, of: Purchase(id: 7, day: 80, end: 110), signed: 81),
    ]
    let result = try await Archives.compare(legacy + [other], statuses)
    #expect(result.access.map { [$0.lockedOut, $0.servedForFree, $0.endsEarlier, $0.endsLater] } == [0, 0, 0, 0])
  }

  /// The same where Apple took the renewal back before it began, and a message about another subscription shows it last.
  @Test func aRenewalThatWasTakenBackBeforeItBeganDecidesNoAccess() async throws {
    var refunded = Self.renewal
    refunded.refund = 29.5
    let bought = Purchase(id: 3, day: 29.6, end: 36.6, original: 1)
    let other = Purchase(id: 7, day: 80, end: 110)
    let legacy = [
      Answers.message("DID_RENEW", about: Self.renewal, listed: [Self.renewal, Self.first]),
      Answers.message("INTERACTIVE_RENEWAL", about: bought, listed: [bought, refunded, Self.first]),
      Answers.message("INITIAL_BUY", about: other, listed: [other, bought, refunded, Self.first]),
    ]
    let histories = [
      Answers.history([Self.first, refunded, bought], signed: 81), Answers.history([other], signed: 81),
    ]
    let result = try await Archives.compare(legacy, histories)
    #expect(result.access.map { [$0.lockedOut, $0.servedForFree, $0.endsEarlier, $0.endsLater] } == [0, 0, 0, 0])
  }
}
