package import SlipcastMapping

/// Whether a customer has access, according to all that one archive has of a subscription or purchase.
package struct AccessState: Hashable, Sendable {
  package var access = Access.unknown
  package var reason = AccessReason.unknown
  /// When access ends or ended, in milliseconds since 1970 UTC; `nil`: never, or it is not known.
  package var until: Int64?
  /// The number of the last record about the deciding period in its archive, from 1.
  package var record: Int64?
  /// The id of its row.
  package var id: String?
  package var originalTransactionId: String?
  package var productId: String?
  /// The type of the record, as differences name it.
  package var event = "…"

  package init() {}

  /// What a record says of itself, without an answer.
  package init(_ view: RecordView) {
    (record, event) = (view.head.record, view.head.name)
    originalTransactionId = view.originalTransactionId
    productId = view.text(FieldNumber.productId) ?? view.text(FieldNumber.autoRenewProductId)
  }
}

/// A subscription or purchase whose access, or the end of whose access, differs.
package struct AccessChange: Hashable, Sendable {
  package var legacy: AccessState
  package var server: AccessState
  /// V2 has reversed a refund of it, which V1 does not report.
  package var isRefundReversed = false
  /// Only an event that V1 never sends moved the end of access in V2.
  package var isExtended = false
  /// When it was judged, where V1's last answer about the customer is older than the time of all; milliseconds since 1970
  /// UTC.
  package var asOf: Int64?

  package init(legacy: AccessState, server: AccessState) { (self.legacy, self.server) = (legacy, server) }

  /// The difference in one word, a word of `accessChange`.
  package enum Outcome: String, CaseIterable, Sendable {
    case lockedOut, servedForFree, endsEarlier, endsLater, refundReversed, extended, unknown, same
  }

  /// - Parameter tolerance: how much two clocks may differ, in milliseconds.
  package func outcome(tolerance: Int64) -> Outcome {
    let outcome = plainOutcome(tolerance: tolerance)
    let isMore = outcome == .servedForFree || outcome == .endsLater
    if isMore, isRefundReversed, legacy.reason.isRevocation { return .refundReversed }
    return isMore && isExtended ? .extended : outcome
  }

  private func plainOutcome(tolerance: Int64) -> Outcome {
    switch (legacy.access, server.access) {
    case (.unknown, _), (_, .unknown): return .unknown
    case (.yes, .no): return .lockedOut
    case (.no, .yes): return .servedForFree
    // When it was refunded is not known on one side, so the ends do not differ.
    case _ where [legacy, server].contains { $0.reason.isRevocation && $0.until == nil }: return .same
    default:
      let (one, two) = (legacy.until ?? .max, server.until ?? .max)
      let isApart = one.subtractingReportingOverflow(two).partialValue.magnitude > tolerance.magnitude
      return !isApart ? .same : two < one ? .endsEarlier : .endsLater
    }
  }

  package var originalTransactionId: String? { legacy.originalTransactionId ?? server.originalTransactionId }
  package var productId: String? { server.productId ?? legacy.productId }
}

/// How many subscriptions and purchases differ in access, at one time and by the last record of each archive.
package struct AccessTotals: Hashable, Sendable {
  /// When access was judged, in milliseconds since 1970 UTC.
  package var asOf: Int64
  /// Subscriptions and purchases of either archive.
  package var subscriptions = 0
  /// Those with the same access and the same end of it.
  package var same = 0
  /// Access in V1 and not in V2.
  package var lockedOut = 0
  /// Access in V2 and not in V1.
  package var servedForFree = 0
  /// The same access, which ends or ended earlier in V2.
  package var endsEarlier = 0
  /// The same access, which ends or ended later in V2.
  package var endsLater = 0
  /// V2 has reversed the refund that V1 reports last.
  package var refundReversed = 0
  /// V2 has extended the period, which V1 does not report.
  package var extended = 0
  /// One archive lacks it, or has too little data.
  package var unknown = 0
  /// Of those that are locked out or served for free, those that a baseline accepts.
  package var accepted = 0
  /// Of those whose access ends at another time, those that a baseline accepts.
  package var endsAccepted = 0

  /// No subscription yet.
  package init(asOf: Int64) { self.asOf = asOf }

  /// Those that gain or lose access.
  package var changes: Int { lockedOut + servedForFree }

  /// Those whose access ends at another time.
  package var endChanges: Int { endsEarlier + endsLater }

  /// Those that both archives have enough data of.
  var compared: Int { subscriptions - unknown }

  package mutating func add(_ outcome: AccessChange.Outcome) {
    subscriptions += 1
    switch outcome {
    case .unknown: unknown += 1
    case .lockedOut: lockedOut += 1
    case .servedForFree: servedForFree += 1
    case .endsEarlier: endsEarlier += 1
    case .endsLater: endsLater += 1
    case .refundReversed: refundReversed += 1
    case .extended: extended += 1
    case .same: same += 1
    }
  }

  /// Those that are in the list of `--access`.
  package var listed: Int { subscriptions - same }
}

extension AccessChange.Outcome {
  /// The direction of a change of access; `nil` where no customer gains or loses it.
  package var kind: DifferenceKind? {
    switch self {
    case .lockedOut: .lockedOut
    case .servedForFree: .servedForFree
    case .endsEarlier, .endsLater, .refundReversed, .extended, .unknown, .same: nil
    }
  }

  /// Access ends at another time.
  package var isEndChange: Bool { self == .endsEarlier || self == .endsLater }
}
