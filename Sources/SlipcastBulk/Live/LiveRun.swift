package import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// A conversion that never ends: takes records as they arrive, and commits each page of them at its destination.
package final class LiveRun {
  private let converter: BlockConverter
  private let destination: RunDestination
  private let source: String
  private let block = Block()
  // Ids are decided before records come here, so no message waits for others.
  private let events = EventSequence(RepeatWindows())
  private var step = RunStep()

  /// Starts or resumes.
  ///
  /// - Parameters:
  ///   - source: the name of the source in rejects and in stores.
  ///   - start: the last checkpoint at the destination.
  ///   - number: the number of the record before the first one, for a new run.
  package init(
    prepared: Converter.PreparedRules, rules: RuleSet, options: ConvertOptions, source: String,
    to destination: RunDestination, from start: Checkpoint?, after number: Int64
  ) throws {
    (self.source, self.destination) = (source, destination)
    converter = BlockConverter(prepared: prepared, rules: rules, options: options)
    converter.marking = destination.marking
    converter.encoder = destination.store?.makeEncoder()
    if destination.store != nil { converter.lists = LiveLists() }
    // Everything between two commits is one page.
    destination.commitBytes = 0
    if let start {
      (step.position, step.counts) = (start.position, start.counts)
      destination.goOn(after: start.counts)
    } else {
      step.position.place = String(number)
      // What is written before the first commit must be recognizable as not final.
      try destination.pause(&step, isEnding: true)
    }
  }

  /// The number of the last record that is final at the destination.
  package var position: Int64 { step.position.place.flatMap(Int64.init) ?? 0 }

  /// Converts records and makes them final.
  ///
  /// - Parameters:
  ///   - page: records in the order of their numbers, without gaps.
  ///   - last: the number of the last one.
  /// - Returns: the counts of the page.
  /// - Throws: the destination's errors; the run cannot be used any longer then.
  package func take(_ page: RowPage, through last: Int64) throws -> RunCounts {
    block.fill(with: page)
    converter.work(on: block, source: source)
    try converter.settleEvents(events)
    let before = Int(last) - page.rows.count
    var counts = step.counts
    counts.add(try destination.deliver(converter, before: before))
    if let lists = converter.lists { try destination.store?.unite(listed: lists.periods) }
    try converter.book.rejects.forEach(source: source, after: before) { try destination.write(reject: $0) }
    let old = step.counts
    (step.counts, step.position.place) = (counts, String(last))
    try destination.pause(&step, isEnding: true)
    // The commit may have corrected the counts: a store reports its duplicates and rejects only then.
    var added = step.counts
    for (_, place) in RunCounts.ofRecords { added[keyPath: place] -= old[keyPath: place] }
    return added
  }

  /// Releases the destination; a later run resumes from here.
  package func end() throws { _ = try destination.finish(.interrupted, step) }
}
