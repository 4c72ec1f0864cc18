import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import SlipcastV2
import Testing

/// Offers and consents that a message is the first to show.
@Suite struct AppearanceTests {
  private typealias Period = Message.Period
  private typealias Scenario = GroupingScenarioTests

  // MARK: OFFER_REDEEMED

  /// Apple writes a body when it sends it, which may be long after the event.
  @Test(arguments: [(Int64?.none, Confidence.inferred), (1, .documented), (2880, .inferred)])
  func anOfferAppearedBeforeItsMessageOnlyIfThatWasWrittenAtOnce(_ minutes: Int64?, _ confidence: Confidence) throws {
    var renew = Story.renew
    renew.renewal = [("promotional_offer_id", "stay")]
    renew.received = minutes.map { Message.day(30, $0 * 60_000) }
    let gap = try #require(try History.gaps([Story.buy, renew]).first)
    #expect((gap.rule, gap.time, gap.timing) == ("server.OFFER_REDEEMED", Message.day(30), .latest))
    #expect(gap.confidence == confidence)
  }

  /// The body of the renewal was written after the customer redeemed the offer, which has its own message.
  @Test(arguments: [true, false])
  func anOfferThatALaterMessageReportsIsNotToldTwice(_ isReported: Bool) throws {
    var renew = Story.renew
    renew.renewal = [("promotional_offer_id", "stay")]
    var redeemed = Message(
      type: "DID_CHANGE_RENEWAL_PREF", periods: [Story.next, Story.old], isAutoRenewOn: true,
      received: Message.day(32))
    redeemed.renewal = renew.renewal
    let words = try History.words([Story.buy, renew] + (isReported ? [redeemed] : []))
    #expect(words.contains("(OFFER_REDEEMED)") != isReported)
  }

  @Test func anOfferOfTheNextPeriodAppears() throws {
    var pending = Story.off
    pending.renewal = [("promotional_offer_id", "stay")]
    let gap = try #require(try History.gaps([Story.buy, pending]).first)
    #expect((gap.rule, gap.trace) == ("server.OFFER_REDEEMED", "data.renewalInfo.offerIdentifier"))
    #expect((gap.time, gap.timing) == (Message.day(5), .latest))
    // The renewal that carries it out is not a second redemption.
    var renewed = Story.next
    renewed.promotionalOffer = "stay"
    let renew = Message(type: "DID_RENEW", periods: [renewed, Story.old], isAutoRenewOn: true)
    #expect(try History.gaps([Story.buy, pending, renew]).count == 1)
  }

  @Test func anOfferAppearsWithARenewal() throws {
    var renewed = Story.next
    renewed.promotionalOffer = "stay"
    let renew = Message(type: "DID_RENEW", periods: [renewed, Story.old], isAutoRenewOn: true)
    let gap = try #require(try History.gaps([Story.buy, renew]).first)
    #expect((gap.rule, gap.trace) == ("server.OFFER_REDEEMED", "data.transactionInfo.offerIdentifier"))
    // Who renews with an offer has redeemed it before.
    #expect(try History.words([Story.buy, renew]).suffix(2) == ["(OFFER_REDEEMED)", "DID_RENEW"])
    // Nothing is known before the first message.
    #expect(try History.gaps([renew]).isEmpty)
  }

  /// An offer that leaves the product is neither an upgrade nor a downgrade; before a change, it may have left it too.
  ///
  /// Source: evidence §11, a disproved candidate; mapping A1, offers.
  @Test(arguments: [false, true], ["basic", "studio"])
  func theProductsDecideWhichOfferItWas(_ isPending: Bool, _ product: String) throws {
    var renewed = Story.next
    if !isPending { (renewed.promotionalOffer, renewed.product) = ("stay", product) }
    var renew = Message(type: "DID_RENEW", periods: [renewed, Story.old], isAutoRenewOn: true)
    renew.nextProduct = product
    if isPending { renew.renewal = [("promotional_offer_id", "stay")] }
    let gap = try #require(try History.gaps([Story.buy, renew]).first { $0.rule == "server.OFFER_REDEEMED" })
    #expect(gap.event.description == "OFFER_REDEEMED")
    let all = ["OFFER_REDEEMED", "OFFER_REDEEMED/UPGRADE", "OFFER_REDEEMED/DOWNGRADE"]
    #expect(gap.candidates.map(\.description) == (product == Story.old.product ? [] : all))
  }

  /// Where periods are missing between, the product may have changed twice.
  @Test func theProductOfAnOldPeriodDisprovesNoOffer() throws {
    var renewed = Period(line: "500", purchase: Message.day(90), expires: Message.day(120))
    renewed.promotionalOffer = "stay"
    let renew = Message(type: "DID_RENEW", periods: [renewed], isAutoRenewOn: true)
    let gap = try #require(try History.gaps([Story.buy, renew]).first { $0.rule == "server.OFFER_REDEEMED" })
    #expect(gap.candidates.count == 3)
  }

  /// Before 2024-01-23 V2 reported a return with an offer as the offer; a pending offer is of the next period.
  @Test(arguments: [false, true])
  func theOfferOfTheNextPeriodIsNotToldAsThatOfAReturn(isPending: Bool) throws {
    var ended = Scenario.status(false, at: Message.day(90), [Story.old])
    ended.renewal = [("expiration_intent", "2"), ("is_in_billing_retry_period", "0")]
    var again = Period(line: "300", purchase: Message.day(95), expires: Message.day(125))
    if !isPending { again.promotionalOffer = "stay" }
    var renew = Message(type: "DID_RENEW", periods: [again, Story.old], isAutoRenewOn: true)
    if isPending { renew.renewal = [("promotional_offer_id", "stay")] }
    let gaps = try History.gaps([Story.buy, ended, renew])
    let gap = try #require(gaps.first)
    #expect(gaps.count == 1)
    let place = isPending ? "renewalInfo" : "transactionInfo"
    #expect((gap.rule, gap.trace) == ("server.OFFER_REDEEMED", "data.\(place).offerIdentifier"))
    #expect(gap.event.subtype == (isPending ? nil : "RESUBSCRIBE"))
    #expect(gap.candidates.isEmpty)
  }

  @Test func anOfferThatAnEventTellsIsNoGap() throws {
    #expect(try History.gaps([Story.buy] + Scenario.upgrade(offer: "half")).isEmpty)
  }

  // MARK: PRICE_INCREASE/ACCEPTED

  @Test func consentIsGiven() throws {
    var asked = Message(
      type: "PRICE_INCREASE_CONSENT", periods: [Story.old], isAutoRenewOn: true, received: Message.day(3))
    asked.renewal = [("price_consent_status", "0")]
    var given = Story.renew
    given.renewal = [("price_consent_status", "1")]
    let words = try History.words([Story.buy, asked, given, given])
    #expect(words == ["SUBSCRIBED/INITIAL_BUY", "PRICE_INCREASE/PENDING", "(PRICE_INCREASE/ACCEPTED)", "DID_RENEW"])
    asked.renewal = [("price_consent_status", "1")]
    #expect(try History.words([asked]) == ["PRICE_INCREASE/PENDING", "(PRICE_INCREASE/ACCEPTED)"])
  }

  @Test func anIncreaseWithoutConsentIsAccepted() throws {
    var given = Story.renew
    given.renewal = [("price_increase_status", "1")]
    #expect(try History.gaps([Story.buy, given]).map(\.rule) == ["server.PRICE_INCREASE.ACCEPTED"])
    #expect(try History.gaps([given]).isEmpty)
  }

  /// Sources: evidence §13, the value is corroborated; eras, no-consent-increases: before, V2 reported only who was asked.
  @Test(arguments: [
    (Int64(30), nil, Confidence.inferred), (30, "0", .corroborated), (90, nil, .corroborated),
    (90, "0", .corroborated),
  ])
  func anAcceptedIncreaseIsAsCertainAsItsValue(_ day: Int64, _ asked: String?, _ confidence: Confidence) throws {
    func period(_ line: String, from start: Int64) -> Period {
      Period(line: line, purchase: Message.day(start), expires: Message.day(start + 30))
    }
    let (before, next) = (period("101", from: day - 30), period("102", from: day))
    var known = Message(type: "DID_RENEW", periods: [before], isAutoRenewOn: true)
    if let asked { known.renewal = [("price_increase_status", asked)] }
    var renew = Message(
      type: "DID_RENEW", periods: [next, before], isAutoRenewOn: true, received: Message.day(day, 60_000))
    renew.renewal = [("price_increase_status", "1")]
    let gaps = try History.gaps([known, renew])
    #expect(gaps.map(\.rule) == ["server.PRICE_INCREASE.ACCEPTED"] && gaps.first?.confidence == confidence)
  }
}
