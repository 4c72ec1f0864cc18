@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

// Which subscription of a record its event is about, where the record does not identify it.
extension Converter {
  /// The record names its subscription, or what it states fits no other one that it lists.
  func isSubjectNamed(_ original: JSONText, _ base: HistoryMessage) -> Bool {
    if known.subject.standing == .named || known.subject.standing == .otherOriginal { return true }
    if known.type.changesAutoRenew || known.type.is(.failure), record.renewals.count == 1,
      let entry = record.renewals.first, let own = record.text(entry, .original_transaction_id), own == original
    {
      return true
    }
    guard base.scope.isSuperset(of: [.list, .whole]), known.periods.allSatisfy({ $0.original != nil }) else {
      return false
    }
    let subjects = possibleSubjects(base)
    return subjects.count == 1 && subjects.contains(original)
  }

  /// The listed subscriptions that the event may be about.
  ///
  /// A body names the product that its subscription renews to, and a product is of one group. Apple delivers it soon, so
  /// the event is not an old purchase or choice; a change of auto-renew at a purchase belongs to this purchase.
  func possibleSubjects(_ base: HistoryMessage) -> Set<JSONText> {
    guard record.form == .notification else { return [] }
    let group = groupOfNextProduct()
    var all: Set<JSONText> = []
    for period in known.periods where known.isSubscription(period.row) {
      guard let original = period.original else { continue }
      if let group, let own = record.text(period.row, .subscription_group_identifier), own != group { continue }
      all.insert(original)
    }
    let remaining = all.intersection(fittingSubjects(base) ?? all)
    return remaining.isEmpty ? all : remaining
  }

  /// The subscriptions whose dates fit what the type reports; `nil` for types that dates do not distinguish.
  private func fittingSubjects(_ base: HistoryMessage) -> Set<JSONText>? {
    let type = known.type
    if type.changesAutoRenew { return boughtAtChange() }
    if type.isPurchase { return boughtLately(base) }
    return type.changesProduct || type.is(.failure) || type.is(.consentRequest) ? runningLately(base) : nil
  }

  /// The subscriptions with a purchase within the time that Apple delivers its message.
  private func boughtLately(_ base: HistoryMessage) -> Set<JSONText> {
    let earliest = base.writtenFrom - known.length(compiled.parameters.delivery)
    let lately = known.periods.lazy.filter { $0.purchase != Period.none && $0.purchase >= earliest }
    return Set(lately.compactMap(\.original))
  }

  /// The subscriptions with a period that ran within the time that Apple delivers a message about its next renewal, or
  /// whose billing is retried.
  private func runningLately(_ base: HistoryMessage) -> Set<JSONText> {
    let record = record
    let earliest = base.writtenFrom - known.length(compiled.parameters.delivery)
    let running = known.periods.lazy.filter { $0.expires != Period.none && $0.end >= earliest }
    let retried = record.renewals.lazy.filter { record.flag($0, .is_in_billing_retry_period) == true }
    return Set(running.compactMap(\.original)).union(
      retried.compactMap { record.text($0, .original_transaction_id) })
  }

  /// The subscriptions that were bought again when auto-renew changed; empty where the status of another one may have
  /// changed at this moment, because it was taken back or billing is retried.
  private func boughtAtChange() -> Set<JSONText> {
    let (record, parameters) = (record, compiled.parameters)
    let (companion, refund) = (known.length(parameters.companion), known.length(parameters.refund))
    guard known.type.changesAutoRenew, let time = known.eventTime,
      let isOn = record.flag(record.body, .auto_renew_status)
    else { return [] }
    let bought = Set(
      known.periods.lazy.filter { period in
        period.purchase != Period.none && (period.purchase - time).magnitude <= companion
          && record.text(period.row, .transaction_id) != period.original
      }.compactMap(\.original))
    let isOtherChanged =
      known.periods.contains { period in
        guard period.isCancelled, let original = period.original, !bought.contains(original) else { return false }
        return period.cancellation <= time && time - period.cancellation <= refund
      }
      || !isOn
        && record.renewals.contains { entry in
          record.flag(entry, .is_in_billing_retry_period) == true
            && !(record.text(entry, .original_transaction_id).map(bought.contains) ?? false)
        }
    return isOtherChanged ? [] : bought
  }

  /// The group of the product that the body names as the next one, as its lists show it.
  private func groupOfNextProduct() -> JSONText? {
    let record = record
    guard let product = record.text(record.body, .auto_renew_product_id) else { return nil }
    let groups = known.periods.lazy.filter { period in
      record.text(period.row, .product_id) == product
    }.compactMap { record.text($0.row, .subscription_group_identifier) }
    return groups.first.flatMap { first in groups.allSatisfy { $0 == first } ? first : nil }
  }

  /// The event may be about this subscription too: its type and its own date count as a message about it that shows
  /// nothing more.
  func addUnclearEvent(to message: inout HistoryMessage) {
    message.type = known.type
    message.scope.insert(.unclear)
    if known.type.changesAutoRenew, let time = known.eventTime { message.eventTime = time }
  }
}
