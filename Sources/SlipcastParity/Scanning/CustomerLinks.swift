/// Which subscriptions and purchases are one customer's, as answers list them together, and when V1 was asked last.
///
/// An answer lists everything that a customer bought until it was given. What V2 bought since V1 cannot list; of V2's
/// archive the end counts for all customers, so that nothing that V2 lost passes for younger.
final class CustomerLinks {
  /// Of more subscriptions the links are not kept: what only one archive has then counts as missing.
  private static let most = 1 << 20

  /// For each subscription that is listed with others, another one of the customer's, or itself.
  private var parents: [Int64: Int64] = [:]
  /// When V1 was asked last about a customer, milliseconds since 1970 UTC.
  private var answers: [Int64: Int64] = [:]
  /// The item before, while an archive is read.
  private var last: (record: Int64, partition: Int64, hasMore: Bool)?

  /// Notes an item of an answer: items of one answer are one customer's, and those of the page that follows one with
  /// `hasMore`.
  ///
  /// A wrong link of pages excuses nothing: of linked subscriptions the latest answer counts.
  func add(_ mark: EventScanner.Mark, after before: Int) {
    let record = Int64(before) + mark.record
    if let last, record == last.record || last.hasMore && record == last.record + 1 {
      add(last.partition, with: mark.partition)
    }
    last = (record, mark.partition, mark.hasMore)
  }

  /// Begins to read another archive.
  func begin() { last = nil }

  private func add(_ one: Int64, with other: Int64) {
    guard one != other, parents.count < Self.most else { return }
    let (first, second) = (root(one), root(other))
    (parents[first], parents[second]) = (first, first)
  }

  /// Notes when V1 was asked last about one of a customer's subscriptions.
  func note(_ time: Int64?, about partition: Int64) {
    guard let time, parents[partition] != nil else { return }
    let root = root(partition)
    answers[root] = max(answers[root] ?? time, time)
  }

  /// When V1 was asked last about the customer; `nil` where no answer lists more than this subscription.
  func answered(about partition: Int64) -> Int64? { parents[partition] == nil ? nil : answers[root(partition)] }

  private func root(_ partition: Int64) -> Int64 {
    var root = partition
    while let parent = parents[root], parent != root { root = parent }
    // The next search is short.
    var place = partition
    while let parent = parents[place], parent != root {
      parents[place] = root
      place = parent
    }
    return root
  }
}
