@testable import SlipcastComparison
@testable import SlipcastMapping

extension ParitySamples {
  /// Every text is one that means harm.
  static let hostile = ParityResult(
    legacy: .init(name: Samples.hostile, records: 2), server: .init(name: Samples.hostile, records: 2)
  ).with { result in
    let text = Samples.hostile
    result.pairs = pairs(matched: 0, conflicting: 2)
    let differences = Samples.full.fields.filter { [$0.v2Path ?? "", $0.explanation].joined().contains("pwned") }
    let difference = Samples.field(text, text, v1: Samples.hostileJSON, v2: Samples.hostileJSON, .conflict, text)
    result.fields = [
      field(
        "\(text).field", [.conflict: 2], [sample(1, difference, pair: 0)] + differences.map { sample(2, $0, pair: 9) }),
      loss("\(text).loss", 1, text),
    ]
    result.types = [.init(legacy: text, server: text, count: 2, conflicting: 2, typeConflicts: 2)]
    result.entitlement.serverOnly = 1
    result.entitlement.subscriptions = 1
    result.entitlement.samples = [
      .init(
        legacyRecord: 1, serverRecord: 2, asOf: start, legacy: .init(isGranted: false, reason: .unknown),
        server: .init(isGranted: true, reason: .unknown), explanation: text, pair: 0)
    ]
    result.unpaired = ParityResult.UnpairedKind.Reason.allCases.map {
      .init(reason: $0, event: text, count: 1, records: [1], explanation: text)
    }
    result.ambiguous = [
      .init(legacy: text, rule: text, readings: [.init(event: text, needs: text, count: 1)], other: 1, undecided: 1)
    ]
    result.periods = [.init(start: start, end: start + 3_600_000, conflicting: 2)]
    result.samplePairs = [.init(legacyRecord: 1, serverRecord: 2, comparison: Samples.full)]
    result.gates = [
      .init(name: "conflicts", holds: false, message: text), .init(name: text, holds: true, message: text),
    ]
    result.notes = [.init(code: text, isWarning: true, message: text)]
  }

  /// Counts and lists of an unrealistic size.
  static let huge = ParityResult(
    legacy: .init(name: "v1", records: 4_000_000_000_000_001), server: .init(name: "v2", records: 4_000_000_000_000_001)
  ).with { result in
    result.pairs = pairs(matched: 4_000_000_000_000_000, conflicting: 1)
    result.fields = [
      field("data.transactionInfo.expiresDate", [.representation: 4_000_000_000_000_000, .conflict: 1]),
      field("data.status", [.derived: 1, .conflict: 999_999_999]),
      field("subtype", [.derived: 999_999_999, .conflict: 1]),
    ]
    result.fields += (0..<200).map { field("data.transactionInfo.member\($0)", [.representation: 1_000_000_000 + $0]) }
    result.types = (0..<120).map { (number: Int) -> ParityResult.TypeCell in
      let (row, column) = (number / 3, number % 3)
      return .init(legacy: "TYPE_\(row)", server: "TYPE_\(row)/SUBTYPE_\(column)", count: 1 << (row + column))
    }
    result.entitlement.granted = 4_000_000_000_000_000
    (result.entitlement.serverEndsEarlier, result.entitlement.serverEndsLater) = (1_000_000, 1)
    result.entitlement.asOf = start
    result.periods = (0..<366).map { (number: Int) -> ParityResult.Period in
      let from = start + Int64(number) * day
      return .init(start: from, end: from + day, matched: number << 20, conflicting: number == 200 ? 1 : 0)
    }
    result.gates = [.init(name: "conflicts", holds: false, message: "1 pair conflicts.")]
  }
}
