package import SlipcastBulk
@_spi(Slipcast) internal import SlipcastLegacy
package import SlipcastMapping
internal import SlipcastReceipts
package import SlipcastSignatures
@_spi(Slipcast) package import SlipcastWire

/// Finds in the records of a block what they say about subscriptions; serves one worker.
package final class SubscriptionScanner: RecordScanner {
  package static let wantsSigned = true

  /// What one record says.
  struct Found: Sendable {
    var objects: FoundObjects
    var receipts: [SignedReceipt] = []
  }

  private(set) var found: [Found] = []
  private let objects: ServerObjects
  private let verifier: SignedRecordVerifier
  private let decoder: ReceiptDecoder
  private let readsReceipts: Bool
  private var signed: [UInt8]?

  /// - Parameter readsReceipts: whether receipts are wanted; verifying them takes time.
  package init(_ policy: VerificationPolicy, rules: RuleSet, readsReceipts: Bool) {
    verifier = SignedRecordVerifier(policy: policy, rules: rules)
    objects = ServerObjects(verifier)
    decoder = ReceiptDecoder(rules: rules)
    self.readsReceipts = readsReceipts
  }

  package func begin() -> Int? {
    found.removeAll(keepingCapacity: true)
    return nil
  }

  package func note(signed text: [UInt8]?) { signed = text }

  package func take(server tape: JSONTape, _ root: Int, record: Int, receivedAt: Int64?) throws(ScanFault) {
    let read = objects.read(JSONElement(tape: tape, index: root), token: signed)
    if let (path, code, message) = read.refusal, read.purchases.isEmpty, read.renewals.isEmpty {
      throw ScanFault(code: code, path: path, message: message)
    }
    found.append(Found(objects: read))
  }

  package func take(legacy converter: Converter, record: Int) throws(ScanFault) {
    do throws(ConversionError) {
      var one = Found(objects: try LegacyObjects.read(converter))
      if readsReceipts {
        for text in receipts(of: converter.record) {
          if let receipt = SignedReceipt(text, verifier, decoder) { one.receipts.append(receipt) }
        }
      }
      found.append(one)
    } catch {
      throw ScanFault(code: error.code, path: error.path.description, offset: error.offset, message: error.description)
    }
  }

  private func receipts(of record: LegacyRecord) -> [[UInt8]] {
    if let signed { return [signed] }
    let rows = [record.body, record.unifiedReceipt].compactMap(\.self)
    return rows.flatMap { row in
      [LegacyKey.latest_receipt, .latest_expired_receipt].compactMap { key in
        record.text(row, key).map { Array($0.buffer) }
      }
    }
  }
}
