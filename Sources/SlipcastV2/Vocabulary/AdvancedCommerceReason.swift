/// Why an item of an Advanced Commerce subscription is changed.
///
/// Occurs in requests only.
///
/// Source: Advanced Commerce API, reason.
package enum AdvancedCommerceReason: String, CaseIterable, Hashable, Sendable {
  /// To a higher level.
  case upgrade = "UPGRADE"
  /// To a lower level.
  case downgrade = "DOWNGRADE"
  /// To make the customer an offer.
  case applyOffer = "APPLY_OFFER"
}
