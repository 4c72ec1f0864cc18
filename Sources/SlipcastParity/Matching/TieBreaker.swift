internal import SlipcastComparison
internal import SlipcastMapping

/// Decides between pairs that fit equally well, by what the records contain and never by their order in the files.
final class TieBreaker {
  typealias Pair = (legacy: Int, server: Int)

  private let tally: ParityTally
  private let one: RecordView
  private let two: RecordView
  /// Of more pairs that fit equally well the values are not compared: no honest subscription has so many.
  private static let most = 4096

  init(_ tally: ParityTally, _ shapes: ShapeTable) {
    self.tally = tally
    (one, two) = (RecordView(shapes), RecordView(shapes))
  }

  /// How many paths of a pair are in conflict.
  func conflicts(_ legacy: PairEvent, _ server: PairEvent) -> Int {
    legacy.show(in: one)
    server.show(in: two)
    return tally.conflicts(one, two)
  }

  /// Orders pairs: first those with the fewest conflicts, then those of the earliest records.
  ///
  /// The order in the files decides only between records with the same time and content, where it changes no result.
  func ordered(_ pairs: [Pair], _ partition: EventPartition) -> [Pair] {
    guard areContested(pairs) else { return pairs }
    let comparesValues = pairs.count <= Self.most
    let legacy = keys(Set(pairs.map(\.legacy)), of: partition.legacy)
    let server = keys(Set(pairs.map(\.server)), of: partition.server)
    let all = pairs.map { pair in
      let conflicts =
        comparesValues ? conflicts(partition.legacy[pair.legacy], partition.server[pair.server]) : 0
      return (pair, conflicts, legacy[pair.legacy] ?? (0, 0), server[pair.server] ?? (0, 0))
    }
    return all.sorted { left, right in
      if left.1 != right.1 { return left.1 < right.1 }
      if left.2 != right.2 { return left.2 < right.2 }
      if left.3 != right.3 { return left.3 < right.3 }
      return left.0 < right.0
    }.map(\.0)
  }

  /// A message or notification is in several of the pairs.
  private func areContested(_ pairs: [Pair]) -> Bool {
    guard pairs.count > 1 else { return false }
    return Set(pairs.map(\.legacy)).count < pairs.count || Set(pairs.map(\.server)).count < pairs.count
  }

  /// Times and contents of events, by their places.
  private func keys(_ places: Set<Int>, of events: [PairEvent]) -> [Int: (Int64, UInt64)] {
    var keys: [Int: (Int64, UInt64)] = [:]
    for place in places {
      events[place].show(in: one)
      keys[place] = (events[place].time ?? .min, one.fingerprint)
    }
    return keys
  }
}
