/// The ids of the records that were written, for leaving out those that come again.
///
/// Exact, and in stated memory: 16 bytes an id in a table that is at most three quarters full, doubled as it grows. Ids
/// are UUIDs made by hashing, so their own bits place them.
package struct KnownIDs {
  /// One id, a UUID as two halves.
  package struct ID: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
  }

  /// What happened with an id.
  package enum Result { case new, known, full }

  private var slots: [ID]
  private(set) package var count = 0
  private let mostSlots: Int
  private static let empty = ID(high: 0, low: 0)

  /// - Parameter memory: the most bytes that the table takes; while it grows, half as much again.
  package init(memory: Int) {
    var most = 1024
    while most * 2 * MemoryLayout<ID>.stride <= memory { most *= 2 }
    mostSlots = most
    slots = Array(repeating: Self.empty, count: 1024)
  }

  /// How many ids there is room for.
  package var capacity: Int { mostSlots / 4 * 3 }

  /// Notes an id; says whether it was there before, or is one too many.
  package mutating func insert(_ id: ID) -> Result {
    if count >= slots.count / 4 * 3, slots.count < mostSlots { grow() }
    let place = Self.place(of: id, in: slots)
    if slots[place] == id { return .known }
    guard count < capacity else { return .full }
    slots[place] = id
    count += 1
    return .new
  }

  private mutating func grow() {
    var larger = Array(repeating: Self.empty, count: slots.count * 2)
    for id in slots where id != Self.empty { larger[Self.place(of: id, in: larger)] = id }
    slots = larger
  }

  private static func place(of id: ID, in slots: [ID]) -> Int {
    let mask = slots.count - 1
    // The id comes from the outside: an odd factor spreads ids that were chosen to fall together.
    var place = Int(truncatingIfNeeded: (id.high ^ id.low) &* 0x9E37_79B9_7F4A_7C15 >> 20) & mask
    while slots[place] != empty, slots[place] != id { place = (place + 1) & mask }
    return place
  }
}
