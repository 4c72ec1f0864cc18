/// Ids that were seen lately; the oldest are forgotten.
struct RecentIds {
  private var ids: Set<String> = []
  private var order: [String] = []
  private var next = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func insert(_ id: String) -> Bool {
    guard ids.insert(id).inserted else { return false }
    if order.count < limit {
      order.append(id)
    } else {
      ids.remove(order[next])
      order[next] = id
      next = (next + 1) % limit
    }
    return true
  }
}
