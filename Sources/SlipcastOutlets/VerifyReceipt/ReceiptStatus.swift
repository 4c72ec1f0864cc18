/// The statuses of `verifyReceipt` that an answer can have.
///
/// Source: Apple, "status" of the App Store Receipts documentation; 21199 stands for Apple's retryable errors.
package enum ReceiptStatus: Int64, CaseIterable, Sendable {
  case valid = 0
  /// Not a POST, or not JSON.
  case notARequest = 21000
  /// `receipt-data` is missing, or no receipt.
  case unreadable = 21002
  /// The signature or its chain is not trusted.
  case untrusted = 21003
  /// `password` is not one of the shared secrets.
  case wrongSecret = 21004
  /// Apple cannot be reached, and nothing is stored about the customer.
  case unavailable = 21005
  /// An expired subscription in an iOS 6 receipt; the answer has its body.
  case expired = 21006
  case sandboxReceipt = 21007
  case productionReceipt = 21008
  case internalError = 21009
  /// Apple does not know the customer, or no longer.
  case noAccount = 21010
  /// Apple asks to try again later.
  case retryable = 21199

  /// The status of HTTP: only Apple's own unavailability is one.
  package var http: Int { self == .unavailable ? 503 : 200 }

  /// The word that the provenance of an answer has for it; `nil` for answers with a body.
  var finding: String? {
    switch self {
    case .valid, .expired: nil
    case .unreadable: "unreadableReceipt"
    default: "\(self)"
    }
  }
}
