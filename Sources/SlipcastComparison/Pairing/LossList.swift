internal import SlipcastMapping

/// V1 values without a V2 field that still have no row, found by the V1 object.
struct LossList {
  private var losses: [Account.Unmapped]
  private var isTaken: [Bool]
  /// The places of values that a rule speaks of, by the path of their object.
  private let places: [String: [Int]]

  init(_ losses: [Account.Unmapped]) {
    self.losses = losses
    isTaken = [Bool](repeating: false, count: losses.count)
    var places: [String: [Int]] = [:]
    for (place, loss) in losses.enumerated() where loss.rule != nil && (loss.v1Value != nil || loss.fate == .unreadable)
    {
      places[loss.v1Path.parentPath, default: []].append(place)
    }
    self.places = places
  }

  /// A value that may belong to the row of a field.
  struct Candidate {
    let place: Int
    let value: Account.Unmapped
    /// The number of its object among those asked for.
    let object: Int
    /// It is the first value of its rule in its object: only that one belongs to the row of a field that V1 lacks.
    let isFirst: Bool
  }

  /// The values of some V1 objects that have no row yet, in the order of the record.
  func candidates(in objects: [String]) -> [Candidate] {
    objects.enumerated().flatMap { number, object in
      var seen: Set<String?> = []
      return (places[object] ?? []).compactMap { place in
        let value = losses[place]
        let isFirst = value.v1Value != nil && seen.insert(value.rule).inserted
        return isTaken[place] ? nil : Candidate(place: place, value: value, object: number, isFirst: isFirst)
      }
    }.sorted { $0.place < $1.place }
  }

  /// Removes and returns a value.
  mutating func take(_ place: Int) -> Account.Unmapped {
    isTaken[place] = true
    return losses[place]
  }

  mutating func append(_ loss: Account.Unmapped) {
    losses.append(loss)
    isTaken.append(false)
  }

  /// What was not taken, in the order of the record.
  var rest: [Account.Unmapped] { zip(losses, isTaken).filter { !$0.1 }.map(\.0) }
}
