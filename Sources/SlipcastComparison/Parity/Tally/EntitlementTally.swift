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

  /// A change of access by types and direction.
  struct Change {
    /// Its number, which is odd.
    let number: Int
    /// Pairs in conflict, and the last records of customers without such a pair.
    var pairs = CountedPairs()
    /// Customers whose last records show it.
    var customers = 0
  }

  private(set) var parity = EntitlementParity()
  private(set) var changes: [Key: Change] = [:]
  /// The changes that pairs of the customer at hand show.
  private var shown: Set<Key> = []
  private(set) var records = SmallestRecords()
  private(set) var conflicts: [PairNumbers: Conflict] = [:]
  private var lastSubscription: Int64?

  /// - Returns: the number of the change of access, which is odd; `nil` where nothing changes.
  mutating func add(
    _ answer: EntitlementJudge.Answer, _ pair: PairNumbers, types: Int, subscription: Int64, isAccepted: Bool
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
      shown.insert(key)
      return add(pair, to: key)
    }
    return nil
  }

  /// Counts a customer whose last records show a change.
  ///
  /// - Returns: the number of the change where the records are new to it; `nil` where pairs of the customer show it.
  mutating func addCustomer(_ key: Key, _ records: PairNumbers) -> Int? {
    let number = shown.contains(key) ? nil : add(records, to: key)
    changes[key]?.customers += 1
    return number
  }

  /// Begins with another customer.
  mutating func endCustomer() { shown.removeAll(keepingCapacity: true) }

  private mutating func add(_ pair: PairNumbers, to key: Key) -> Int {
    let number = changes[key]?.number ?? 2 * changes.count + 1
    changes[key, default: Change(number: number)].pairs.add(pair)
    return number
  }

  private mutating func keep(_ answer: EntitlementJudge.Answer, _ pair: PairNumbers, _ types: Int) {
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
