internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// The refunds and revocations of a life that only lists show.
///
/// V1 reports each with a message, which the archive may lack.
struct UntoldRefunds {
  struct Refund {
    var period: UntoldPeriod.Key
    /// Milliseconds since 1970 UTC.
    var time: Int64
    var productId: String?
    var expires: Int64?
  }

  /// The periods that messages report as taken back, perhaps.
  private var reported: Set<UntoldPeriod.Key> = []
  /// A message reports a refund and names no purchase, or no date: it may be about any.
  private var isAnyReported = false
  private var known: Set<UntoldPeriod.Key> = []
  /// Not shown yet.
  private var open: [Refund] = []

  /// Takes what a message reports, before all messages are taken one by one.
  mutating func expect(_ group: EventGroup) {
    guard group.mayTakeBack else { return }
    if let period = group.facts.transaction?.period { reported.insert(period) }
    if group.facts.transaction?.revocationDate == nil { isAnyReported = true }
  }

  /// Adds what a record shows of a period.
  mutating func add(_ refund: Refund) {
    guard !isAnyReported, !reported.contains(refund.period), known.insert(refund.period).inserted else { return }
    open.append(refund)
  }

  /// Takes those until a time, in their order.
  mutating func take(until time: Int64) -> [Refund] {
    let due = open.filter { $0.time <= time }
    if !due.isEmpty { open.removeAll { $0.time <= time } }
    return due.sorted { $0.time < $1.time }
  }
}

extension GapFinder {
  /// Notes a refund that a message about something else shows of its period, or that other records show of it.
  mutating func noteRefund(of group: EventGroup) {
    guard let transaction = group.facts.transaction, transaction.isUpgraded != true, let period = transaction.period,
      let expires = transaction.expiresDate?.milliseconds
    else { return }
    let shown = catalogue.evidence?.end(of: period)
    if let shown, shown.isReplaced { return }
    let listed = shown.map(\.cancellation).flatMap { $0 == .max ? nil : $0 }
    guard let time = transaction.revocationDate?.milliseconds ?? listed else { return }
    refunds.add(
      UntoldRefunds.Refund(period: period, time: time, productId: transaction.productId, expires: expires))
  }

  /// Notes the refund of a period that only lists show.
  mutating func noteRefund(of period: UntoldPeriod, productId: String?) {
    guard !period.isUpgraded, period.revocation != .max else { return }
    refunds.add(
      UntoldRefunds.Refund(
        period: period.key, time: period.revocation, productId: productId, expires: period.expires))
  }

  /// The refunds until a time that no message reports.
  mutating func refundGaps(until time: Int64) -> [Gap] {
    refunds.take(until: time).compactMap { refund in
      guard var gap = gap(state.isFamilySeen ? .revoke : .refund, refund.time, "transactionInfo.revocationDate") else {
        return nil
      }
      (gap.period, gap.productId, gap.expires) = (refund.period, refund.productId, refund.expires)
      return gap
    }
  }
}
