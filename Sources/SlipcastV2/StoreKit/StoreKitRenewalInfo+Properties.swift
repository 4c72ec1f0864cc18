internal import SlipcastWire

extension StoreKitRenewalInfo {
  /// The properties for reports: StoreKit's names, with values spelled as in Swift.
  private static let properties: [(name: String, text: @Sendable (StoreKitRenewalInfo) -> String?)] = [
    ("state", { $0.state.map { word($0) } }),
    ("willAutoRenew", { $0.willAutoRenew.map { "\($0)" } }),
    ("autoRenewPreference", { $0.autoRenewPreference }),
    ("expirationReason", { $0.expirationReason.map { word($0) } }),
    ("isInBillingRetry", { $0.isInBillingRetry.map { "\($0)" } }),
    ("gracePeriodExpirationDate", { $0.gracePeriodExpirationDate?.description }),
    ("offerID", { $0.offerID }),
    ("offerType", { $0.offerType.map { word($0) } }),
    ("currentProductID", { $0.currentProductID }),
    ("priceIncreaseStatus", { word($0.priceIncreaseStatus) }),
    ("renewalDate", { $0.renewalDate?.description }),
    ("recentSubscriptionStartDate", { $0.recentSubscriptionStartDate?.description }),
    ("originalTransactionID", { $0.originalTransactionID.map { "\($0)" } }),
  ]

  /// The value of a property, or `nil` when it is nil or StoreKit has no such property here.
  package func text(of property: String) -> String? { Self.properties.first { $0.name == property }?.text(self) }

  private static func word<Known>(_ value: Open<Known>) -> String {
    switch value {
    case .known(let known): "\(known)"
    case .unknown(let raw): "\(raw)"
    }
  }
}
