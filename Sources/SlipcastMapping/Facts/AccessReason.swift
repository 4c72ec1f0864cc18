internal import SlipcastV2

/// Whether a customer has access, as all reports and lists state it.
package enum Access: String, CaseIterable, Sendable {
  case yes, no, unknown
}

/// Why a customer has access or not: the one vocabulary of all reports and lists.
package enum AccessReason: String, CaseIterable, Hashable, Sendable {
  /// A period runs, or the purchase has no end.
  case active
  /// The period is over, payment failed, and the billing grace period runs.
  case grace
  /// The period is over, payment failed, and Apple tries again.
  case billingRetry
  /// The last period is over.
  case expired
  /// Apple refunded the purchase.
  case refunded
  /// Family Sharing or an assignment ended.
  case revoked
  /// Another product of the group replaced the period.
  case upgraded
  /// The record does not contain enough.
  case unknown

  /// Access ended before the end of the period.
  package var isRevocation: Bool { [.refunded, .revoked, .upgraded].contains(self) }

  /// Why access ended before the end of the period.
  ///
  /// Source: App Store Server API, revocationType: family and assignment revocations end access that another person
  /// paid for.
  package static func ofRevocation(
    isUpgraded: Bool, revocationType: String?, notificationType: String?
  ) -> AccessReason {
    if isUpgraded { return .upgraded }
    let isTaken = ["FAMILY_REVOKE", "ASSIGNMENT_REVOKE"].contains(revocationType)
    return isTaken || notificationType == NotificationType.revoke.rawValue ? .revoked : .refunded
  }
}
