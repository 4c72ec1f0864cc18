/// Counts answers to the question of access.
struct EntitlementTally {
  /// A conflict to show.
  struct Conflict {
    var answer: EntitlementJudge.Answer
    var types: Int
  }

  /// What conflicts are counted by.
  struct Key: Hashable {
    var types: Int
    var kind: DifferenceKind
  }

  private(set) var parity = EntitlementParity()
  /// Conflicts by the types that they join, and by direction.
  private(set) var byTypes: [Key: CountedPairs] = [:]
  /// Customers whose access changes at the last known state, by the types of their last records, and by direction.
  private(set) var customers: [Key: CountedPairs] = [:]
  private(set) var records = SmallestRecords()
  private(set) var conflicts: [SmallestRecords.Pair: Conflict] = [:]
  private var lastSubscription: Int64?

  /// - Returns: the number of the change of access, which is odd; `nil` where nothing changes.
  mutating func add(
    _ answer: EntitlementJudge.Answer, _ pair: SmallestRecords.Pair, types: Int, subscription: Int64, isAccepted: Bool
  ) -> Int? {
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
    case .legacyOnly, .serverOnly:
      if answer.finding == .legacyOnly { parity.legacyOnly += 1 } else { parity.serverOnly += 1 }
      if lastSubscription != subscription { parity.subscriptions += 1 }
      lastSubscription = subscription
      if isAccepted { parity.accepted += 1 }
      keep(answer, pair, types)
      guard let kind = answer.finding.kind else { return nil }
      let key = Key(types: types, kind: kind)
      let number = byTypes[key]?.number ?? 2 * byTypes.count + 1
      byTypes[key, default: CountedPairs(number: number)].add(pair)
      return number
    }
    return nil
  }

  mutating func addCustomer(_ key: Key, _ records: SmallestRecords.Pair) {
    customers[key, default: CountedPairs()].add(records)
  }

  private mutating func keep(_ answer: EntitlementJudge.Answer, _ pair: SmallestRecords.Pair, _ types: Int) {
    records.add(pair)
    guard records.pairs.contains(pair) else { return }
    conflicts[pair] = Conflict(answer: answer, types: types)
    if conflicts.count > SmallestRecords.limit {
      let kept = Set(records.pairs)
      conflicts = conflicts.filter { kept.contains($0.key) }
    }
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
