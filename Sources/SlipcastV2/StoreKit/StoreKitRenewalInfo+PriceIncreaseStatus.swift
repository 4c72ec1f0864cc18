public import SlipcastWire

extension StoreKitRenewalInfo {
  /// The state of a price increase.
  ///
  /// | server's `priceIncreaseStatus` | StoreKit | consent needed | no consent needed |
  /// | --- | --- | --- | --- |
  /// | absent | `noIncreasePending` | no increase | does not occur |
  /// | 0 | `pending` | no answer yet | does not occur |
  /// | 1 | `agreed` | consented | notified of the increase |
  ///
  /// Source: StoreKit, Managing Price Increases for Auto-Renewable Subscriptions.
  public enum PriceIncreaseStatus: String, CaseIterable, Hashable, Sendable {
    /// No price increase.
    case noIncreasePending
    /// Consent is needed and the customer has not answered.
    case pending
    /// The customer consented, or was notified of an increase that needs no consent.
    case agreed

    /// The case for a server's value; an absent value has its own case.
    public static func of(_ server: Open<SlipcastV2.PriceIncreaseStatus>?) -> Open<PriceIncreaseStatus> {
      switch server {
      case nil: .known(.noIncreasePending)
      case .known(.noResponse): .known(.pending)
      case .known(.consentedOrNotified): .known(.agreed)
      case .unknown(let code): .unknown("\(code)")
      }
    }
  }
}
