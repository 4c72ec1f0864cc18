@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// The thirteen words of V1's `notification_type`, and everything else.
enum LegacyEventType: String, CaseIterable, Sendable {
  case INITIAL_BUY, RENEWAL, INTERACTIVE_RENEWAL, DID_RENEW, DID_RECOVER, DID_FAIL_TO_RENEW
  case DID_CHANGE_RENEWAL_PREF, DID_CHANGE_RENEWAL_STATUS, CANCEL, REFUND, REVOKE
  case PRICE_INCREASE_CONSENT, CONSUMPTION_REQUEST
  case unknown = "*"

  /// The place in `allCases`; asked for every record.
  var number: Int {
    switch self {
    case .INITIAL_BUY: 0
    case .RENEWAL: 1
    case .INTERACTIVE_RENEWAL: 2
    case .DID_RENEW: 3
    case .DID_RECOVER: 4
    case .DID_FAIL_TO_RENEW: 5
    case .DID_CHANGE_RENEWAL_PREF: 6
    case .DID_CHANGE_RENEWAL_STATUS: 7
    case .CANCEL: 8
    case .REFUND: 9
    case .REVOKE: 10
    case .PRICE_INCREASE_CONSENT: 11
    case .CONSUMPTION_REQUEST: 12
    case .unknown: 13
    }
  }

  private static let names = allCases.map { (type: $0, name: Literal($0.rawValue)) }

  static func of(_ text: JSONText) -> LegacyEventType {
    names.first { $0.name.text == text }?.type ?? .unknown
  }

  /// True when the event is the purchase or renewal of its transaction.
  var isPurchase: Bool {
    switch self {
    case .INITIAL_BUY, .INTERACTIVE_RENEWAL, .DID_RENEW, .DID_RECOVER, .RENEWAL: true
    case .DID_FAIL_TO_RENEW, .DID_CHANGE_RENEWAL_PREF, .DID_CHANGE_RENEWAL_STATUS, .CANCEL, .REFUND, .REVOKE,
      .PRICE_INCREASE_CONSENT, .CONSUMPTION_REQUEST, .unknown:
      false
    }
  }

  /// True when V1 sends the type for auto-renewable subscriptions alone.
  var isForSubscriptionsOnly: Bool {
    switch self {
    case .REFUND, .REVOKE, .CONSUMPTION_REQUEST, .unknown: false
    case .INITIAL_BUY, .RENEWAL, .INTERACTIVE_RENEWAL, .DID_RENEW, .DID_RECOVER, .DID_FAIL_TO_RENEW,
      .DID_CHANGE_RENEWAL_PREF, .DID_CHANGE_RENEWAL_STATUS, .CANCEL, .PRICE_INCREASE_CONSENT:
      true
    }
  }

  /// The key whose new value in the body is the event itself.
  var changedKey: LegacyKey? {
    switch self {
    case .DID_CHANGE_RENEWAL_PREF: .auto_renew_product_id
    case .DID_CHANGE_RENEWAL_STATUS: .auto_renew_status
    default: nil
    }
  }

  /// True when the event takes a purchase back.
  var isReversal: Bool { self == .CANCEL || self == .REFUND || self == .REVOKE }
}
