internal import SlipcastMapping

/// V1 values without a V2 field that still have no row, found by the rule and the V1 object.
struct LossList {
  private var losses: [Account.Unmapped]
  private var isTaken: [Bool]
  private let places: [Key: [Int]]
  /// At least one value cannot be read.
  let hasUnreadable: Bool

  private struct Key: Hashable {
    var rule: String
    var object: String
  }

  init(_ losses: [Account.Unmapped]) {
    self.losses = losses
    isTaken = [Bool](repeating: false, count: losses.count)
    hasUnreadable = losses.contains { $0.fate == .unreadable }
    var places: [Key: [Int]] = [:]
    for (place, loss) in losses.enumerated() where loss.v1Value != nil || loss.fate == .unreadable {
      guard let rule = loss.rule else { continue }
      places[Key(rule: rule, object: loss.v1Path.parentPath), default: []].append(place)
    }
    self.places = places
  }

  /// Removes and returns the value that a rule speaks of in one of the V1 objects: one that cannot be read, else the
  /// first.
  ///
  /// - Parameter onlyUnreadable: the field has a value, so only one that cannot be read matters.
  mutating func take(_ rule: String, in objects: Set<String>, onlyUnreadable: Bool) -> Account.Unmapped? {
    let all = objects.flatMap { places[Key(rule: rule, object: $0)] ?? [] }
    let unreadable = all.filter { losses[$0].fate == .unreadable && !isTaken[$0] }.min()
    // Only the first value of each object stands in the row of its field.
    let first = onlyUnreadable ? nil : objects.compactMap { firstPlace(rule, $0) }.min()
    guard let found = unreadable ?? first else { return nil }
    isTaken[found] = true
    return losses[found]
  }

  private func firstPlace(_ rule: String, _ object: String) -> Int? {
    places[Key(rule: rule, object: object)]?.first { losses[$0].v1Value != nil }.flatMap { isTaken[$0] ? nil : $0 }
  }

  mutating func append(_ loss: Account.Unmapped) {
    losses.append(loss)
    isTaken.append(false)
  }

  /// What was not taken, in the order of the record.
  var rest: [Account.Unmapped] { zip(losses, isTaken).filter { !$0.1 }.map(\.0) }
}
