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
    /// Signed parts that are not trusted, and were not used.
    var untrusted = 0
    var receipts: [SignedReceipt] = []
  }

  private(set) var found: [Found] = []
  private let reader: PartReader
  private let verifier: SignedRecordVerifier
  private let decoder: ReceiptDecoder
  private let readsReceipts: Bool
  private var signed: [UInt8]?

  /// - Parameter readsReceipts: whether receipts are wanted; verifying them takes time.
  package init(_ policy: VerificationPolicy, rules: RuleSet, readsReceipts: Bool) {
    let verifier = SignedRecordVerifier(stored: policy, rules: rules)
    self.verifier = verifier
    reader = PartReader(verify: { verifier.verify(text: $0).refusal }, keepsTokens: true)
    decoder = ReceiptDecoder(rules: rules)
    self.readsReceipts = readsReceipts
  }

  package func begin() -> Int? {
    found.removeAll(keepingCapacity: true)
    return nil
  }

  package func note(signed text: [UInt8]?) { signed = text }

  package func take(server tape: JSONTape, _ root: Int, record: Int, receivedAt: Int64?) throws(ScanFault) {
    let read = reader.read(JSONElement(tape: tape, index: root), from: "", receivedAt: receivedAt, token: signed)
    let objects = FoundObjects(read.parts)
    if let refusal = read.refusal, objects.purchases.isEmpty, objects.renewals.isEmpty { throw ScanFault(refusal) }
    found.append(Found(objects: objects, untrusted: read.untrusted))
  }

  package func take(legacy converter: Converter, record: Int) throws(ScanFault) {
    do throws(ConversionError) {
      var one = Found(objects: FoundObjects(try reader.read(converter)))
      if readsReceipts {
        for text in receipts(of: converter.record) {
          do {
            let receipt = try SignedReceipt(LayeredBody.opened(text), verifier, decoder)
            if let receipt { one.receipts.append(receipt) }
          } catch {
            one.untrusted += 1
          }
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
