import SlipcastBulk
import SlipcastMapping
import SlipcastStores
import SlipcastTimeline

/// Fills the table `states` of a store when a run into it has ended: the rows of `timeline STORE --states`.
enum StatesOfStore {
  /// - Throws: `StoreError`; the next run then fills the table.
  static func fill(_ location: StoreLocation, _ rules: RuleSet) throws {
    guard let states = try StoreStates(location) else { return }
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
    try states.forEachEvent { event in
      if Interruption.isAsked { throw Interrupted() }
      try writer.feed(event)
    }
    try writer.finish()
    try states.finish()
  }
}
