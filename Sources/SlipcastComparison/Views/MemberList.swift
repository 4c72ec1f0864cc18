internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// The members of one object of a tape, each name once; used again for every object.
///
/// As in typed reading the last member of a name counts, and null counts as absent.
final class MemberList {
  /// The position of the value of each member of the table; valid where its bit in `mask` is set.
  @exclusivity(unchecked) private(set) var places = [Int](repeating: 0, count: 64)
  @exclusivity(unchecked) private(set) var mask: UInt64 = 0
  @exclusivity(unchecked) private(set) var unknown: [Int] = []

  func gather(_ tape: JSONTape, _ index: Int, _ part: PartTable.Part) {
    mask = 0
    unknown.removeAll(keepingCapacity: true)
    let end = Int(tape[index].nextOrSide)
    var at = index + 1
    while at < end {
      let entry = tape[at]
      if entry.kind != .null {
        let slot = Int(entry.key) < part.slots.count ? Int(part.slots[Int(entry.key)]) : -1
        if slot >= 0 {
          if !Self.isReadByItself(entry.key, part.part) {
            places[slot] = at
            mask |= 1 << UInt64(slot)
          }
        } else if !Self.isReadByItself(entry.key, part.part) {
          unknown.append(at)
        }
      }
      at = tape.after(at)
    }
  }

  /// Objects of their own, the texts that they are decoded from, and what `fetch` adds to a response.
  private static func isReadByItself(_ key: UInt16, _ part: ObjectPart) -> Bool {
    switch key {
    case PartTable.Key.data, PartTable.Key.migration, PartTable.Key.transactionInfo, PartTable.Key.renewalInfo,
      PartTable.Key.transactions, PartTable.Key.lastTransactions, PartTable.Key.slipcast:
      true
    case PartTable.Key.signedTransactions: part == .history
    case PartTable.Key.signedTransactionInfo, PartTable.Key.signedRenewalInfo:
      part == .notification || part == .data || part == .item
    default: false
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
