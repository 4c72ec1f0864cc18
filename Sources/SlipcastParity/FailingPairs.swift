package import SlipcastComparison
internal import SlipcastStores
internal import SlipcastWire

/// All pairs by the differences that they have, sorted on disk, so memory does not grow with the conflicts of an archive.
package final class FailingPairs {
  /// Pages become slow with more rows.
  static let mostShown = 10_000

  private let rows: SortingSpill
  private var fault: (any Error)?

  package init() throws { rows = try SortingSpill() }

  func add(_ difference: Int, _ pair: PairNumbers) {
    guard fault == nil else { return }
    do {
      let key = SortingSpill.Key(partition: Int64(difference), rank: Int64(pair.legacy))
      try rows.add(key, text: "\(pair.server) \(pair.unit)\(pair.isPair ? "" : " last")")
    } catch { fault = error }
  }

  /// Passes on the pairs of a difference, in the order of their V1 records, until the closure returns false.
  func forEach(_ difference: Int, _ use: (PairNumbers) throws -> Bool) throws {
    if let fault { throw fault }
    try rows.forEach(in: Int64(difference)) { rank, body in
      let parts = String(decoding: body).split(separator: " ")
      guard parts.count >= 2, let server = Int(parts[0]), let unit = UInt64(parts[1]) else { return true }
      return try use(PairNumbers(legacy: Int(rank), server: server, unit: unit, isPair: parts.count == 2))
    }
  }

  /// Passes on all pairs of a difference of a result.
  package func forEach(
    of found: ParityResult.FoundDifference, _ use: (_ legacy: Int, _ server: Int) throws -> Void
  ) throws {
    guard let number = found.number else { return }
    try forEach(number) {
      try use($0.legacy, $0.server)
      return true
    }
  }

  /// Gives a tally the pairs of the differences that fail, so that reports can show them.
  func list(in tally: ParityTally) throws {
    var room = Self.mostShown
    for difference in tally.failingDifferences where room > 0 {
      var pairs: [PairNumbers] = []
      try forEach(difference) { pair in
        pairs.append(pair)
        room -= 1
        return room > 0
      }
      tally.list(difference, pairs)
    }
  }
}
