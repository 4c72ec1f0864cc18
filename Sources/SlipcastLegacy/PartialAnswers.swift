@_spi(Slipcast) import SlipcastWire

/// Opens what people keep of a `verifyReceipt` response: one transaction, the list of them, or the receipt alone.
///
/// The answer is written again around it, and read from there.
final class PartialAnswers {
  private let reader = JSONReader(names: LegacyKey.names)
  private let writer = JSONWriter(capacity: 1024)
  /// The text of the answer that was opened last; its tape points to it.
  private var text = JSONBuffer([])

  /// Which part of an answer a value is; each has names that nothing else has.
  private enum Part {
    case transaction, transactions, receipt

    init?(_ tape: JSONTape, _ root: Int) {
      if tape[root].kind == .array {
        let items = tape.children(of: root)
        guard tape[root].length > 0, items.allSatisfy({ Part(tape, $0) == .transaction }) else { return nil }
        self = .transactions
        return
      }
      guard tape[root].kind == .object else { return nil }
      let keys = Set(
        tape.children(of: root).compactMap { LegacyKey(tape[$0]) })
      if !keys.isDisjoint(with: Self.ids), !keys.isDisjoint(with: Self.dates) {
        self = .transaction
      } else if keys.contains(.in_app) || keys.isSuperset(of: [.receipt_type, .bundle_id]) {
        self = .receipt
      } else {
        return nil
      }
    }

    private static let ids: Set<LegacyKey> = [.transaction_id, .original_transaction_id]
    private static let dates: Set<LegacyKey> = [
      .purchase_date_ms, .purchase_date_pst, .original_purchase_date_ms, .original_purchase_date_pst,
    ]
  }

  /// The answer that a value is a part of, and the lists of it that are not whole; `nil` for any other value.
  func open(_ tape: JSONTape, _ root: Int) -> (answer: JSONTape, open: LegacyLists)? {
    guard let part = Part(tape, root) else { return nil }
    writer.clear()
    writer.object {
      writer.key(part == .receipt ? LegacyKey.receipt.name : LegacyKey.latest_receipt_info.name)
      if part == .transaction { writer.byte(UInt8(ascii: "[")) }
      writer.raw(tape.json(root).buffer.span)
      if part == .transaction { writer.byte(UInt8(ascii: "]")) }
    }
    let text = JSONBuffer(writer.buffer.span)
    guard let answer = try? reader.read(text) else { return nil }
    self.text = text
    return (answer, part == .receipt ? [.transactions, .renewals] : [.transactions, .inApp, .renewals])
  }
}
