internal import SlipcastMapping

/// V1 values without a V2 place that still have no row, found by the rule and the V1 object.
struct LossList {
  private var losses: [Account.Loss]
  private var isTaken: [Bool]
  private let places: [Key: Int]

  private struct Key: Hashable {
    var rule: String
    var object: String
  }

  init(_ losses: [Account.Loss]) {
    self.losses = losses
    isTaken = [Bool](repeating: false, count: losses.count)
    var places: [Key: Int] = [:]
    for (place, loss) in losses.enumerated() where loss.v1Value != nil {
      guard let rule = loss.rule else { continue }
      let key = Key(rule: rule, object: loss.v1Path.parentPath)
      if places[key] == nil { places[key] = place }
    }
    self.places = places
  }

  /// Takes out the first value that a rule speaks of, in one of the V1 objects.
  mutating func take(_ rule: String, in objects: Set<String>) -> Account.Loss? {
    let found = objects.compactMap { places[Key(rule: rule, object: $0)] }.filter { !isTaken[$0] }.min()
    guard let found else { return nil }
    isTaken[found] = true
    return losses[found]
  }

  mutating func append(_ loss: Account.Loss) {
    losses.append(loss)
    isTaken.append(false)
  }

  /// What was not taken, in the order of the record.
  var rest: [Account.Loss] { zip(losses, isTaken).filter { !$0.1 }.map(\.0) }
}
