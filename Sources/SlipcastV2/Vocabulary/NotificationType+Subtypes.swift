extension NotificationType {
  /// The subtypes that Apple documents for the type; `nil` stands for a notification without one.
  ///
  /// `INITIAL_BUY` and `RESUBSCRIBE` of `OFFER_REDEEMED` were sent only until 2024-01-23; such redemptions are
  /// `SUBSCRIBED` since then. Apple does not document the type of `INCREASE_QUANTITY` and `DECREASE_QUANTITY`, so no
  /// type lists them.
  ///
  /// Source: App Store Server Notifications, notificationType and subtype; its change log of 2024-01-23.
  public var subtypes: [Subtype?] {
    switch self {
    case .subscribed: [.initialBuy, .resubscribe]
    case .didChangeRenewalPref: [.upgrade, .downgrade, nil]
    case .didChangeRenewalStatus: [.autoRenewEnabled, .autoRenewDisabled]
    case .offerRedeemed: [.upgrade, .downgrade, nil, .initialBuy, .resubscribe]
    case .didRenew: [.billingRecovery, nil]
    case .expired: [.voluntary, .billingRetry, .priceIncrease, .productNotForSale, nil]
    case .didFailToRenew: [.gracePeriod, nil]
    case .priceIncrease: [.pending, .accepted]
    case .renewalExtension: [.summary, .failure]
    case .externalPurchaseToken: [.unreported, .created, .activeTokenReminder]
    case .refund: [nil, .seats]
    case .gracePeriodExpired, .refundDeclined, .refundReversed, .consumptionRequest, .renewalExtended,
      .revoke, .test, .oneTimeCharge, .rescindConsent, .metadataUpdate, .migration, .migrate,
      .priceChange, .unclaimSeats:
      [nil]
    }
  }
}
