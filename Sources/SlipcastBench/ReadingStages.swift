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
    prepared = Converter.PreparedRules(rules: try RuleSet.builtIn())
  }

  func all() throws -> [Measurement] {
    try checkRecords()
    return [visit(), tape(), legacy(), cast(), account()]
  }

  /// A stage that handles records one after another; returns the sum of what the function returns.
  private func stage(
    _ name: String, every step: Int = 1, _ handle: @escaping (Range<Int>) throws -> Int
  ) -> Measurement {
    let records = stride(from: 0, to: input.records.count, by: step).map { input.records[$0] }
    return Measurement(name: name, records: records.count, bytes: records.reduce(0) { $0 + $1.count + 1 }) {
      try records.reduce(0) { try $0 + handle($1) }
    }
  }

  private func visit() -> Measurement {
    let (input, visitor) = (input, Visitor())
    return Measurement(name: "visit", records: input.records.count, bytes: input.count) { try visitor.visit(input) }
  }

  private func tape() -> Measurement {
    let read = reading()
    return stage("tape") { try read($0).count }
  }

  private func legacy() -> Measurement {
    let (read, legacy) = (reading(), LegacyReader())
    return stage("legacy") { record in
      try legacy.read(try read(record))
      return legacy.record.rows.count
    }
  }

  private func cast() -> Measurement {
    let convert = converting()
    return stage("cast") { record in
      try convert(record) { converter, output in
        converter.write(to: output, plain: true)
        output.byte(0x0A)
      }
    }
  }

  private func account() -> Measurement {
    let convert = converting()
    return stage("account", every: Self.accountStride) { record in
      try convert(record) { converter, output in
        converter.write(to: output, plain: false)
        output.raw("\n{")
        converter.writeAccount(to: output)
        output.raw("}\n")
      }
    }
  }

  /// Reads a record to a tape, which is valid until the next one.
  private func reading() -> (Range<Int>) throws -> JSONTape {
    let (input, reader) = (input, JSONReader(names: LegacyKey.names))
    return { record in try reader.read(input.text.base + record.lowerBound, count: record.count) }
  }

  /// Converts a record, lets the function write it, and returns the bytes that it wrote.
  private func converting() -> (Range<Int>, (Converter, JSONWriter) -> Void) throws -> Int {
    let (read, legacy, output) = (reading(), LegacyReader(), JSONWriter(capacity: Self.piece))
    let converter = Converter(prepared: prepared, options: ConversionOptions(), record: legacy.record)
    return { record, write in
      if output.count >= Self.piece { output.clear() }
      let start = output.count
      try legacy.read(try read(record))
      converter.prepare(Converter.Delivery())
      try converter.convert(into: .auto)
      write(converter, output)
      return output.count - start
    }
  }

  /// The generator's records must be clean: findings take time that real records do not take.
  private func checkRecords() throws {
    let (read, legacy) = (reading(), LegacyReader())
    for (number, record) in input.records.enumerated() {
      try legacy.read(try read(record))
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
    guard slipcast_bench_visit(handle, input.text.base, input.count, &visited) == Int64(input.records.count) else {
      throw BenchError("simdjson does not find the records that were generated")
    }
    return Int(visited)
  }
}
