/// Entries of a tape; emptied at once, because it is filled again for every record.
struct EntrySet {
  /// By entry the number of the record for which it was added.
  private var stamps: [UInt32] = []
  private var stamp: UInt32 = 1
  private static let mostKept = 1 << 16

  mutating func removeAll() {
    stamp &+= 1
    // One huge record must not leave its memory with every worker that ever met one.
    guard stamp == 0 || stamps.count > Self.mostKept else { return }
    (stamps, stamp) = ([], 1)
  }

  mutating func insert(_ index: Int) {
    if index >= stamps.count { stamps.append(contentsOf: repeatElement(0, count: index + 1 - stamps.count)) }
    stamps[index] = stamp
  }

  func contains(_ index: Int) -> Bool { index < stamps.count && stamps[index] == stamp }
}
