/// Counts answers to the question of access.
struct EntitlementTally {
  private(set) var parity = EntitlementParity()
  /// The changes that pairs of the customer at hand show.
  private var shown: Set<DifferenceTally.Key> = []
  private(set) var records = SmallestRecords()
  private(set) var answers: [PairNumbers: EntitlementJudge.Answer] = [:]
  private var lastSubscription: Int64?

  /// - Parameter change: the difference that the pair is, where access changes.
  mutating func add(
    _ answer: EntitlementJudge.Answer, _ pair: PairNumbers, _ change: DifferenceTally.Key?, subscription: Int64,
    isAccepted: Bool
  ) {
    switch answer.finding {
    case .granted:
      parity.granted += 1
      switch answer.serverEnds {
      case .earlier: parity.serverEndsEarlier += 1
      case .later: parity.serverEndsLater += 1
      case nil: break
      }
    case .denied: parity.denied += 1
    case .timeDependent: parity.timeDependent += 1
    case .unknown: parity.unknown += 1
    case .legacyOnly: parity.legacyOnly += 1
    case .serverOnly: parity.serverOnly += 1
    }
    guard let change else { return }
    if lastSubscription != subscription { parity.subscriptions += 1 }
    lastSubscription = subscription
    if isAccepted { parity.accepted += 1 }
    shown.insert(change)
    records.add(pair)
    guard records.pairs.contains(pair) else { return }
    answers[pair] = answer
    if answers.count > SmallestRecords.limit {
      let kept = Set(records.pairs)
      answers = answers.filter { kept.contains($0.key) }
    }
  }

  /// A pair of the customer at hand shows a change.
  func shows(_ change: DifferenceTally.Key) -> Bool { shown.contains(change) }

  /// Whether dates that move the end of access are in conflict in the pairs of the customer at hand.
  private var ends = (failing: false, accepted: false)

  mutating func noteEnds(failing: Bool, accepted: Bool) {
    ends = (ends.failing || failing, ends.accepted || accepted)
  }

  /// There are such conflicts, and a baseline accepts all of them.
  var areEndsAccepted: Bool { ends.accepted && !ends.failing }

  mutating func endCustomer() {
    shown.removeAll(keepingCapacity: true)
    ends = (false, false)
  }
}

extension EntitlementJudge.Finding {
  /// The direction of a change of access; `nil` where nothing changes.
  var kind: DifferenceKind? {
    switch self {
    case .legacyOnly: .lockedOut
    case .serverOnly: .servedForFree
    case .granted, .denied, .timeDependent, .unknown: nil
    }
  }
}
