internal import SlipcastLegacy
internal import SlipcastReceipts
@_spi(Slipcast) internal import SlipcastWire

/// Writes an answer about an iOS 6 receipt: flat, with one transaction.
struct FlatAnswer {
  let table: InverseTable
  let receipt: TransactionReceipt
  let customer: Customer
  /// In milliseconds.
  let now: Int64
  /// What to know about the answer, in one word each.
  var findings: [String] = []

  private static let expiryOfReceipt = ["expires-date", "expires-date-formatted"]

  /// A receipt of an auto-renewable subscription states when its period ends.
  static func isSubscription(_ receipt: TransactionReceipt) -> Bool {
    expiryOfReceipt.contains { receipt.value($0) != nil }
  }

  /// The end of the period in the receipt itself, in milliseconds.
  private static func expiry(_ receipt: TransactionReceipt) -> Int64? {
    receipt.value("expires-date").flatMap { Int64($0) }
  }

  func write(receiptData: String, keepsProvenance: Bool) -> (AnswerWriter.Written, ReceiptStatus) {
    var parts = PartWriter(
      table: table, writer: JSONWriter(capacity: 4096), provenance: keepsProvenance ? Provenance() : nil)
    let writer = parts.writer
    let original = receipt.value("original-transaction-id") ?? receipt.value("transaction-id")
    let newest = customer.transactions.last { $0.text("originalTransactionId") == original }
    let renewal = customer.renewals.first { $0.text("originalTransactionId") == original }
    let isSubscription = Self.isSubscription(receipt)
    let expiry = newest?.integer("expiresDate") ?? Self.expiry(receipt)
    let isExpired = isSubscription && (expiry.map { $0 <= now } ?? false)
    let status = isExpired ? ReceiptStatus.expired : .valid
    writer.byte(UInt8(ascii: "{"))
    writer.member(LegacyKey.status.name, status.rawValue)
    writer.object(LegacyKey.receipt.name) {
      for (name, value) in receipt.shown { writer.member(name, value) }
    }
    if isSubscription, let newest {
      let keys: [LegacyKey] = isExpired ? [.latest_expired_receipt_info] : [.latest_receipt_info]
      writer.key(keys[0].name)
      writer.byte(UInt8(ascii: "{"))
      parts.write(newest, as: .flat, at: keys[0].name)
      writer.member(LegacyKey.bid.name, ifPresent: receipt.value("bid"))
      writer.byte(UInt8(ascii: "}"))
      if !isExpired { writer.member(LegacyKey.latest_receipt.name, receiptData) }
    }
    if isSubscription, let renewal {
      let told = write(renewal, isExpired: isExpired, &parts)
      parts.noteUnsaid(renewal, besides: told)
    }
    for finding in findings { parts.provenance?.finding(finding) }
    writer.byte(UInt8(ascii: "}"))
    return (AnswerWriter.Written(json: writer.bytes, provenance: parts.provenance?.line ?? []), status)
  }

  /// Writes the keys of the renewal that such an answer has at its top level.
  ///
  /// - Returns: the members that they say.
  private func write(_ renewal: V2Part, isExpired: Bool, _ parts: inout PartWriter) -> Set<String> {
    let keys: [(LegacyKey, String)] = [
      (.auto_renew_status, "autoRenewStatus"), (.auto_renew_product_id, "autoRenewProductId"),
      (.expiration_intent, "expirationIntent"), (.is_in_billing_retry_period, "isInBillingRetryPeriod"),
    ]
    var told: Set<String> = []
    for (key, member) in isExpired ? keys : Array(keys.prefix(2)) {
      switch (key, renewal.values[member]) {
      case (.auto_renew_status, .integer(let number)?): parts.writer.member(key.name, number)
      case (.is_in_billing_retry_period, .boolean(let isRetried)?): parts.writer.member(key.name, isRetried ? "1" : "0")
      case (.auto_renew_status, _), (.is_in_billing_retry_period, _), (_, nil): continue
      case (_, let value?): parts.writer.member(key.name, value.word)
      }
      told.insert(member)
      parts.provenance?.source(key.name, "\(renewal.origin) \(member)")
    }
    return told
  }
}
