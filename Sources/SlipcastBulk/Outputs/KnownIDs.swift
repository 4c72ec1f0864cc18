internal import SlipcastDigest
internal import SlipcastWire

/// The ids of the written records, to drop duplicates.
///
/// Exact, and in bounded memory: 16 bytes per id in a table that is at most three quarters full and doubles as it
/// grows. Each id also has 4 bytes of a digest of the record's content, a quarter more than stated. Ids are UUIDs made
/// by hashing, so their own bits are the hash.
package struct KnownIDs {
  /// One id, a UUID as two halves.
  package struct ID: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// The id that a UUID spells; `nil` for any other text.
    package init?(uuid text: String) {
      guard let halves = UUIDText.halves(text) else { return nil }
      self.init(high: halves.high, low: halves.low)
    }

    /// An id made of the bytes themselves.
    package init(digestOf bytes: [UInt8]) {
      let digits = SHA256Stream.hexadecimal(of: bytes)
      self.init(
        high: UInt64(digits.prefix(16), radix: 16) ?? 0, low: UInt64(digits.dropFirst(16).prefix(16), radix: 16) ?? 0)
    }
  }

  /// The result for an id: `differs` is known with other content.
  package enum Result { case new, known, differs, full }

  private var slots: [ID]
  private var contents: [UInt32]
  private(set) package var count = 0
  private let mostSlots: Int
  private static let empty = ID(high: 0, low: 0)

  /// - Parameter memory: the maximum size of the table in bytes; while it grows, half as much again.
  package init(memory: Int) {
    var most = 1024
    while most * 2 * MemoryLayout<ID>.stride <= memory { most *= 2 }
    mostSlots = most
    slots = Array(repeating: Self.empty, count: 1024)
    contents = Array(repeating: 0, count: 1024)
  }

  /// The capacity in ids.
  package var capacity: Int { mostSlots / 4 * 3 }

  /// Adds an id; returns whether it was known, or does not fit.
  ///
  /// - Parameter content: a digest of the record's content; 0 where it is unknown.
  package mutating func insert(_ id: ID, content: UInt32 = 0) -> Result {
    if count >= slots.count / 4 * 3, slots.count < mostSlots { grow() }
    let place = Self.place(of: id, in: slots)
    if slots[place] == id {
      return contents[place] == content || contents[place] == 0 || content == 0 ? .known : .differs
    }
    guard count < capacity else { return .full }
    (slots[place], contents[place]) = (id, content)
    count += 1
    return .new
  }

  private mutating func grow() {
    let size = slots.count * 2
    var larger = Array(repeating: Self.empty, count: size)
    var largerContents = [UInt32](repeating: 0, count: size)
    for (index, id) in slots.enumerated() where id != Self.empty {
      let place = Self.place(of: id, in: larger)
      (larger[place], largerContents[place]) = (id, contents[index])
    }
    (slots, contents) = (larger, largerContents)
  }

  private static func place(of id: ID, in slots: [ID]) -> Int {
    // The id comes from the input: an odd factor spreads ids that were chosen to collide.
    let hash = (id.high ^ id.low) &* 0x9E37_79B9_7F4A_7C15
    var place = Int(truncatingIfNeeded: (hash ^ hash << 32).multipliedFullWidth(by: UInt64(slots.count)).high)
    while slots[place] != empty, slots[place] != id { place = place + 1 == slots.count ? 0 : place + 1 }
    return place
  }
}
