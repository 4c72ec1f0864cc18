@_spi(Slipcast) internal import SlipcastWire

/// Writes the line of a V2 notification that Apple sent: the form that `convert` writes, with Apple's values.
///
/// Signed parts become their decoded payloads under the names that `convert` uses; all other members stay as they are.
package enum DecodedNotification {
  /// The line of `{"signedPayload":…}`, without a line feed; `nil` for anything else.
  ///
  /// Signatures are not verified here.
  package static func line(of body: [UInt8]) -> [UInt8]? {
    let reader = JSONReader(names: [])
    let payload = reader.parse(JSONBuffer(body)) { $0["signedPayload"].flatMap { CompactJWS($0) }?.payload }
    guard let payload else { return nil }
    return reader.parse(JSONBuffer(payload)) { root in
      guard root.kind == .object else { return nil }
      return try? DecodedRecord.copy(root, keepsUnsigned: true)
    }
  }

  /// The original transaction id of the subscription in such a line; `nil` without one.
  package static func subscription(in line: [UInt8]) -> String? {
    JSONReader(names: []).parse(JSONBuffer(line)) { root in
      guard let data = root["data"] else { return nil }
      return data["transactionInfo"]?["originalTransactionId"]?.string
        ?? data["renewalInfo"]?["originalTransactionId"]?.string
    }
  }
}
