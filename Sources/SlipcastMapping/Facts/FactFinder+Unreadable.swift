@_spi(Slipcast) internal import SlipcastLegacy

// What a value that is there and cannot be read leaves open. One rule: a fact that reads such a value is unknown, and a
// reading that hangs on an unknown fact keeps its candidates (`EventReading`). This table says which facts read what.

extension KnownRecord {
  /// Where a value stands, as the facts see it.
  private struct Place: OptionSet {
    let rawValue: UInt8
    static let body = Place(rawValue: 1)
    /// The renewal entry of the event's subscription, and any entry.
    static let ownEntry = Place(rawValue: 2)
    static let entry = Place(rawValue: 4)
    /// The event's transaction, and any transaction.
    static let target = Place(rawValue: 8)
    static let transaction = Place(rawValue: 16)
    /// A transaction of another subscription, or the event's own where there is one to compare it with.
    static let neighbor = Place(rawValue: 32)
  }

  private struct Reader {
    let place: Place
    let keys: Set<LegacyKey>
    let facts: UInt64

    init(_ place: Place, _ keys: [LegacyKey], _ facts: UInt64) {
      (self.place, self.keys, self.facts) = (place, Set(keys), facts)
    }
  }

  /// Facts that compare transactions of one group.
  private static let factsOfGroups = groupFacts | neighborFacts | previousFacts | factsOfOtherProducts

  private static let factsOfOtherProducts = Fact.bits([
    .offerOnNextPeriod, .cancelledNearUpgrade, .cancelledAtPurchase,
  ])

  private static let readers = [
    Reader([.body, .ownEntry], [.expiration_intent], Fact.bits(Fact.intents)),
    Reader(.ownEntry, [.expiration_intent], Fact.failureShown.bit),
    Reader([.body, .ownEntry], [.auto_renew_status], autoRenewFacts | Fact.bits([.otherProductRenews])),
    Reader(
      [.body, .ownEntry], [.auto_renew_product_id],
      Fact.bits([.pendingKnown, .pendingProductDiffers, .otherProductRenews])),
    Reader([.body, .ownEntry], [.product_id], Fact.pendingProductDiffers.bit),
    Reader([.body, .ownEntry], [.promotional_offer_id, .offer_code_ref_name], Fact.pendingOffer.bit),
    Reader([.body, .ownEntry], [.is_in_billing_retry_period], Fact.bits([.inBillingRetry, .failureShown])),
    Reader([.body, .ownEntry], [.price_consent_status], Fact.bits([.consentGiven, .consentPending])),
    Reader([.body, .ownEntry], [.price_increase_status], Fact.bits([.increaseAgreed, .consentPending])),
    Reader(.body, [.environment], Fact.sandbox.bit),
    Reader(.body, LegacyInstant.statusChange.keys, timeFacts),
    Reader(
      .ownEntry, LegacyInstant.grace.keys,
      endingFacts | Fact.bits([.graceAfterEvent, .purchaseInGrace, .gapBefore, .failureShown])),
    Reader(.entry, LegacyInstant.grace.keys, groupFacts),
    Reader(.target, [.promotional_offer_id], Fact.bits([.offerOnPeriod, .promotionalOffer])),
    Reader(.target, [.offer_code_ref_name], Fact.offerOnPeriod.bit),
    Reader(.target, [.in_app_ownership_type], Fact.bits([.familyShared, .purchaserOwned])),
    Reader(.target, [.cancellation_reason], Fact.bits([.cancelled, .cancellationForApp])),
    Reader(.target, LegacyInstant.cancellation.keys, Fact.cancelled.bit | factsOfOtherProducts),
    Reader(.transaction, LegacyInstant.cancellation.keys + [.cancellation_reason], groupFacts),
    Reader(.target, [.is_upgraded], Fact.bits([.upgraded, .newerProductListed])),
    Reader(.target, [.web_order_line_item_id, .subscription_group_identifier], Fact.subscription.bit),
    Reader(
      .transaction, [.promotional_offer_id, .offer_code_ref_name], Fact.bits([.offerOnNextPeriod, .renewedWithOffer])),
    Reader(.transaction, [.web_order_line_item_id], factsOfOtherProducts),
    Reader(.neighbor, [.subscription_group_identifier], factsOfGroups),
    Reader(.neighbor, [.in_app_ownership_type], groupFacts | previousFacts),
  ]

  private static let factsOfRenewals =
    renewalFacts | Fact.bits(Fact.intents) | autoRenewFacts | Fact.failureShown.bit

  /// Leaves open what a part that cannot be read could have shown.
  func addUnreadable(_ facts: inout FactSet) {
    // Others were excluded, which is a conclusion: what the entry says may be of another subscription.
    if subject.isRenewalByExclusion { facts.assume(Self.factsOfRenewals) }
    guard !record.unreadable.isEmpty || !record.damagedLists.isEmpty || gaps.isDamaged else { return }
    if gaps.hidesFacts || subject.isUnreadable {
      facts.leaveOpen(Self.factsOfGroups | Self.runningFacts)
      // The event's transaction may be the one that cannot be read: any of its keys may state anything.
      if subject.target == nil { facts.leaveOpen(Self.ownFacts | Self.facts(.target) { _ in true }) }
    }
    if gaps.areRenewalsDamaged {
      facts.leaveOpen(Self.facts(.entry) { _ in true })
      if renewalEntry < 0 { facts.leaveOpen(Self.factsOfRenewals | Self.facts(.ownEntry) { _ in true }) }
    }
    guard !record.unreadable.isEmpty else { return }
    var keys: [Int: Set<LegacyKey>] = [:]
    for value in record.unreadable where record.isUnreadable(value.row, value.key) {
      keys[value.row, default: []].insert(value.key)
    }
    forEachPlace { row, place in
      guard let unreadable = keys[row] else { return }
      facts.leaveOpen(Self.facts(place) { !$0.isDisjoint(with: unreadable) })
    }
  }

  /// The rows that facts read, each once: a record may have a great many.
  private func forEachPlace(_ use: (Int, Place) -> Void) {
    use(record.body, .body)
    for row in record.renewals { use(row, row == renewalEntry ? [.entry, .ownEntry] : .entry) }
    let target = subject.target.map { periods[$0].row }
    let hasNeighbor = periods.contains { !$0.isSameOriginal && $0.row != target }
    for period in periods {
      if period.row == target {
        use(period.row, hasNeighbor ? [.transaction, .target, .neighbor] : [.transaction, .target])
      } else {
        use(period.row, period.isSameOriginal ? .transaction : [.transaction, .neighbor])
      }
    }
  }

  private static func facts(_ place: Place, where reads: (Set<LegacyKey>) -> Bool) -> UInt64 {
    readers.reduce(0) { !$1.place.isDisjoint(with: place) && reads($1.keys) ? $0 | $1.facts : $0 }
  }
}
