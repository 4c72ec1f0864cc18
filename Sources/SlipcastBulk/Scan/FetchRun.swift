@_spi(Slipcast) internal import SlipcastLegacy
package import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Reads an archive again for a few of its records.
package struct FetchRun: Sendable {
  package struct Record: Sendable {
    /// Its JSON; for a receipt the verifyReceipt response.
    package var json: [UInt8]
    /// When it was received, milliseconds since 1970 UTC.
    package var receivedAt: Int64?
    /// The id of its row.
    package var id: String?
    package var source: String
    /// Its number there, from 1.
    package var number: Int
  }

  private let expected: ArchiveKind
  private let rules: RuleSet
  private let options: ConvertOptions

  /// Prepares a run with the options with which the archive was read before.
  package init(_ expected: ArchiveKind, rules: RuleSet, options: ConvertOptions) {
    (self.expected, self.rules) = (expected, rules)
    var options = options
    // One worker: most records are skipped.
    (options.keepsRejects, options.maxRejects, options.jobs) = (false, nil, 1)
    self.options = options
  }

  /// Finds records by their numbers in the archive, counted from 1 through all sources; missing records are omitted.
  ///
  /// - Parameter blocks: the number of records in each block of the first reading; other blocks are skipped.
  package func fetch(
    _ numbers: Set<Int>, from sources: [RecordSource], blocks: [Int32]
  ) async throws -> [Int: Record] {
    var found: [Int: Record] = [:]
    guard let last = numbers.max() else { return found }
    for case .rows(let feed, _) in sources { try feed.rewind() }
    let run = ScanRun(expected, rules: rules, options: options) { FetchScanner(numbers, blocks) }
    var total = 0
    _ = try await run.scan(
      sources, onReject: { _ in },
      deliver: { scanner, before, block in
        for record in scanner.found {
          found[before + record.number] = Record(
            json: record.json, receivedAt: record.receivedAt, id: record.id, source: block.name,
            number: block.before + record.number)
        }
        total = before + block.records
      },
      watch: { _, _ in total < last })
    return found
  }
}

private final class FetchScanner: RecordScanner {
  private let wanted: [Int]
  private let blocks: [Int32]
  /// The next wanted record, and the next block.
  private var (next, block) = (0, 0)
  /// The numbers of the current block's records, in the archive.
  private var numbers = 1..<1
  private(set) var found: [(number: Int, json: [UInt8], receivedAt: Int64?, id: String?)] = []
  private var id: String?

  init(_ wanted: Set<Int>, _ blocks: [Int32]) { (self.wanted, self.blocks) = (wanted.sorted(), blocks) }

  func begin() -> Int? {
    found.removeAll(keepingCapacity: true)
    guard block < blocks.count else { return nil }
    numbers = numbers.upperBound..<numbers.upperBound + Int(blocks[block])
    block += 1
    while next < wanted.count, wanted[next] < numbers.lowerBound { next += 1 }
    return next < wanted.count && numbers.contains(wanted[next]) ? nil : numbers.count
  }

  func note(id: String?) { self.id = id }

  func take(server tape: JSONTape, _ root: Int, record: Int, receivedAt: Int64?) {
    keep(tape.json(root), record, receivedAt)
  }

  func take(legacy converter: Converter, record: Int) {
    keep(converter.record.tape.json(converter.record.root), record, converter.receivedAt)
  }

  private func keep(_ json: JSONText, _ record: Int, _ receivedAt: Int64?) {
    while next < wanted.count, wanted[next] < numbers.lowerBound + record - 1 { next += 1 }
    guard next < wanted.count, wanted[next] == numbers.lowerBound + record - 1 else { return }
    found.append((record, Array(json.buffer), receivedAt, id))
  }
}
