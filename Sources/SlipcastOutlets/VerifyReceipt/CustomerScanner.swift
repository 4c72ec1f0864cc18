package import SlipcastBulk
package import SlipcastMapping
internal import SlipcastReceipts
package import SlipcastSignatures
package import SlipcastStores
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Finds the transactions and renewals in the records of files and journals; serves one worker.
final class CustomerScanner: RecordScanner {
  static let wantsSigned = true

  private let reader: PartReader
  private var signed: [UInt8]?
  private(set) var found: [(record: Int, parts: [V2Part])] = []

  init(_ policy: VerificationPolicy) {
    let verifier = JWSVerifier(policy: policy)
    reader = PartReader { verifier.verify($0).refusal }
  }

  func begin() -> Int? {
    found.removeAll(keepingCapacity: true)
    return nil
  }

  func note(signed text: [UInt8]?) { signed = text }

  func take(server tape: JSONTape, _ root: Int, record: Int, receivedAt: Int64?) throws(ScanFault) {
    let element = JSONElement(tape: tape, index: root)
    let read = reader.read(element, from: "", receivedAt: receivedAt, token: signed)
    if let refusal = read.refusal { throw ScanFault(refusal) }
    guard read.parts.isEmpty || read.parts.contains(where: { !$0.ids.isEmpty }) else {
      throw ScanFault(
        code: "noContent", message: "expected the id of a transaction, or of its original one, found none")
    }
    found.append((record, read.parts))
  }

  /// A V1 record counts as what it is converted to.
  func take(legacy converter: Converter, record: Int) throws(ScanFault) {
    do throws(ConversionError) {
      found.append((record, try reader.read(converter)))
    } catch {
      throw ScanFault(code: error.code, message: error.message)
    }
  }
}

extension ScanFault {
  /// Something signed is not trusted.
  init(_ refusal: Refusal) {
    let detail = refusal.detail.map { " (\($0))" } ?? ""
    self.init(code: refusal.reason.rawValue, path: refusal.path, message: refusal.reason.message + detail)
  }
}

/// Fills an index of customers from files and journals.
package struct CustomerScan: Sendable {
  private let policy: VerificationPolicy
  private let rules: RuleSet
  private let options: ConvertOptions

  /// - Parameter policy: what is signed must fulfil it; other records count as they are.
  package init(_ policy: VerificationPolicy, rules: RuleSet, options: ConvertOptions) {
    (self.policy, self.rules, self.options) = (policy, rules, options)
  }

  /// Reads sources into an index.
  ///
  /// - Parameters:
  ///   - kind: which notifications of a journal are read; files are read whole.
  ///   - onReject: called with records that cannot be used.
  ///   - watch: called after each block with the counts and the bytes; false ends the reading.
  /// - Returns: how many records were read, and how many of them could not be used.
  /// - Throws: `FileError` for sources that cannot be read, `StoreError` for a full disk.
  package func read(
    _ sources: [RecordSource], as kind: ArchiveKind = .server, into index: CustomerIndex,
    onReject: @escaping (Reject) throws -> Void, watch: (RunCounts, Int) -> Bool = { _, _ in true }
  ) async throws -> RunCounts {
    let policy = policy
    let scan = ScanRun(kind, rules: rules, options: options) { CustomerScanner(policy) }
    let (_, counts, _) = try await scan.scan(
      sources, onReject: onReject,
      deliver: { scanner, _, block in
        for (record, parts) in scanner.found {
          try Self.keep(parts, from: "\(block.name): record \(block.before + record)", in: index)
        }
      },
      watch: watch)
    try index.commit()
    return counts
  }

  /// Adds the parts of a record, one record of the index for each app and environment in it.
  static func keep(_ parts: [V2Part], from origin: String, in index: CustomerIndex) throws(StoreError) {
    var scopes: [CustomerScope: [V2Part]] = [:]
    var order: [CustomerScope] = []
    for part in parts where part.kind != .status {
      let scope = CustomerScope(environment: part.environment ?? "", bundleId: part.bundleId)
      var part = part
      part.origin = origin + part.origin
      if scopes[scope] == nil { order.append(scope) }
      scopes[scope, default: []].append(part)
    }
    for scope in order {
      let parts = scopes[scope] ?? []
      let ids = parts.reduce(into: Set<String>()) { $0.formUnion($1.ids) }
      if !ids.isEmpty { try index.add(KeptParts.text(parts), from: origin, naming: ids) }
    }
  }
}
