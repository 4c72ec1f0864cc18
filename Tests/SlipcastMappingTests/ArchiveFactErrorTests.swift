import SlipcastMapping
import Testing

/// Errors in the table of archive facts: names that do not exist, and conditions that have nothing to compare with.
@Suite struct ArchiveFactErrorTests {
  static let cases: [(entry: String, message: String)] = [
    (#"{"fact":"nothingLikeIt","meaning":"x","source":"V1-TYPE"}"#, "is not an archive fact"),
    (
      #"{"fact":"offerShown","meaning":"x","shows":["showsOfer"]}"#,
      "\"showsOfer\" is not a condition of another message (aboutPeriod, aboutPurchase, mayBeAboutPeriod, "
    ),
    (
      #"{"fact":"atPurchase","meaning":"x","when":["showsOffer"]}"#,
      "\"showsOffer\" is not a condition of the event (dated, timed, written, "
    ),
    (
      #"{"fact":"offerShown","meaning":"x","period":"lats","shows":["showsOffer"]}"#,
      "\"lats\" is not a period of a fact"
    ),
    (
      #"{"fact":"atPurchase","meaning":"x","period":"none","when":["timed","atPurchase"]}"#,
      "\"atPurchase\" is about a period, and the fact has \"period\": \"none\""
    ),
    (
      #"{"fact":"offerShown","meaning":"x","period":"none","shows":["named","showsOffer"]}"#,
      "\"showsOffer\" is about a period, and the fact has \"period\": \"none\""
    ),
    (#"{"fact":"offerShown","meaning":"x"}"#, "the fact has no conditions"),
    (
      #"{"fact":"wasOff","meaning":"x","period":"none","neighbour":"lastOff"}"#,
      "\"lastOff\" is about a period, and the fact has \"period\": \"none\""
    ),
    (
      #"{"fact":"wasOff","meaning":"x","neighbour":"nextOff"}"#,
      "\"nextOff\" is not a message that shows a fact (other, any, lastOff, "
    ),
    (
      #"{"fact":"noCancelReported","meaning":"x","none":["afterUpgrade + writtenWithin"]}"#,
      "\"writtenWithin\" is about a time range, and the fact has no \"complete\""
    ),
    (
      #"{"fact":"noCancelReported","meaning":"x","shows":["writtenWithin"],"complete":["event","purchase"]}"#,
      "\"writtenWithin\" is a condition of \"none\""
    ),
    (
      #"{"fact":"wasOff","meaning":"x","when":["dated"],"complete":["event","purchase + son"]}"#,
      "\"complete\" is not two times (purchase, periodStart, "
    ),
    (
      #"{"fact":"wasOff","meaning":"x","when":["dated"],"complete":["shown","event"]}"#,
      "\"shown … event\" is about the time that a neighbour shows: \"neighbour\" is one of lastOff, "
    ),
    (
      #"{"fact":"stayedOn","meaning":"x","when":["dated"],"or":[{"complete":["event","event + delivery"]}]}"#,
      "either all rows of a fact have \"complete\" or none has"
    ),
    (
      #"{"fact":"stayedOn","meaning":"x","when":["dated"],"or":[{"whn":["timed"]}]}"#,
      "unknown key \"whn\"; expected one of period, when, "
    ),
  ]

  @Test(arguments: cases.indices)
  func anErrorInAnArchiveFactIsReportedOnce(_ index: Int) {
    let (entry, message) = Self.cases[index]
    let errors = RuleErrorTests.errors(in: "archive-facts", entry)
    #expect(errors.count == 1, "\(errors)")
    #expect(errors.allSatisfy { $0.message.contains(message) }, "\(errors)")
  }
}
