internal import SlipcastV2
internal import SlipcastWire

/// An answer with one of its items, for comparing that item and what surrounds it.
package enum AnswerPart {
  /// The answer's JSON with that item alone; `nil` when the answer does not have it any more.
  ///
  /// - Parameter name: the item's number among those of its kind, as images have it; 0 for the whole record.
  package static func json(of answer: [UInt8], _ name: UInt64) -> [UInt8]? {
    if name == 0 { return answer }
    guard let record = try? V2Reader.read(answer, side: .server) else { return nil }
    switch record.content {
    case .history(var history):
      let item = history.transactions?.first { number($0.webOrderLineItemId ?? $0.transactionId) == name }
      guard let item else { return nil }
      history.transactions = [item]
      return Array(history.json.utf8)
    case .statuses(var statuses):
      for var group in statuses.data ?? [] {
        let item = group.lastTransactions?.first { item in
          let own = item.transactionInfo?.originalTransactionId ?? item.renewalInfo?.originalTransactionId
          return number(own) == name
        }
        guard let item else { continue }
        group.lastTransactions = [item]
        statuses.data = [group]
        return Array(statuses.json.utf8)
      }
      return nil
    case .notification, .parts: return answer
    }
  }

  private static func number(_ text: String?) -> UInt64? {
    guard var text else { return nil }
    return text.withUTF8 { Fingerprint.number($0) }
  }
}
