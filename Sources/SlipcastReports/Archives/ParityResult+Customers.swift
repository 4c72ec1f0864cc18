package import SlipcastComparison
import SlipcastMapping
import SlipcastWire

extension ParityResult {
  /// Access of each customer at one time, and some of the customers whose access differs.
  var customerBlocks: [ReportBlock]? {
    guard let access else { return nil }
    let all = Words.count(access.subscriptions, "customer")
    let about = "\(all) (subscriptions and purchases), in both archives as of \(Words.moment(access.asOf))"
    let counts = AccessChange.Outcome.allCases.compactMap { outcome -> ReportItem? in
      let count = access.count(outcome)
      guard count > 0 || access.changes > 0 && outcome.kind != nil else { return nil }
      return ReportItem(
        lead: .count(count), name: outcome.title, words: outcome.meaning,
        tone: count > 0 && (outcome == .lockedOut || outcome.isEndChange) ? .bad : nil)
    }
    let totals = ReportBlock.items(counts + [ReportItem(words: about)])
    guard access.listed > 0 else { return [totals] }
    return [totals, .items(accessSamples.shown.map(customer)), .items([ReportItem(words: omitted(access))])]
  }

  private func omitted(_ access: AccessTotals) -> String {
    let rest = access.listed - accessSamples.shown.count
    let place = accessList.map { "the full list is in \($0)".safe } ?? "--access FILE.csv writes the full list"
    if rest == 0 { return place }
    return "\(Words.count(rest, "more customer")) \(rest == 1 ? "is" : "are") not shown here; \(place)"
  }

  /// One customer, in words for the people who answer customers.
  private func customer(_ sample: AccessSamples.Sample) -> ReportItem {
    let (outcome, change) = sample
    let sides = [("V1", change.legacy), ("V2", change.server)].map { name, state in
      let row = state.id.map { ", row \($0.safe)" } ?? ""
      return "\(name): \(state.words)" + (state.record.map { ", record \(Int($0).grouped)\(row)." } ?? ".")
    }
    let product = change.productId.map { ", \($0)" } ?? ""
    let time = change.asOf.map { ", as of \(Words.moment($0))" } ?? ""
    return ReportItem(
      name: (change.originalTransactionId ?? "").safe, isCode: true, words: "\(outcome.title)\(product)\(time).".safe,
      details: sides, tone: outcome == .lockedOut ? .bad : nil)
  }
}

extension AccessTotals {
  fileprivate func count(_ outcome: AccessChange.Outcome) -> Int {
    switch outcome {
    case .lockedOut: lockedOut
    case .servedForFree: servedForFree
    case .endsEarlier: endsEarlier
    case .endsLater: endsLater
    case .refundReversed: refundReversed
    case .extended: extended
    case .unknown: unknown
    case .same: same
    }
  }
}

extension AccessChange.Outcome {
  /// The outcome as reports and pages name it.
  package var title: String {
    switch self {
    case .lockedOut: "locked out"
    case .servedForFree: "served for free"
    case .endsEarlier: "access ends earlier in V2"
    case .endsLater: "access ends later in V2"
    case .refundReversed: "refund reversed in V2"
    case .extended: "extended in V2"
    case .unknown: "in one archive only, or undecided"
    case .same: "the same access until the same time"
    }
  }

  fileprivate var meaning: String {
    switch self {
    case .lockedOut: "access in V1, no access in V2: the customer cannot use the purchase after the switch"
    case .servedForFree: "no access in V1, access in V2: the customer gets access by the switch"
    case .refundReversed: "Apple took the refund back (REFUND_REVERSED), which V1 does not report: V2 is right"
    case .extended: "an event that V1 never sends, such as RENEWAL_EXTENDED, gave more time: V2 is right"
    case .endsEarlier, .endsLater, .unknown, .same: ""
    }
  }
}

extension AccessState {
  /// `access until 2025-06-30 12:00:00 UTC (active)`.
  package var words: String {
    let answer =
      switch access {
      case .yes: until.map { "access until \(Words.moment($0))" } ?? "access without an end"
      case .no: until.map { "no access since \(Words.moment($0))" } ?? "no access"
      case .unknown: record == nil ? "not in this archive" : "unknown"
      }
    return reason == .unknown ? answer : "\(answer) (\(reason.words))"
  }
}

extension AccessReason {
  /// The word of the lists, which `explain` knows, and what it means where that is not obvious.
  package var words: String {
    let meaning: String? =
      switch self {
      case .grace: "payment failed, the grace period runs"
      case .billingRetry: "payment failed, Apple tries again"
      case .revoked: "Family Sharing or an assignment ended"
      case .upgraded: "another product replaced it"
      case .active, .expired, .refunded, .unknown: nil
      }
    return rawValue + (meaning.map { ": \($0)" } ?? "")
  }
}
