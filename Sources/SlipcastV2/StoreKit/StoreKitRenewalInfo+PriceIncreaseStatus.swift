public import SlipcastWire

extension StoreKitRenewalInfo {
  /// What became of a price increase.
  ///
  /// | server's `priceIncreaseStatus` | StoreKit | consent needed | no consent needed |
  /// | --- | --- | --- | --- |
  /// | absent | `noIncreasePending` | no increase | does not occur |
  /// | 0 | `pending` | no answer yet | does not occur |
  /// | 1 | `agreed` | consented | told of the increase |
  ///
  /// Source: StoreKit, Managing Price Increases for Auto-Renewable Subscriptions.
  public enum PriceIncreaseStatus: String, CaseIterable, Hashable, Sendable {
    /// There is no price increase.
    case noIncreasePending
    /// Consent is needed and the customer has not answered.
    case pending
    /// The customer consented, or was told of an increase that needs no consent.
    case agreed

    /// The word for a server's value; absent is a value of its own.
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
