import CSlipcastBench
@_spi(Slipcast) import SlipcastLegacy
import SlipcastMapping
@_spi(Slipcast) import SlipcastWire

/// The stages that work on records in memory, on one thread; each does the work of the one before and more.
///
/// Readers, converters and writers are made once and used for every record, as a run does it.
struct ReadingStages {
  private let input: Input
  private let prepared: Converter.PreparedRules
  /// Output is thrown away in pieces, as a run hands it on in pieces.
  private static let piece = 256 << 10
  /// One record in so many is cast with its account.
  private static let accountStride = 10

  /// - Throws: `MappingErrors`; only a broken build can cause it.
  init(_ input: Input) throws {
    self.input = input
    prepared = Converter.PreparedRules(try RuleSet.builtIn())
  }

  func all() throws -> [Measurement] {
    try checkRecords()
    return [visit(), tape(), legacy(), cast(), account()]
  }

  private func measurement(_ name: String, _ work: @escaping () throws -> Int) -> Measurement {
    Measurement(name: name, records: input.records.count, bytes: input.count, work: work)
  }

  private func visit() -> Measurement {
    let input = input
    let visitor = Visitor()
    return measurement("visit") { try visitor.visit(input) }
  }

  private func tape() -> Measurement {
    let input = input
    let reader = JSONReader(names: LegacyKey.names)
    return measurement("tape") {
      var entries = 0
      for record in input.records {
        entries += try reader.read(input.base + record.lowerBound, count: record.count).count
      }
      return entries
    }
  }

  private func legacy() -> Measurement {
    let input = input
    let reader = JSONReader(names: LegacyKey.names)
    let legacy = LegacyReader()
    return measurement("legacy") {
      var rows = 0
      for record in input.records {
        try legacy.read(try reader.read(input.base + record.lowerBound, count: record.count))
        rows += legacy.record.rows.count
      }
      return rows
    }
  }

  private func cast() -> Measurement {
    let input = input
    let reader = JSONReader(names: LegacyKey.names)
    let legacy = LegacyReader()
    let converter = Converter(prepared: prepared, options: ConversionOptions(), record: legacy.record)
    let output = JSONWriter(capacity: Self.piece)
    return measurement("cast") {
      var bytes = 0
      for record in input.records {
        let start = output.count
        try legacy.read(try reader.read(input.base + record.lowerBound, count: record.count))
        converter.prepare(Converter.Delivery())
        try converter.convert(into: .auto)
        converter.write(to: output, plain: true)
        output.byte(0x0A)
        bytes += output.count - start
        if output.count >= Self.piece { output.clear() }
      }
      return bytes
    }
  }

  private func account() -> Measurement {
    let input = input
    let reader = JSONReader(names: LegacyKey.names)
    let legacy = LegacyReader()
    let converter = Converter(prepared: prepared, options: ConversionOptions(), record: legacy.record)
    let output = JSONWriter(capacity: Self.piece)
    let records = stride(from: 0, to: input.records.count, by: Self.accountStride).map { input.records[$0] }
    return Measurement(name: "account", records: records.count, bytes: records.reduce(0) { $0 + $1.count + 1 }) {
      var bytes = 0
      for record in records {
        let start = output.count
        try legacy.read(try reader.read(input.base + record.lowerBound, count: record.count))
        converter.prepare(Converter.Delivery())
        try converter.convert(into: .auto)
        converter.write(to: output, plain: false)
        output.raw("\n{")
        converter.writeAccount(to: output)
        output.raw("}\n")
        bytes += output.count - start
        if output.count >= Self.piece { output.clear() }
      }
      return bytes
    }
  }

  /// The generator's records must be clean: findings take time that real records do not take.
  private func checkRecords() throws {
    let reader = JSONReader(names: LegacyKey.names)
    let legacy = LegacyReader()
    for (number, record) in input.records.enumerated() {
      try legacy.read(try reader.read(input.base + record.lowerBound, count: record.count))
      if let finding = legacy.record.findings.first {
        throw BenchError(
          "generated record \(number + 1) is not clean: \(finding.drift) at "
            + legacy.record.path(Int(finding.index)).description)
      }
    }
  }
}

/// simdjson's own visit, from Swift.
private final class Visitor {
  private let handle: OpaquePointer

  init() {
    guard let made = slipcast_bench_visitor_create() else { fatalError("no memory for a simdjson parser") }
    handle = made
  }

  deinit { slipcast_bench_visitor_destroy(handle) }

  /// Gives the bytes of all keys and values.
  func visit(_ input: Input) throws -> Int {
    var visited: UInt64 = 0
    guard slipcast_bench_visit(handle, input.base, input.count, &visited) == Int64(input.records.count) else {
      throw BenchError("simdjson does not find the records that were generated")
    }
    return Int(visited)
  }
}
