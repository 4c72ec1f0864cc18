@_spi(Slipcast) internal import SlipcastWire

/// Finds which subscription a V2 notification is about.
package enum SubscriptionName {
  /// The original transaction id in a decoded line, as `convert` or `DecodedNotification` writes it; `nil` without one.
  package static func find(in line: [UInt8]) -> String? {
    JSONReader(names: []).parse(JSONBuffer(line)) { root in
      guard let data = root["data"] else { return nil }
      return data["transactionInfo"]?["originalTransactionId"]?.string
        ?? data["renewalInfo"]?["originalTransactionId"]?.string
    }
  }
}
