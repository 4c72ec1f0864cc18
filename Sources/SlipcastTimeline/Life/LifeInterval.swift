package import SlipcastMapping
package import SlipcastV2

/// One interval of a subscription's life: who had access on a day is one comparison with `from` and `until`.
///
/// Intervals follow each other and do not overlap. The last one has no end while its state is not known to end.
package struct LifeInterval: Hashable, Sendable {
  /// Milliseconds since 1970 UTC.
  package var from: Int64
  /// Exclusive; `nil` where nothing is known to end the state.
  package var until: Int64?
  /// Why the customer has access or not; status and access follow from it.
  package var reason: AccessReason
  package var productId: String?
  /// `nil` before the first message that states it.
  package var autoRenewStatus: AutoRenewStatus?
  /// The end of the period, in milliseconds since 1970 UTC.
  package var expiresDate: Int64?
  package var offerType: OfferType?
  package var confidence: Confidence
  /// How certain it is if no message is missing: what records state, not what their silence leaves open.
  package var stated: Confidence
  /// The rows of the messages that show it; empty for what only lists or the passing of time show.
  package var evidence: [Int64]

  /// V2's status of a subscription; `nil` where it is unknown.
  package var status: Status? {
    switch reason {
    case .active: .active
    case .grace: .billingGracePeriod
    case .billingRetry: .billingRetry
    case .expired: .expired
    case .refunded, .revoked: .revoked
    case .upgraded, .unknown: nil
    }
  }

  /// `unknown` also where another product replaced the period, and its own period is in no record.
  package var access: Access {
    switch reason {
    case .active, .grace: .yes
    case .billingRetry, .expired, .refunded, .revoked: .no
    case .upgraded, .unknown: .unknown
    }
  }
}
