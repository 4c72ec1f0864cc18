@_spi(Slipcast) internal import SlipcastWire

/// A request of `verifyReceipt`: `{"receipt-data","password","exclude-old-transactions"}`.
struct ReceiptRequest {
  /// As it came.
  var receiptData: String
  var password: [UInt8]?
  var excludesOld: Bool

  /// - Throws: the status for a body that is not such a request.
  init(_ body: [UInt8], _ reader: JSONReader) throws(ReceiptStatus) {
    // An answer's escapes do not matter: the receipt is repeated as text.
    let found: Result<ReceiptRequest, ReceiptStatus>? = reader.parse(JSONBuffer(body)) { root in
      guard root.kind == .object else { return nil }
      guard let data = root["receipt-data"], data.kind == .string, let text = data.string, !text.isEmpty else {
        return .failure(.unreadable)
      }
      return .success(ReceiptRequest(root, text))
    }
    guard let found else { throw ReceiptStatus.notARequest }
    self = try found.get()
  }

  private init(_ root: JSONElement, _ receiptData: String) {
    self.receiptData = receiptData
    password = root["password"].flatMap { $0.kind == .string ? Array(($0.string ?? "").utf8) : nil }
    let flag = root["exclude-old-transactions"]
    // Clients have also sent the flag as text and as a number.
    excludesOld = flag?.boolean ?? (flag.map { ["true", "1"].contains($0.string ?? $0.json) } ?? false)
  }
}

extension ReceiptStatus: Error {}
