/// A condition of any period of the subscription (`anyPeriod`, `noPeriod`).
enum OtherPeriodCondition: String, CaseIterable, ArchiveCondition {
  case ownSubscription, unmarked
  /// It is of the product of the purchase, or of another one.
  case ofSameProduct, ofOtherProduct
  /// It began before the purchase; and ends after it.
  case older, runsPast
  /// Nothing that was bought since then, of another product, ended it.
  case notSuperseded
  case notChargedEarly, notToRenewEarly
  case boughtAtMoment, boughtWithinAction, boughtWithinDay, boughtNearCancellation
  case notRevokedByEvent, notToldAsRenewal
  /// It ran at a time from the start of the period until the purchase.
  case ranSincePeriod

  static let what = "a condition of a period of the subscription"
  static let names = allCases.map(\.rawValue)

  init?(name: String) { self.init(rawValue: name) }

  var name: String { rawValue }

  var needsPeriod: Bool {
    switch self {
    case .ownSubscription, .unmarked, .notChargedEarly, .boughtAtMoment, .boughtWithinAction, .boughtWithinDay,
      .boughtNearCancellation, .notRevokedByEvent, .notToldAsRenewal:
      false
    case .ofSameProduct, .ofOtherProduct, .older, .runsPast, .notSuperseded, .notToRenewEarly, .ranSincePeriod: true
    }
  }
}

extension FactSubject {
  func holds(_ condition: OtherPeriodCondition, _ other: HistoryMessage.Period) -> Bool {
    func timed(_ holds: (Int64) -> Bool) -> Bool { message.time.map(holds) ?? false }
    func purchased(_ holds: (HistoryMessage.Period) -> Bool) -> Bool { target.map(holds) ?? false }
    return switch condition {
    case .ownSubscription: other.traits.contains(.own)
    case .unmarked: !other.traits.contains(.upgraded)
    case .ofSameProduct: purchased { other.product == $0.product }
    case .ofOtherProduct: purchased { other.product != $0.product }
    case .older: purchased { other.expires != HistoryMessage.noTime && $0.isNewer(than: other) }
    case .runsPast: purchased { other.end > $0.purchase }
    case .notSuperseded: purchased { !history.isSuperseded(other, before: $0) }
    case .notChargedEarly: !history.mayBeEndedEarly(other)
    case .notToRenewEarly: purchased { !history.mayBeRenewed(other, before: $0) }
    case .boughtAtMoment: timed { history.isAtPurchase($0, of: other) }
    case .boughtWithinAction: timed { abs(other.purchase - $0) <= length(parameters.action) }
    case .boughtWithinDay: timed { abs(other.purchase - $0) <= history.day }
    case .boughtNearCancellation:
      message.about.map { abs(other.purchase - $0.cancellation) <= length(parameters.upgrade) } ?? false
    case .notRevokedByEvent: timed { !(other.isRevoked && other.cancellation <= $0) }
    case .notToldAsRenewal:
      !history.messages.contains { $0.type.is(.renewal) && history.isAbout($0, other) }
    case .ranSincePeriod:
      purchased { target in
        period.map { other.end >= $0.purchase && other.purchase <= target.purchase } ?? false
      }
    }
  }
}
