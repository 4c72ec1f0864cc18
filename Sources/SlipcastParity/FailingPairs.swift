package import SlipcastComparison
internal import SlipcastStores
@_spi(Slipcast) internal import SlipcastWire

/// All pairs by the differences that they have, sorted on disk, so memory does not grow with the conflicts of an archive.
package final class FailingPairs {
  /// Pages become slow with more rows.
  static let mostShown = 1000

  private let rows: SortingSpill
  private var fault: (any Error)?

  package init() throws { rows = SortingSpill() }

  func add(_ difference: Int, _ pair: PairNumbers, _ subject: PairSubject) {
    guard fault == nil else { return }
    do {
      let key = SortingSpill.Key(partition: Int64(difference), rank: Int64(pair.legacy))
      try rows.add(key, FailingRow.json(pair, subject).span)
    } catch { fault = error }
  }

  typealias Pair = (numbers: PairNumbers, subject: PairSubject)

  /// Passes on the pairs of a difference, in the order of their V1 records, until the closure returns false.
  func forEach(_ difference: Int, _ use: (Pair) throws -> Bool) throws {
    if let fault { throw fault }
    let reader = JSONReader(names: [])
    try rows.forEach(in: Int64(difference)) { rank, body in
      var goesOn = true
      try reader.parse(JSONBuffer(body)) { goesOn = try use(FailingRow.read($0, legacy: Int(rank))) }
      return goesOn
    }
  }

  /// Passes on all pairs of a difference of a result.
  package func forEach(
    of found: ParityResult.FoundDifference, _ use: (ParityResult.FoundDifference.Pair) throws -> Void
  ) throws {
    guard let number = found.number else { return }
    try forEach(number) {
      try use(ParityResult.FoundDifference.Pair(numbers: $0.numbers, subject: $0.subject))
      return true
    }
  }

  /// Gives a tally the pairs of the differences that fail, so that reports can show them.
  func list(in tally: ParityTally) throws {
    var room = Self.mostShown
    for difference in tally.failingDifferences where room > 0 {
      var pairs: [Pair] = []
      try forEach(difference) { pair in
        pairs.append(pair)
        room -= 1
        return room > 0
      }
      tally.list(difference, pairs)
    }
  }
}

private enum FailingRow {
  static func json(_ pair: PairNumbers, _ subject: PairSubject) -> [UInt8] {
    JSONWriter.object(capacity: 160) { writer in
      writer.member("server", pair.server)
      if pair.unit != 0 { writer.member("unit", Int64(bitPattern: pair.unit)) }
      if !pair.isPair { writer.member("last", true) }
      writer.member("original", ifPresent: subject.originalTransactionId)
      writer.member("type", ifPresent: subject.type)
      writer.member("product", ifPresent: subject.productId)
      writer.member("legacyId", ifPresent: subject.legacyId)
      writer.member("serverId", ifPresent: subject.serverId)
    }.bytes
  }

  static func read(_ row: JSONElement, legacy: Int) -> FailingPairs.Pair {
    var subject = PairSubject()
    (subject.originalTransactionId, subject.type) = (row["original"]?.string, row["type"]?.string)
    (subject.productId, subject.legacyId) = (row["product"]?.string, row["legacyId"]?.string)
    subject.serverId = row["serverId"]?.string
    let unit = UInt64(bitPattern: row["unit"]?.integer ?? 0)
    let numbers = PairNumbers(
      legacy: legacy, server: Int(row["server"]?.integer ?? 0), unit: unit, isPair: row["last"] == nil)
    return (numbers, subject)
  }
}
