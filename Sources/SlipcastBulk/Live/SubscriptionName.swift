@_spi(Slipcast) internal import SlipcastWire

/// Finds which subscription a notification is about.
package enum SubscriptionName {
  /// The original transaction id in a body; `nil` where it names none.
  package static func find(in body: [UInt8], _ version: IncomingNotification.Version) -> String? {
    switch version {
    case .v1: return DecodedNotification.decoded(body, legacy)
    case .v2:
      guard let line = DecodedNotification.line(of: body) else { return nil }
      return DecodedNotification.decoded(line) { root in
        guard let data = root["data"] else { return nil }
        return data["transactionInfo"]?["originalTransactionId"]?.string
          ?? data["renewalInfo"]?["originalTransactionId"]?.string
      }
    }
  }

  private static func legacy(_ root: JSONElement) -> String? {
    let places: [JSONElement?] = [
      root["original_transaction_id"], root["latest_receipt_info"]?["original_transaction_id"],
      root["latest_expired_receipt_info"]?["original_transaction_id"],
      root["unified_receipt"]?["latest_receipt_info"]?.children.first?["original_transaction_id"],
    ]
    return places.lazy.compactMap(\.self).first.map { $0.string ?? $0.json }
  }
}
