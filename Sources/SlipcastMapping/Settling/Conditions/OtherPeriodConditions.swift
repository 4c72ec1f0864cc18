/// A condition of any period of the subscription (`anyPeriod`, `noPeriod`).
protocol PeriodTest: ArchiveCondition {
  func holds(_ other: HistoryMessage.Period, for subject: FactSubject) -> Bool
}

/// A condition of any period of the subscription.
enum OtherPeriodCondition: String, PeriodTest {
  case ownSubscription, unmarked, notChargedEarly
  case boughtAtMoment, boughtWithinAction, boughtWithinDay, boughtNearCancellation
  case notRevokedByEvent, notToldAsRenewal

  func holds(_ other: HistoryMessage.Period, for subject: FactSubject) -> Bool { subject.holds(self, other) }
}

/// The same, compared with the event's purchase.
enum PeriodBeforeCondition: String, PeriodTest {
  /// It is of the product of the purchase, or of another one.
  case ofSameProduct, ofOtherProduct
  /// It began before the purchase; and ends after it.
  case older, runsPast
  /// Nothing that was bought since then, of another product, ended it.
  case notSuperseded
  case notToRenewEarly
  /// It ran at a time from the start of the period until the purchase.
  case ranSincePeriod

  static let needsPeriod = true

  func holds(_ other: HistoryMessage.Period, for subject: FactSubject) -> Bool {
    guard let period = subject.period, let target = subject.target else { return false }
    let history = subject.history
    return switch self {
    case .ofSameProduct: other.product == target.product
    case .ofOtherProduct: other.product != target.product
    case .older: other.expires != HistoryMessage.noTime && target.isNewer(than: other)
    case .runsPast: other.end > target.purchase
    case .notSuperseded: !history.isSuperseded(other, before: target)
    case .notToRenewEarly: !history.mayBeRenewed(other, before: target)
    case .ranSincePeriod: other.end >= period.purchase && other.purchase <= target.purchase
    }
  }
}

extension FactSubject {
  fileprivate func holds(_ condition: OtherPeriodCondition, _ other: HistoryMessage.Period) -> Bool {
    func timed(_ holds: (Int64) -> Bool) -> Bool { message.time.map(holds) ?? false }
    return switch condition {
    case .ownSubscription: other.traits.contains(.own)
    case .unmarked: !other.traits.contains(.upgraded)
    case .notChargedEarly: !history.mayBeEndedEarly(other)
    case .boughtAtMoment: timed { history.isAtPurchase($0, of: other) }
    case .boughtWithinAction: timed { abs(other.purchase - $0) <= length(parameters.action) }
    case .boughtWithinDay: timed { abs(other.purchase - $0) <= history.day }
    case .boughtNearCancellation:
      message.about.map { abs(other.purchase - $0.cancellation) <= length(parameters.upgrade) } ?? false
    case .notRevokedByEvent: timed { !(other.isRevoked && other.cancellation <= $0) }
    case .notToldAsRenewal: !history.messages.contains { $0.type.is(.renewal) && history.isAbout($0, other) }
    }
  }
}
