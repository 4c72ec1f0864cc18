/// Which subscriptions and purchases are one customer's, as answers list them together, and when each archive was asked last.
///
/// An answer lists everything that a customer bought until it was given.
final class CustomerLinks {
  /// When the customer's last answers of both archives were given, milliseconds since 1970 UTC.
  typealias Answers = (legacy: Int64?, server: Int64?)

  /// Of more subscriptions the links are not kept: what only one archive has then counts as missing.
  private static let most = 1 << 20

  /// For each subscription that is listed with others, another one of the customer's, or itself.
  private var parents: [Int64: Int64] = [:]
  private var answers: [Int64: Answers] = [:]
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

  /// Notes when the archives were asked last about one of a customer's subscriptions.
  func note(_ times: Answers, about partition: Int64) {
    guard parents[partition] != nil else { return }
    let root = root(partition)
    let known = answers[root] ?? (nil, nil)
    answers[root] = (Self.later(known.legacy, times.legacy), Self.later(known.server, times.server))
  }

  /// When the archives were asked last about the customer; `nil` where no answer lists more than this subscription.
  func answers(about partition: Int64) -> Answers? {
    parents[partition] == nil ? nil : answers[root(partition)]
  }

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

  static func later(_ one: Int64?, _ other: Int64?) -> Int64? {
    guard let one, let other else { return one ?? other }
    return max(one, other)
  }
}
