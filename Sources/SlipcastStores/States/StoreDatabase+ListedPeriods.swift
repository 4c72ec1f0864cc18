internal import SlipcastBulk
internal import SlipcastMapping

// The table `listed_periods`: what lists of V1 messages show of the periods of subscriptions.
extension StoreDatabase {
  private static var columns: [String] { SchemaVersion.columns(of: "listed_periods").map(\.name) }
  private static var rowsPerStatement: Int { 100 }
  private static var subscriptionsPerStatement: Int { 50 }

  /// Removes what a run kept: it starts over, or reads everything again.
  func removeListedPeriods(of run: Int64) throws(StoreError) {
    try execute("DELETE FROM listed_periods WHERE run = \(run)")
    try execute("UPDATE runs SET listedPeriods = NULL WHERE run = \(run)")
  }

  /// Adds periods of a run; without any, notes that the run keeps what lists show.
  func write(listed periods: [KeptPeriod], of run: Int64) throws(StoreError) {
    try insert(listed: periods, of: run)
    try execute("UPDATE runs SET listedPeriods = coalesce(listedPeriods, 0) + \(periods.count) WHERE run = \(run)")
  }

  private func insert(listed periods: [KeptPeriod], of run: Int64) throws(StoreError) {
    var rest = periods[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.rowsPerStatement)
      rest = rest.dropFirst(part.count)
      try insert(into: "listed_periods", Self.columns, part.flatMap { $0.values(of: run) })
    }
  }

  /// Unites what a live run keeps of subscriptions with what further messages show, and notes them as to be judged.
  func unite(listed fresh: [KeptPeriod], of run: Int64) throws {
    var rest = Dictionary(grouping: fresh, by: \.subscription).sorted { $0.key < $1.key }[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.subscriptionsPerStatement)
      rest = rest.dropFirst(part.count)
      try unite(part.map(\.value), of: run)
    }
  }

  /// - Parameter fresh: the periods of each of a few subscriptions.
  private func unite(_ fresh: [[KeptPeriod]], of run: Int64) throws {
    let names = Set(fresh.compactMap(\.first?.originalTransactionId)).sorted()
    let marks = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    let ofNames = "run = \(run) AND originalTransactionId IN (\(marks))"
    var kept: [Int64: [KeptPeriod]] = [:]
    let rows = try rows(
      "SELECT \(Self.columns.joined(separator: ", ")) FROM listed_periods WHERE \(ofNames)", names, for: "write")
    while try rows.step() {
      let period = KeptPeriod(rows)
      kept[period.subscription, default: []].append(period)
    }
    var (changed, gone, replaced): ([KeptPeriod], [String], Int) = ([], [], 0)
    var touched: Set<String> = []
    for periods in fresh {
      guard let first = periods.first else { continue }
      let old = Dictionary(grouping: kept[first.subscription] ?? [], by: \.period).compactMapValues(\.first)
      let all = UnitedPeriods(old.values + periods)
        .kept(subscription: first.subscription, originalTransactionId: first.originalTransactionId)
      var news = all.filter { old[$0.period]?.numbers != $0.numbers }
      if !news.isEmpty { touched.insert(first.originalTransactionId) }
      // A row carries the number of messages.
      if news.isEmpty { news = Array(all.prefix(1)) }
      changed += news
      let known = news.map(\.period).filter { old[$0] != nil }
      replaced += known.count
      guard !known.isEmpty else { continue }
      let numbers = known.map { "\($0)" }.joined(separator: ", ")
      gone.append("subscription = \(first.subscription) AND period IN (\(numbers))")
    }
    if !gone.isEmpty {
      try self.run("DELETE FROM listed_periods WHERE \(ofNames) AND (\(gone.joined(separator: " OR ")))", names)
    }
    try insert(listed: changed, of: run)
    try execute("UPDATE runs SET listedPeriods = listedPeriods + \(changed.count - replaced) WHERE run = \(run)")
    try note(unjudged: touched.sorted())
  }

  private func note(unjudged names: [String]) throws(StoreError) {
    guard !names.isEmpty else { return }
    let marks = names.indices.map { "($\($0 + 1))" }.joined(separator: ", ")
    try run("INSERT INTO unjudged VALUES \(marks) ON CONFLICT DO NOTHING", names)
  }

  /// V1 records came here by a run that kept nothing of their lists.
  ///
  /// - Parameter version: of the store's schema.
  func lacksLists(version: Int) throws(StoreError) -> Bool {
    let isKept = version >= SchemaVersion.ofListedPeriods ? "r.listedPeriods IS NULL" : "1 = 1"
    let ofSide = StoreSide.v1.condition(on: StoreQueries.origin(in: "notifications", version: version))
    // By places, which have an index: a run's records are found without reading those of others.
    return try value(
      """
      SELECT 1 FROM runs r WHERE \(isKept) AND EXISTS (SELECT 1 FROM notifications
      WHERE place >= r.firstPlace AND place < r.firstPlace + r.handed\(ofSide)) LIMIT 1
      """) != nil
  }

  /// What the lists of all runs show, of the chosen subscriptions.
  ///
  /// - Parameter condition: on the column `originalTransactionId`; `nil`: all subscriptions.
  func listedPeriods(where condition: String?, _ parameters: [String?] = []) throws -> SettledReadings {
    let rows = try rows(
      "SELECT \(Self.columns.joined(separator: ", ")) FROM listed_periods"
        + (condition.map { " WHERE " + $0 } ?? "") + " ORDER BY originalTransactionId, subscription",
      parameters, for: "read")
    let readings = SettledReadings(sources: [])
    var periods: [KeptPeriod] = []
    func flush() throws {
      if !periods.isEmpty { try readings.add(SettledSubscription.Periods(UnitedPeriods(periods))) }
      periods.removeAll(keepingCapacity: true)
    }
    while try rows.step() {
      let period = KeptPeriod(rows)
      if let last = periods.last, last.subscription != period.subscription { try flush() }
      periods.append(period)
    }
    try flush()
    return readings
  }
}

extension KeptPeriod {
  /// The values of the table's columns, in their order.
  fileprivate func values(of run: Int64) -> [String?] {
    ["\(run)", originalTransactionId, "\(subscription)"] + numbers.map { number in number.map { "\($0)" } }
      + ["\(messages)"]
  }

  fileprivate init(_ row: any StoreRows) {
    self.init(
      subscription: row.number(2) ?? 0, originalTransactionId: row.text(1) ?? "", run: row.number(0) ?? 0,
      messages: row.number(13) ?? 0, numbers: (3..<13).map { row.number($0) })
  }
}
