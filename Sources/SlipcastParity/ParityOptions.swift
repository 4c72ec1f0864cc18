package import SlipcastBulk
package import SlipcastComparison

package struct ParityOptions {
  /// How records of the legacy archive are found and cast.
  package var legacy: ConvertOptions
  /// The same for the server's.
  package var server: ConvertOptions
  package var tally = ParityTally.Options()
  /// What reports call the two.
  package var names = (legacy: "legacy", server: "server")

  /// Receives each subscription or purchase whose access differs, sorted by id; `nil`: no list.
  package var access: ((AccessChange) throws -> Void)?

  /// Keeps all pairs of all differences; `nil`: reports show some of them.
  package var failing: FailingPairs?

  /// Keeps all missing events; `nil`: reports show some of them.
  package var missing: MissingRows?

  /// Reads the records of samples once more; without it results have no values.
  package var showsSamples = true
  /// What was asked for on the command line, for reports.
  package var given: [ComparisonOrigin.Option] = []

  /// The inputs are parts of two archives; `nil`: they are the archives.
  package var whole: WholeArchives?

  package init(legacy: ConvertOptions, server: ConvertOptions) { (self.legacy, self.server) = (legacy, server) }
}

/// The time that two archives cover of which a run sees a part, all messages of some subscriptions; milliseconds since 1970
/// UTC, `nil` where no record of an archive has a date.
package struct WholeArchives: Sendable {
  package var legacy: ClosedRange<Int64>?
  package var server: ClosedRange<Int64>?

  package init(legacy: ClosedRange<Int64>?, server: ClosedRange<Int64>?) {
    (self.legacy, self.server) = (legacy, server)
  }
}

/// What a run is doing, for those who watch it.
package enum ParityProgress: Sendable {
  /// Reading an archive: records so far, and raw bytes of its sources.
  case reading(records: Int, rawBytes: Int, isLegacy: Bool)
  /// Pairing: events so far, of how many.
  case pairing(Int, of: Int)
  /// Reading the records of samples once more: archives so far, of how many.
  case showing(Int, of: Int)
}

/// The run was asked to end.
package struct ParityInterruption: Error {
  package init() {}
}
