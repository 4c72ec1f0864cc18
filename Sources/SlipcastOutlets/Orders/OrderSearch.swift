package import SlipcastBulk
package import SlipcastMapping
package import SlipcastReceipts
package import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// Finds the purchases of an order in what `fetch orders` wrote, and what V2 records say of these.
package struct OrderSearch {
  package struct Found: Sendable {
    /// The original transaction ids of the purchases in the order, in its order.
    package fileprivate(set) var ids: [String] = []
    /// All transactions of these, in the order of their purchases.
    package fileprivate(set) var purchases: [String: [(value: Purchase, isOfOrder: Bool)]] = [:]
    /// The places of the sources that hold records of version 1, or such that cannot be read.
    package fileprivate(set) var legacySources: Set<Int> = []
    /// Signed parts of the order and its subscriptions' records that are not trusted, and why the first is not.
    package fileprivate(set) var untrusted = 0
    package fileprivate(set) var refusal: String?
  }

  private let policy: VerificationPolicy
  private let rules: RuleSet
  private let options: ConvertOptions

  package init(_ policy: VerificationPolicy, _ rules: RuleSet, _ options: ConvertOptions) {
    (self.policy, self.rules, self.options) = (policy, rules, options)
  }

  /// Reads the sources twice: for the order, then for the transactions of what it holds.
  ///
  /// - Throws: `FileError`.
  package func find(_ order: String, in sources: [RecordSource]) async throws -> Found {
    var found = Found()
    var ofOrder: Set<String> = []
    try await scan(sources, order: order) { scanner, source in
      if scanner.legacyCount > 0 { found.legacySources.insert(source) }
      for purchase in scanner.purchases {
        guard let id = purchase.id else { continue }
        if !found.ids.contains(id) { found.ids.append(id) }
        if let transaction = purchase.transactionId { ofOrder.insert(transaction) }
      }
      found.note(scanner)
    } onReject: {
      found.legacySources.insert($0)
    }
    guard !found.ids.isEmpty else { return found }
    for case .rows(let feed, _) in sources { try feed.rewind() }
    let wanted = Set(found.ids)
    var known: [String: [String: Purchase]] = [:]
    try await scan(sources, wanted: wanted) { scanner, _ in
      found.note(scanner)
      for purchase in scanner.purchases {
        guard let id = purchase.id, wanted.contains(id) else { continue }
        let key = purchase.transactionId ?? ""
        if let other = known[id]?[key], !purchase.isNewer(than: other) { continue }
        known[id, default: [:]][key] = purchase
      }
    } onReject: { _ in
    }
    for (id, all) in known {
      found.purchases[id] = all.values.sorted {
        ($0.purchaseDate ?? 0, $0.transactionId ?? "") < ($1.purchaseDate ?? 0, $1.transactionId ?? "")
      }
      .map { ($0, ofOrder.contains($0.transactionId ?? "")) }
    }
    return found
  }

  private func scan(
    _ sources: [RecordSource], order: String? = nil, wanted: Set<String> = [],
    take: (OrderScanner, Int) -> Void, onReject: @escaping (Int) -> Void
  ) async throws {
    let (policy, rules) = (policy, rules)
    let run = ScanRun(.server, rules: rules, options: options) {
      OrderScanner(policy, rules, order: order, wanted: wanted)
    }
    var rejected = 0
    _ = try await run.scan(
      sources, onReject: { _ in rejected += 1 },
      deliver: { scanner, _, block in
        // The records of a block that could not be read are left to the conversion, which reports them.
        if rejected > 0 { onReject(block.source) }
        rejected = 0
        take(scanner, block.source)
      }, watch: { _, _ in true })
  }
}

extension OrderSearch.Found {
  fileprivate mutating func note(_ scanner: OrderScanner) {
    untrusted += scanner.untrusted
    refusal = refusal ?? scanner.refusal
  }
}

extension Purchase {
  /// What the purchase is found by.
  fileprivate var id: String? { originalTransactionId ?? transactionId }
}

/// Finds the purchases of an order, or those of some subscriptions; serves one worker.
private final class OrderScanner: RecordScanner {
  static let wantsSigned = true

  private(set) var purchases: [Purchase] = []
  private(set) var legacyCount = 0
  private(set) var untrusted = 0
  private(set) var refusal: String?
  private let reader: PartReader
  private let order: String?
  private var signed: [UInt8]?

  /// - Parameters:
  ///   - order: reads only the lines about this order.
  ///   - wanted: else, the original transaction ids whose transactions are wanted.
  init(_ policy: VerificationPolicy, _ rules: RuleSet, order: String?, wanted: Set<String>) {
    let verifier = SignedRecordVerifier(policy: policy, rules: rules)
    reader = PartReader(verify: { verifier.verify(text: $0).refusal }, wanted: order == nil ? wanted : nil)
    self.order = order
  }

  func begin() -> Int? {
    (purchases, legacyCount, untrusted) = ([], 0, 0)
    return nil
  }

  func note(signed text: [UInt8]?) { signed = text }

  func take(server tape: JSONTape, _ root: Int, record: Int, receivedAt: Int64?) throws(ScanFault) {
    let element = JSONElement(tape: tape, index: root)
    if let order {
      let mark = element["slipcast"]
      guard mark?["endpoint"]?.string == "orders", mark?["id"]?.anyText == order else { return }
    }
    let found = reader.read(element, from: "", receivedAt: receivedAt, token: signed)
    purchases += FoundObjects(found.parts).purchases
    untrusted += found.untrusted
    refusal = refusal ?? found.refusal?.description
  }

  func take(legacy converter: Converter, record: Int) throws(ScanFault) { legacyCount += 1 }
}
