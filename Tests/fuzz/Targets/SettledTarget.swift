import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
@_spi(Slipcast) import SlipcastWire

extension FuzzTarget {
  /// An archive of notifications with a byte FF between them, settled by each other.
  static let settled = FuzzTarget(
    name: "settled",
    summary: "a reading that other messages settle is one of those that the record or its rule leaves open",
    seeds: { try settledSeeds() },
    words: LegacyWords.all + ["\u{FF}"],
    limit: 24 << 10,
    make: {
      let bench = SettlingBench(try RuleSet.builtIn())
      return { bytes in try bench.run(bytes) }
    })

  /// Neighbors of the archives of the fixtures, and single notifications twice.
  private static func settledSeeds() throws -> [[UInt8]] {
    let texts = TextReader()
    let archives = try Seeds.folder("Fixtures/archives", endingIn: ["v1.ndjson"]).flatMap { archive in
      let lines = archive.split(separator: 0x0A).map { line in
        Array(line).withUnsafeBufferPointer { Array((texts.value($0)?["body"]?.json ?? "").utf8) }
      }.filter { (1..<6 << 10).contains($0.count) }
      let step = max(3, lines.count / 12)
      return stride(from: 0, to: lines.count, by: step).map { lines[$0..<min($0 + 3, lines.count)] }
    }
    let notifications = try Seeds.files(["notifications"], named: ["v1.json"], most: 40)
    return archives.map { Array($0.joined(separator: [0xFF])) } + notifications.map { $0 + [0xFF] + $0 }
  }
}

/// Settles the messages of small archives.
private final class SettlingBench {
  private let history: EventHistoryReader
  private let settler: Settler
  private let alone: RecordConverter
  private let together: RecordConverter
  /// The readings of rows with one that only other messages can show, by rule.
  private let otherwise: [String: [[String]]]

  init(_ rules: RuleSet) {
    otherwise = Dictionary(
      uniqueKeysWithValues: rules.types.map { rule in
        let doubted = rules.types.first { $0.id == rule.doubtedAs }?.candidates ?? []
        return (rule.id, (rule.otherwise + doubted).map { [$0.event.notificationType, $0.event.subtype ?? ""] })
      })
    let prepared = LegacyConverter.PreparedRules(rules: rules)
    history = EventHistoryReader(prepared: prepared, options: ConvertOptions())
    settler = Settler(prepared: prepared, complete: [])
    (alone, together) = (RecordConverter(prepared: prepared), RecordConverter(prepared: prepared))
  }

  func run(_ archive: UnsafeBufferPointer<UInt8>) throws {
    let records = archive.split(separator: 0xFF, maxSplits: 15).map { Array($0) }
    var subscriptions: [Int64: [HistoryMessage]] = [:]
    for (number, record) in records.enumerated() {
      for (subscription, message) in history.messages(of: record, number: Int64(number + 1), receivedAt: nil) {
        subscriptions[subscription, default: []].append(message)
      }
    }
    var settlements: [SettlingKey: Settlement] = [:]
    for messages in subscriptions.values {
      settler.settle(messages) { settlements[$0.key] = $0.settlement }
    }
    guard !settlements.isEmpty else { return }
    together.settle { [settlements] in settlements[$0] }
    for record in records { try requireCandidate(record) }
  }

  /// The settled event is among those that the conversion of the record alone, or its rule, leaves open.
  private func requireCandidate(_ record: [UInt8]) throws {
    guard let single = try? alone.filled(with: record), single.tree.form == .notification else { return }
    guard let result = try? together.filled(with: record) else { throw Violation("a settled record is rejected") }
    guard result.migrationReading.settled != nil else { return }
    let own = single.migrationReading
    let event = Self.event(of: result)
    let candidates = (own.candidates ?? []) + (own.accepts ?? [])
    let listed =
      candidates.map { [$0.notificationType?.rawValue ?? "", $0.subtype?.rawValue ?? ""] }
      + (own.rule.flatMap { otherwise[$0] } ?? [])
    guard event == Self.event(of: single) || listed.contains(event) else {
      throw Violation("settled as \(event), which is not one of \(listed) of rule \(own.rule ?? "")")
    }
  }

  private static func event(of converter: Converter) -> [String] {
    let tree = converter.tree
    return ["notificationType", "subtype"].map { name in
      tree.objects[0].part.schema.slot(name).flatMap { tree.objects[0].row[$0]?.text?.string } ?? ""
    }
  }
}
