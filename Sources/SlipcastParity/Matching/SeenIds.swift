/// The ids of one subscription's events, to know what comes again.
struct SeenIds {
  struct Id: Hashable {
    var high: UInt64
    var low: UInt64
  }

  /// A list is quicker than a set while it is short, and most subscriptions have few events.
  private var few: [Id] = []
  private var many: Set<Id> = []
  private static let mostFew = 48
  /// Beyond so many all are forgotten: no honest subscription comes near.
  private static let most = 1 << 20

  mutating func clear() {
    few.removeAll(keepingCapacity: true)
    if !many.isEmpty { many = [] }
  }

  mutating func insert(_ id: Id) -> Bool {
    guard few.count >= Self.mostFew else {
      if few.contains(id) { return false }
      few.append(id)
      return true
    }
    if many.isEmpty { many = Set(few) }
    if many.count > Self.most { many = [] }
    return many.insert(id).inserted
  }
}
