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

  struct Difference {
    let number: Int
    var count = 0
    var records = SmallestRecords()
    /// Of a change of access, the customers whose last records show it.
    var customers = 0

    mutating func add(_ pair: PairNumbers) -> (number: Int, count: Int) {
      count += 1
      records.add(pair)
      return (number, count)
    }
  }

  private(set) var all: [Key: Difference] = [:]

  /// - Returns: the number of the difference, and how often it has been counted.
  mutating func add(_ key: Key, _ pair: PairNumbers) -> (number: Int, count: Int) {
    let next = all.count
    return all[key, default: Difference(number: next)].add(pair)
  }

  /// - Returns: how many customers the difference has now.
  mutating func addCustomer(_ key: Key) -> Int {
    all[key]?.customers += 1
    return all[key]?.customers ?? 0
  }
}

/// V1 messages and V2 events that pairs join, numbered.
struct TypeTally {
  /// Real archives have some dozens; hostile input can contain any number of meaningless names.
  private static let most = 10_000

  private struct Key: Hashable {
    var legacy: String
    var server: String
  }

  private var numbers: [Key: Int] = [:]
  private(set) var cells: [ParityResult.TypeCell] = []

  mutating func number(_ legacy: String, _ server: String) -> Int {
    var key = Key(legacy: legacy, server: server)
    if let known = numbers[key] { return known }
    if cells.count >= Self.most { key = Key(legacy: "…", server: "…") }
    if let known = numbers[key] { return known }
    numbers[key] = cells.count
    cells.append(ParityResult.TypeCell(legacy: key.legacy, server: key.server))
    return cells.count - 1
  }

  mutating func add(_ number: Int, isConflicting: Bool, isTypeConflict: Bool) {
    cells[number].count += 1
    if isConflicting { cells[number].conflicting += 1 }
    if isTypeConflict { cells[number].typeConflicts += 1 }
  }
}
