import SlipcastComparison
import SlipcastWire

extension ParityResult {
  /// Access of each customer at the last known state, and some of the customers whose access differs.
  var customerBlock: ReportBlock? {
    guard let access else { return nil }
    let all = Words.count(access.subscriptions, "subscription or purchase", "subscriptions or purchases")
    let moment = Words.moment(access.asOf)
    let counts = AccessChange.Outcome.allCases.compactMap { outcome -> ReportItem? in
      let count = access.count(outcome)
      guard count > 0 || outcome == .lockedOut || outcome == .servedForFree else { return nil }
      return ReportItem(
        lead: .count(count), name: outcome.title, words: outcome.meaning,
        tone: count > 0 && outcome == .lockedOut ? .bad : nil)
    }
    var blocks = [ReportBlock.items(counts)]
    if access.listed > 0 {
      blocks += [.items(accessSamples.shown.map(customer)), .items([ReportItem(words: omitted(access))])]
    }
    return .titled(
      "Customers at their last known state", summary: "\(all), both archives as of \(moment)", blocks)
  }

  /// How many customers are not shown, and where the full list is.
  private func omitted(_ access: AccessTotals) -> String {
    let rest = access.listed - accessSamples.shown.count
    let place = accessList.map { "the full list is in \($0)".safe } ?? "--access FILE.csv writes the full list"
    if rest == 0 { return place }
    return "\(Words.count(rest, "more customer")) \(rest == 1 ? "is" : "are") not shown here; \(place)"
  }

  /// One customer, in words for the people who answer customers.
  private func customer(_ sample: AccessSamples.Sample) -> ReportItem {
    let (outcome, change) = sample
    let sides = [("V1", change.legacy), ("V2", change.server)].map { name, state in "\(name): \(state.words)" }
    let records = [("V1", change.legacy.record), ("V2", change.server.record)].compactMap { name, record in
      record.map { "\(name) record \(Int($0).grouped)" }
    }
    let product = change.productId.map { "\($0), " } ?? ""
    return ReportItem(
      name: (change.originalTransactionId ?? "").safe, isCode: true, words: outcome.title,
      details: [sides.joined(separator: "; "), (product + records.joined(separator: ", ")).safe],
      tone: outcome == .lockedOut ? .bad : nil)
  }
}

extension AccessTotals {
  fileprivate func count(_ outcome: AccessChange.Outcome) -> Int {
    switch outcome {
    case .lockedOut: lockedOut
    case .servedForFree: servedForFree
    case .endsEarlier: endsEarlier
    case .endsLater: endsLater
    case .unknown: unknown
    case .same: same
    }
  }
}

extension AccessChange.Outcome {
  fileprivate var title: String {
    switch self {
    case .lockedOut: "locked out"
    case .servedForFree: "served for free"
    case .endsEarlier: "access ends earlier in V2"
    case .endsLater: "access ends later in V2"
    case .unknown: "in one archive only, or undecided"
    case .same: "the same access until the same time"
    }
  }

  fileprivate var meaning: String {
    switch self {
    case .lockedOut: "access in V1, no access in V2: the customer cannot use the purchase after the switch"
    case .servedForFree: "no access in V1, access in V2: the customer gets access by the switch"
    case .endsEarlier, .endsLater, .unknown, .same: ""
    }
  }
}

extension AccessState {
  /// `access until 2025-06-30 12:00:00 UTC (a period runs)`.
  fileprivate var words: String {
    let answer =
      switch access {
      case .yes: until.map { "access until \(Words.moment($0))" } ?? "access without an end"
      case .no: until.map { "no access since \(Words.moment($0))" } ?? "no access"
      case .unknown: record == nil ? "not in this archive" : "unknown"
      }
    let why: String? =
      switch reason {
      case .active: "active"
      case .grace: "payment failed, in the grace period"
      case .billingRetry: "payment failed, Apple tries again"
      case .expired: "expired"
      case .refunded: "refunded"
      case .revoked: "Family Sharing ended"
      case .upgraded: "replaced by an upgrade"
      case .unknown: nil
      }
    return answer + (why.map { " (\($0))" } ?? "")
  }
}
