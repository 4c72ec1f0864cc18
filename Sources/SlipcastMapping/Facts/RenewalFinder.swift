@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// Decides which renewal entry belongs to which subscription; nothing else does.
///
/// An entry that names an original transaction belongs to it. One that names none belongs to a subscription of its
/// product, where everything else is excluded: only a subscription that expired has an expiration intent or a retry flag,
/// and each has one entry. Where several fit, none is chosen.
struct RenewalFinder {
  /// A subscription of the record, as its newest period that is not upgraded shows it.
  struct Subscription {
    var original: JSONText?
    var product: JSONText?
    /// `Period.none` where it is unknown.
    var expires = Period.none
  }

  struct Match: Equatable {
    var entry: Int
    /// The entry does not name the subscription; others were excluded.
    var isByExclusion = false
  }

  let record: LegacyRecord
  /// The time at which the record was written, where it is known.
  let asOf: Int64?
  /// The product that the body names as the next one: it decides between entries of one subscription.
  var nextProduct: JSONText?
  /// Entries that were not assigned because several subscriptions, or several entries, fit.
  private(set) var unassigned: [Int] = []

  init(_ record: LegacyRecord, asOf: Int64?, nextProduct: JSONText? = nil) {
    (self.record, self.asOf, self.nextProduct) = (record, asOf, nextProduct)
  }

  /// More subscriptions or entries than Apple sends are not compared with each other.
  private static let mostCompared = 256

  /// The entry of each subscription, in their order.
  mutating func match(_ subscriptions: [Subscription]) -> [Match?] {
    // Most records have one subscription and one entry, which names it.
    if subscriptions.count == 1, record.renewals.count == 1, let entry = record.renewals.first,
      let original = subscriptions[0].original, record.text(entry, .original_transaction_id) == original
    {
      return [Match(entry: entry)]
    }
    var originals = TextNumbers()
    let numbers = subscriptions.map { $0.original.map { originals.number(of: $0) } }
    var named: [[Int]] = []
    var open: [Int] = []
    for entry in record.renewals {
      guard let original = record.text(entry, .original_transaction_id) else {
        open.append(entry)
        continue
      }
      let number = originals.number(of: original)
      while named.count <= number { named.append([]) }
      named[number].append(entry)
    }
    let own = numbers.map { number in number.flatMap { $0 < named.count ? named[$0] : nil } ?? [] }
    var matches = subscriptions.indices.map { place in
      own[place].isEmpty ? nil : choose(among: own[place], for: subscriptions[place])
    }
    let isNamed = own.map { !$0.isEmpty }
    matchOpen(open, with: subscriptions, isNamed: isNamed, &matches)
    return matches
  }

  // MARK: entries that name their subscription

  /// The entry of a subscription among those that name it.
  private mutating func choose(among entries: [Int], for subscription: Subscription) -> Match? {
    if entries.count == 1 { return Match(entry: entries[0]) }
    guard entries.count <= Self.mostCompared else {
      unassigned.append(entries[0])
      return nil
    }
    let ofProduct = entries.filter { entry in
      subscription.product.map { record.isUnreadable(entry, .product_id) || record.text(entry, .product_id) == $0 }
        ?? false
    }
    var fitting = withoutRepeats(ofProduct.isEmpty ? entries : ofProduct)
    if fitting.count > 1, let nextProduct {
      let ofNext = fitting.filter { record.text($0, .auto_renew_product_id) == nextProduct }
      if !ofNext.isEmpty { fitting = ofNext }
    }
    if fitting.count == 1 { return Match(entry: fitting[0]) }
    let remaining = fitting.filter { !isExcluded($0, subscription) }
    if remaining.count == 1 { return Match(entry: remaining[0], isByExclusion: true) }
    unassigned += fitting
    return nil
  }

  /// The entries that say more than another one does; of equal ones, one.
  private func withoutRepeats(_ entries: [Int]) -> [Int] {
    entries.enumerated().filter { place, entry in
      !entries.enumerated().contains { other, rival in
        other != place && record.isRepeat(entry, of: rival) && (other < place || !record.isRepeat(rival, of: entry))
      }
    }.map(\.element)
  }

  // MARK: entries that do not

  private mutating func matchOpen(
    _ open: [Int], with subscriptions: [Subscription], isNamed: [Bool], _ matches: inout [Match?]
  ) {
    guard !open.isEmpty, open.count <= Self.mostCompared, subscriptions.count <= Self.mostCompared else { return }
    let remaining = subscriptions.indices.filter { matches[$0] == nil && !isNamed[$0] }
    let ofProduct = open.map { entry in
      subscriptions.indices.filter { isOfProduct(entry, subscriptions[$0]) }
    }
    var fitting = zip(open, ofProduct).map { entry, places in
      places.filter { remaining.contains($0) && !isExcluded(entry, subscriptions[$0]) }
    }
    var waiting = Array(open.indices)
    var isChanged = true
    while isChanged {
      isChanged = false
      for number in waiting where fitting[number].count == 1 {
        let place = fitting[number][0]
        let rivals = waiting.filter { $0 != number && fitting[$0] == [place] }
        guard rivals.isEmpty else { continue }
        matches[place] = Match(entry: open[number], isByExclusion: ofProduct[number].count > 1)
        waiting.removeAll { $0 == number }
        for other in waiting { fitting[other].removeAll { $0 == place } }
        isChanged = true
        break
      }
    }
    unassigned += waiting.filter { !ofProduct[$0].isEmpty }.map { open[$0] }
  }

  private func isOfProduct(_ entry: Int, _ subscription: Subscription) -> Bool {
    // An id that cannot be read may be that of any subscription.
    if record.isUnreadable(entry, .original_transaction_id) { return false }
    guard let product = subscription.product else { return false }
    return (record.text(entry, .product_id) ?? record.text(entry, .auto_renew_product_id)) == product
  }

  /// What the entry says of the end contradicts the subscription's dates.
  ///
  /// Apple sends the expiration intent and the retry flag for subscriptions that expired, and always for those. A grace
  /// period that still runs follows the expiry.
  private func isExcluded(_ entry: Int, _ subscription: Subscription) -> Bool {
    guard let asOf, subscription.expires != Period.none, !record.isUnreadable(entry, .expiration_intent),
      !record.isUnreadable(entry, .is_in_billing_retry_period)
    else { return false }
    return isOfExpired(entry, at: asOf) == (subscription.expires > asOf)
  }

  private func isOfExpired(_ entry: Int, at time: Int64) -> Bool {
    record.integer(entry, .expiration_intent) != nil || record.flag(entry, .is_in_billing_retry_period) != nil
      || record.instant(entry, .grace).map { $0 > time } ?? false
  }
}

extension LegacyRecord {
  /// The only renewal entry that names an original transaction; `nil` for none or several.
  func onlyRenewal(ofOriginal original: JSONText) -> Int? {
    var found: Int?
    for entry in self.renewals where text(entry, .original_transaction_id) == original {
      if found != nil { return nil }
      found = entry
    }
    return found
  }
}
