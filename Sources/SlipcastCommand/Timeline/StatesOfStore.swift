import SlipcastBulk
import SlipcastMapping
import SlipcastStores
import SlipcastTimeline

/// Fills the table `states` of a store: the rows of `timeline STORE --states`.
enum StatesOfStore {
  /// After a run into the store has ended.
  ///
  /// - Throws: `StoreError`; the next run then fills the table.
  static func fill(_ location: StoreLocation, _ rules: RuleSet) throws {
    try StoreStates.fill(location) { states in
      guard try fill(states, rules, while: { !Interruption.isAsked }) else { throw Interrupted() }
    }
  }

  /// - Parameter goesOn: false ends it early.
  /// - Returns: false where it ended early.
  /// - Throws: `StoreError`.
  static func fill(_ states: StoreStates, _ rules: RuleSet, while goesOn: () -> Bool) throws -> Bool {
    var options = TimelineOptions()
    options.format = .json
    options.evidence = try states.evidence()
    let writer = TimelineWriter(rules: rules, options: options) { _ in }
    writer.watchIntervals = { intervals, id in
      for interval in intervals {
        let row = StatesTable.Row(interval: interval, originalTransactionId: id)
        try states.write(StatesTable.columns.map { $0.value(row)?.stored })
      }
    }
    struct Ended: Error {}
    do {
      try states.forEachEvent { event in
        guard goesOn() else { throw Ended() }
        try writer.feed(event)
      }
    } catch is Ended { return false }
    try writer.finish()
    return true
  }
}
