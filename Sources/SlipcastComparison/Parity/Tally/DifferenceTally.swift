internal import SlipcastMapping

/// Counts differences as baselines know them: by path, class, kind, V1 message and V2 event.
struct DifferenceTally {
  /// What makes a difference the same as a known one.
  struct Key: Hashable {
    var path: Int
    var differenceClass: DifferenceClass
    var kind: DifferenceKind
    var types: Int
  }

  private(set) var counts: [Key: (number: Int, pairs: CountedPairs)] = [:]

  /// - Returns: the number of the difference, which is even.
  mutating func add(_ key: Key, _ pair: PairNumbers) -> Int {
    let number = counts[key]?.number ?? 2 * counts.count
    counts[key, default: (number, CountedPairs())].pairs.add(pair)
    return number
  }
}

/// V1 messages and V2 events that pairs join, numbered.
struct TypeTally {
  struct Cell {
    var legacy: String
    var server: String
    var count = 0
    var conflicting = 0
    var typeConflicts = 0
  }

  private struct Key: Hashable {
    var legacy: String
    var server: String
  }

  /// Real archives have some dozens; hostile input can contain any number of meaningless names.
  private static let most = 10_000

  private var numbers: [Key: Int] = [:]
  private(set) var cells: [Cell] = []

  /// The number of two types.
  mutating func number(_ legacy: String, _ server: String) -> Int {
    let isFull = cells.count >= Self.most
    let key = Key(legacy: legacy, server: server)
    if let known = numbers[key] { return known }
    if isFull { return number(of: Key(legacy: "…", server: "…")) }
    return number(of: key)
  }

  private mutating func number(of key: Key) -> Int {
    if let known = numbers[key] { return known }
    numbers[key] = cells.count
    cells.append(Cell(legacy: key.legacy, server: key.server))
    return cells.count - 1
  }

  mutating func add(_ number: Int, isConflicting: Bool, isTypeConflict: Bool) {
    cells[number].count += 1
    if isConflicting { cells[number].conflicting += 1 }
    if isTypeConflict { cells[number].typeConflicts += 1 }
  }
}
