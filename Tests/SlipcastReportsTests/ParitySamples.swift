@testable import SlipcastComparison
@testable import SlipcastMapping

/// Results made by hand: no finding, every finding, hostile values, empty, and very large.
enum ParitySamples {
  static let all: [(name: String, result: ParityResult)] = [
    ("green", green), ("findings", findings), ("hostile", hostile), ("empty", empty), ("huge", huge),
  ]

  static let day: Int64 = 86_400_000
  /// 2024-01-01.
  static let start: Int64 = 1_704_067_200_000

  static let empty = ParityResult(legacy: .init(name: "v1.ndjson"), server: .init(name: "v2.ndjson"))
    .with { $0.gates = [.init(name: "conflicts", holds: true, message: "No event is told by both sides.")] }

  static let green = ParityResult(
    legacy: .init(name: "archive/v1.ndjson", records: 1_284, span: start...(start + 90 * day)),
    server: .init(name: "archive/v2.ndjson", records: 1_310, span: start...(start + 91 * day))
  ).with { result in
    result.pairs = pairs(matched: 1_240)
    result.pairs.serverOnlyEvents = 66
    result.pairs.absorbed = 40
    result.pairs.duplicates = .init(legacy: 4, server: 4)
    result.fields = [
      field("notificationType", [.identical: 900, .semantic: 340]),
      field("data.transactionInfo.expiresDate", [.representation: 1_240]),
      field("data.transactionInfo.price", [.serverOnly: 1_240]),
      loss("latest_receipt", 1_240, "V2 signs its data instead of sending a receipt along."),
    ]
    result.types = [
      .init(legacy: "DID_RENEW", server: "DID_RENEW", count: 900),
      .init(legacy: "INITIAL_BUY", server: "SUBSCRIBED/INITIAL_BUY", count: 340),
    ]
    result.entitlement.granted = 1_100
    result.entitlement.denied = 140
    result.unpaired = [
      .init(
        reason: .serverOnlyEvents, event: "EXPIRED/VOLUNTARY", count: 66, records: [14, 90, 212],
        explanation: "V1 is silent when a subscription ends as its owner wanted; the next receipt shows it.")
    ]
    result.periods = (0..<13).map { (number: Int) -> ParityResult.Period in
      let from = start + Int64(number) * 7 * day
      return .init(start: from, end: from + 7 * day, matched: 95 + number * 5 % 7)
    }
    result.gates = [.init(name: "conflicts", holds: true, message: "None of 1,240 pairs conflicts.")]
  }

  static func pairs(matched: Int, conflicting: Int = 0) -> ParityResult.Pairs {
    var pairs = ParityResult.Pairs()
    (pairs.matched, pairs.conflicting) = (matched, conflicting)
    return pairs
  }

  static func field(
    _ path: String, _ counts: [DifferenceClass: Int], accepted: Int = 0, _ samples: [ParityResult.Sample] = []
  ) -> ParityResult.Field {
    var field = ParityResult.Field(v2Path: path)
    (field.counts, field.accepted, field.samples) = (counts, accepted, samples)
    return field
  }

  static func loss(_ path: String, _ count: Int, _ reason: String?) -> ParityResult.Field {
    var field = ParityResult.Field(v1Path: path)
    (field.counts, field.reason) = ([.legacyOnly: count], reason)
    return field
  }

  static func sample(_ record: Int, _ difference: FieldDifference, pair: Int? = nil) -> ParityResult.Sample {
    .init(legacyRecord: record, serverRecord: record + 7, difference: difference, pair: pair)
  }
}

extension ParityResult {
  /// A copy with changes.
  func with(_ change: (inout ParityResult) -> Void) -> ParityResult {
    var copy = self
    change(&copy)
    return copy
  }
}
