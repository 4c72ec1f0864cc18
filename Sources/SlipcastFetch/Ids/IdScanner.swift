package import SlipcastBulk
@_spi(Slipcast) internal import SlipcastLegacy
package import SlipcastMapping
@_spi(Slipcast) internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Finds the ids of the customers in the records of a block; serves one worker.
final class IdScanner: RecordScanner {
  /// More ids of one record add nothing.
  private static let mostOthers = 64

  private(set) var found: [FoundIds] = []

  func begin() -> Int? {
    found.removeAll(keepingCapacity: true)
    return nil
  }

  // MARK: V1

  func take(legacy converter: Converter, record: Int) {
    let record = converter.record
    var ids = FoundIds()
    ids.environment = Self.environment(record).flatMap(Self.environment)
    ids.bundleId = Self.bundleId(record)
    ids.transactions = max(record.transactions.count, record.inApp.count)
    ids.primary = record.text(record.body, .original_transaction_id)?.string
    var rows = [record.transactions, record.inApp].flatMap { list in
      list.sorted { (record.instant($0, .purchase) ?? .min) > (record.instant($1, .purchase) ?? .min) }
    }
    if let flat = record.flat { rows.append(flat) }
    if let receipt = record.receipt { rows.append(receipt) }
    rows += record.renewals
    var single: String?
    for row in rows {
      if let id = record.text(row, .original_transaction_id)?.string {
        note(id, in: &ids)
      } else if single == nil {
        single = record.text(row, .transaction_id)?.string
      }
    }
    ids.primary = ids.primary ?? single
    found.append(ids)
  }

  private func note(_ id: String, in ids: inout FoundIds) {
    guard let primary = ids.primary else {
      ids.primary = id
      return
    }
    if id != primary, ids.others.count < Self.mostOthers, !ids.others.contains(id) { ids.others.append(id) }
  }

  private static func bundleId(_ record: LegacyRecord) -> String? {
    let rows = [record.body, record.receipt, record.flat].compactMap { $0 }
    for row in rows {
      if let id = record.text(row, .bid) ?? record.text(row, .bundle_id) { return id.string }
    }
    return nil
  }

  private static func environment(_ record: LegacyRecord) -> String? {
    let text =
      record.text(record.body, .environment) ?? record.unifiedReceipt.flatMap { record.text($0, .environment) }
      ?? record.receipt.flatMap { record.text($0, .receipt_type) ?? record.text($0, .environment) }
    return text?.string
  }

  /// The environment by the spellings of both versions.
  private static func environment(_ text: String) -> Environment? {
    switch text {
    case "PROD", "Production", "ProductionVPP": .production
    case "Sandbox", "ProductionSandbox", "ProductionVPPSandbox": .sandbox
    default: Environment(rawValue: text)
    }
  }

  // MARK: V2

  func take(server tape: JSONTape, _ root: Int, record: Int, receivedAt: Int64?) {
    let element = JSONElement(tape: tape, index: root)
    let items = element["notificationHistory"]?.children ?? [element]
    for item in items {
      var ids = FoundIds()
      var single: String?
      collect(item, into: &ids, &single, depth: 0)
      ids.primary = ids.primary ?? single
      found.append(ids)
    }
  }

  private func collect(_ element: JSONElement, into ids: inout FoundIds, _ single: inout String?, depth: Int) {
    guard depth < 8 else { return }
    for child in element.children {
      switch (child.kind, child.name) {
      case (.string, "originalTransactionId"), (.number, "originalTransactionId"):
        note(tapeText(child), in: &ids)
      case (.string, "transactionId"), (.number, "transactionId"), (.string, "appTransactionId"):
        if child.name == "transactionId" { ids.transactions += 1 }
        single = single ?? tapeText(child)
      // A line of `fetch` names the id that it was asked for.
      case (.string, "id") where element.name == "slipcast": single = single ?? tapeText(child)
      case (.string, "bundleId"): ids.bundleId = ids.bundleId ?? child.string
      case (.string, "environment"), (.string, "receiptType"):
        ids.environment = ids.environment ?? child.string.flatMap(Self.environment)
      case (.string, let name) where ModelCatalog.decodedNames[name] != nil || element.name == "signedTransactions":
        decode(child, into: &ids, &single, depth)
      case (.object, _), (.array, _): collect(child, into: &ids, &single, depth: depth + 1)
      default: break
      }
    }
  }

  private func tapeText(_ element: JSONElement) -> String { element.tape.text(element.index).string }

  /// The content of a signed part; its signature does not matter for asking Apple.
  private func decode(_ element: JSONElement, into ids: inout FoundIds, _ single: inout String?, _ depth: Int) {
    guard let payload = CompactJWS(element)?.payload else { return }
    JSONReader(names: []).parse(JSONBuffer(payload)) { collect($0, into: &ids, &single, depth: depth + 1) }
  }
}

extension CustomerList {
  /// Adds the ids of all records of an archive.
  ///
  /// - Parameters:
  ///   - options: how records are found.
  ///   - onReject: called with records that cannot be read.
  /// - Returns: how many records were read, and how many of them could not be.
  /// - Throws: `FileError` for sources that cannot be read.
  package mutating func read(
    _ sources: [RecordSource], rules: RuleSet, options: ConvertOptions, onReject: @escaping (Reject) throws -> Void
  ) async throws -> RunCounts {
    try await ScanRun(.legacy, rules: rules, options: options) { IdScanner() }.scan(
      sources, onReject: onReject, deliver: { scanner, _, _ in for ids in scanner.found { add(ids) } },
      watch: { _, _ in true }
    ).1
  }
}
