public import SlipcastBulk
public import SlipcastMapping

/// A Slipcast store: converted records in SQLite or PostgreSQL, every notification once.
///
/// Its tables, and queries for them, are described in `Examples/archives.md` and `Examples/sql`.
public struct RecordStore: Hashable, Sendable {
  /// Where it is; its description shows no password.
  public let location: StoreLocation

  /// Names a store without opening or creating it.
  ///
  /// - Throws: `StoreError` of the kind `badLocation` for a location of rows in another program's table.
  public init(_ location: StoreLocation) throws(StoreError) {
    guard location.isStore else {
      throw StoreError(
        .badLocation, location.description, "use", "it names rows with legacy records, not a store",
        advice: "leave out table, query, key, body and received-at")
    }
    self.location = location
  }

  /// The counts of the store; `nil` before the store exists.
  ///
  /// - Throws: `StoreError` when the database is not a store, or a store of a newer version.
  public func counts() throws -> StoreCounts? { try Store.reader(location)?.counts() }

  /// Converts the legacy records of files into the store, and creates it if it does not exist.
  ///
  /// Records that the store already has are dropped and counted as duplicates, so an interrupted run can simply be
  /// repeated. Rejects are kept in the store unless `options.onError` is `skip`. A store keeps complete decoded
  /// records: `options.isPlain` and `options.identity` do not apply.
  ///
  /// - Parameters:
  ///   - files: the sources, in order; `InputFile.find` lists those of folders.
  ///   - rules: the rules to apply.
  ///   - options: how records are converted.
  ///   - onReject: called with each rejected record.
  /// - Returns: how the run ended, and the counts; read = converted + duplicate + rejected.
  /// - Throws: `StoreError`, and `FileError` for files that cannot be read.
  public func convert(
    _ files: [InputFile], rules: RuleSet, options: ConvertOptions = ConvertOptions(),
    onReject: @escaping (Reject) -> Void = { _ in }
  ) async throws -> (RunEnd, RunCounts) {
    try await convert(files.map { .file($0) }, by: rules, options, onReject)
  }

  /// Converts the legacy records in rows of a database, such as `sqlite:shop.db?table=events&body=json`, in the same way.
  ///
  /// - Throws: `StoreError`.
  public func convert(
    rowsOf source: StoreLocation, rules: RuleSet, options: ConvertOptions = ConvertOptions(),
    onReject: @escaping (Reject) -> Void = { _ in }
  ) async throws -> (RunEnd, RunCounts) {
    try await convert([.rows(try Store.rows(source))], by: rules, options, onReject)
  }

  /// Passes the notifications of the store to a closure, one subscription after another, each sorted by time.
  ///
  /// Memory is constant. The id of a subscription is unique in one environment of one app. Events of a subscription are sorted by the event's time (the signed date where V1 has none),
  /// then the received time, then the place; unknown values come first. Events without a subscription come last.
  ///
  /// - Parameters:
  ///   - originalTransactionId: reads only one subscription.
  ///   - side: whose notifications are read.
  ///   - use: called with each notification; an error ends the reading.
  /// - Throws: `StoreError`, also without a store, or the closure's error.
  public func forEachNotification(
    of originalTransactionId: String? = nil, side: StoreSide = .v1, _ use: (StoredEvent) throws -> Void
  ) throws {
    try Store.forEachEvent(location, of: side, originalTransactionId: originalTransactionId, use)
  }

  private func convert(
    _ sources: [RecordSource], by rules: RuleSet, _ options: ConvertOptions, _ onReject: @escaping (Reject) -> Void
  ) async throws -> (RunEnd, RunCounts) {
    var options = options
    (options.isPlain, options.identity) = (false, nil)
    let outcome = try await RunPlan(sources, to: .store(location), rules: rules, options: options)
      .run(onReject: onReject)
    return (outcome.end, outcome.counts)
  }
}
