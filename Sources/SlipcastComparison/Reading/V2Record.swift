internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// A V2 record in the decoded form in which records are compared.
struct V2Record: Sendable {
  /// What it is.
  enum Content: Sendable {
    case notification(ResponseBodyV2DecodedPayload)
    case history(HistoryResponse)
    case statuses(StatusResponse)
    /// A transaction, a renewal info, or both, without what stood around them.
    case parts(JWSTransactionDecodedPayload?, JWSRenewalInfoDecodedPayload?, status: Open<Status>?)
  }

  var content: Content
  /// Number of signed payloads that were decoded without verifying them.
  var unverified = 0
  /// Number of values that stand outside of any signed payload.
  var unsigned = 0
  /// Somebody verified them beforehand.
  var isVerified = false

  /// Slipcast's own account, which casts carry.
  var migration: Migration? {
    switch content {
    case .notification(let value): value.migration
    case .history(let value): value.migration
    case .statuses(let value): value.migration
    case .parts: nil
    }
  }

  /// Where its values come from.
  var origin: EventHead.Origin { migration == nil ? .server : .cast }

  /// A notification without any of the objects that say what it is about.
  var hasNoPayload: Bool {
    guard case .notification(let value) = content else { return false }
    return value.data == nil && value.summary == nil && value.externalPurchaseToken == nil && value.appData == nil
      && value.unclaimInfo == nil
  }

  /// The record with one of the items that an answer lists; `nil` when the answer does not have it any more.
  ///
  /// - Parameter name: the item's number among those of its kind, as views have it; 0 for the whole record.
  func only(_ name: UInt64) -> V2Record? {
    func number(_ text: String?) -> UInt64? {
      guard var text else { return nil }
      return text.withUTF8 { Fingerprint.number($0) }
    }
    switch content {
    case .history(var history) where name != 0:
      history.transactions = history.transactions?.first { number($0.webOrderLineItemId ?? $0.transactionId) == name }
        .map { [$0] }
      return history.transactions.map { _ in V2Record(content: .history(history)) }
    case .statuses(var statuses) where name != 0:
      for var group in statuses.data ?? [] {
        let item = group.lastTransactions?.first { item in
          number(item.transactionInfo?.originalTransactionId ?? item.renewalInfo?.originalTransactionId) == name
        }
        guard let item else { continue }
        group.lastTransactions = [item]
        statuses.data = [group]
        return V2Record(content: .statuses(statuses))
      }
      return nil
    default: return self
    }
  }

  /// What it is, in words.
  var description: String {
    let name: String
    switch content {
    case .notification(let value):
      name = "version 2 notification \(EventName(value))"
    case .history: name = "version 2 transaction history"
    case .statuses: name = "version 2 subscription statuses"
    case .parts(_, nil, _): name = "version 2 transaction"
    case .parts(nil, _, _): name = "version 2 renewal info"
    case .parts: name = "version 2 transaction and renewal info"
    }
    let origin = migration == nil ? "" : ", cast from version 1"
    let trust =
      unverified == 0
      ? "" : !isVerified ? ", signature not verified" : unsigned == 0 ? ", signature verified" : ", partly signed"
    return name.trimmed + origin + trust
  }
}

extension String {
  fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
