internal import SlipcastV2
internal import SlipcastWire

/// One item of an answer by itself, for comparing it as `diff` compares a part.
package enum AnswerPart {
  /// The item's JSON; `nil` when the answer does not have it any more.
  ///
  /// - Parameter name: the item's number among those of its kind, as images have it; 0 for the whole record.
  package static func json(of answer: [UInt8], _ name: UInt64) -> [UInt8]? {
    if name == 0 { return answer }
    guard let record = try? V2Reader.read(answer, side: .server) else { return nil }
    switch record.content {
    case .history(let history):
      let item = history.transactions?.first { number($0.webOrderLineItemId ?? $0.transactionId) == name }
      return item.map { Array($0.json.utf8) }
    case .statuses(let statuses):
      let items = (statuses.data ?? []).flatMap { $0.lastTransactions ?? [] }
      let item = items.first { item in
        let own = item.transactionInfo?.originalTransactionId ?? item.renewalInfo?.originalTransactionId
        return number(own) == name
      }
      return item.map { Array($0.json.utf8) }
    case .notification, .parts: return answer
    }
  }

  private static func number(_ text: String?) -> UInt64? {
    guard var text else { return nil }
    return text.withUTF8 { Fingerprint.number($0) }
  }
}
