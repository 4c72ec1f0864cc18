internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// The members of one object of a tape, each name once; used again for every object.
///
/// As in typed reading the last member of a name counts, and null counts as absent.
final class MemberList {
  struct Found {
    /// The position of the value of each member of the table; valid where its bit in `mask` is set.
    var places = [Int](repeating: 0, count: 64)
    var mask: UInt64 = 0
    var unknown: [Int] = []
  }

  @exclusivity(unchecked) private(set) var found = Found()

  private let keys = KeyTable.shared

  func gather(_ tape: JSONTape, _ index: Int, _ part: ObjectPart) {
    found.mask = 0
    found.unknown.removeAll(keepingCapacity: true)
    let end = Int(tape[index].nextOrSide)
    var at = index + 1
    while at < end {
      let entry = tape[at]
      if entry.kind != .null {
        let slot = keys.slot(entry.key, in: part)
        if slot >= 0 {
          found.places[slot] = at
          found.mask |= 1 << UInt64(slot)
        } else if slot == KeyTable.unknown {
          found.unknown.append(at)
        }
      }
      at = tape.after(at)
    }
  }

  /// The last member of a numbered name that is not null.
  func find(_ tape: JSONTape, _ index: Int, _ key: UInt16) -> Int? {
    guard tape[index].kind == .object else { return nil }
    var found: Int?
    let end = Int(tape[index].nextOrSide)
    var at = index + 1
    while at < end {
      let entry = tape[at]
      if entry.key == key, entry.kind != .null { found = at }
      at = tape.after(at)
    }
    return found
  }
}
