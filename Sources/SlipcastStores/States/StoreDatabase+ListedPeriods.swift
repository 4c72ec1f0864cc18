internal import SlipcastBulk
internal import SlipcastMapping

// The table `listed_periods`: what lists of V1 messages show of the periods of subscriptions.
extension StoreDatabase {
  private static var columns: [String] { SchemaVersion.columns(of: "listed_periods").map(\.name) }
  private static var rowsPerStatement: Int { 100 }

  /// Removes what a run kept: it starts over, or reads everything again.
  func removeListedPeriods(of run: Int64) throws(StoreError) {
    try execute("DELETE FROM listed_periods WHERE run = \(run)")
    try execute("UPDATE runs SET listedPeriods = NULL WHERE run = \(run)")
  }

  /// Adds periods of a run; without any, notes that the run keeps what lists show.
  func write(listed periods: [KeptPeriod], of run: Int64) throws(StoreError) {
    var rest = periods[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.rowsPerStatement)
      rest = rest.dropFirst(part.count)
      try insert(into: "listed_periods", Self.columns, part.flatMap { $0.values(of: run) })
    }
    try execute("UPDATE runs SET listedPeriods = coalesce(listedPeriods, 0) + \(periods.count) WHERE run = \(run)")
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
      if !periods.isEmpty { try readings.add(UnitedPeriods(periods)) }
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
