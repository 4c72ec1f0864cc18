import Foundation
@_spi(Slipcast) import SlipcastWire

/// All figures of one run, as a table for people and as JSON for programs.
struct Report {
  let machine: Machine
  let options: BenchOptions
  let bytes: Int
  let measurements: [Measurement]
  /// Peak memory when the file had been converted, before all records were held in memory.
  let conversionPeak: Int
  /// Peak memory of the whole process, all records in memory included.
  let peak: Int

  /// The speed of a stage relative to simdjson's own visit: 1 is as fast, 0.5 takes twice the time.
  private func ratio(_ measurement: Measurement) -> Double {
    measurement.megabytesPerSecond / measurements[0].megabytesPerSecond
  }

  // MARK: text

  var text: String {
    let mix = options.isFat ? "fat" : "lean"
    return """
      machine  \(machine.processor), \(machine.processors) processors
      swift    \(machine.swift), commit \(machine.commit)\(machine.isModified ? " and changes since" : "")
      input    \(options.records) records, \(bytes) bytes, \(mix), seed \(options.seed), median of \(options.runs) runs

      \(table)
      peak memory  \(megabytes(conversionPeak)) MB converting the file, \(megabytes(peak)) MB with all of it in memory

      """
  }

  private func megabytes(_ bytes: Int) -> String { Self.fixed(Double(bytes) / 1e6, 1) }

  private var table: String {
    Self.table(
      measurements,
      [
        ("records/s", { Self.fixed($0.recordsPerSecond, 0) }), ("MB/s", { Self.fixed($0.megabytesPerSecond, 1) }),
        ("of visit", { Self.fixed(ratio($0), 3) }),
        ("allocations/record", { Self.fixed($0.allocationsPerRecord, 2) }),
      ])
  }

  /// The names of the stages flush left, and the figures of each in columns flush right.
  static func table(_ stages: [Measurement], _ columns: [(name: String, figure: (Measurement) -> String)]) -> String {
    let head = ["stage"] + columns.map(\.name)
    let rows = [head] + stages.map { stage in [stage.name] + columns.map { $0.figure(stage) } }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        column == 0 ? TextLayout.padded(cell, to: widths[0]) : TextLayout.aligned(cell, to: widths[column])
      }
      return cells.joined(separator: "  ") + "\n"
    }.joined()
  }

  /// A number with so many digits behind its point.
  static func fixed(_ value: Double?, _ digits: Int) -> String {
    guard let value, value.isFinite else { return "n/a" }
    return String(format: "%.\(digits)f", value)
  }

  // MARK: JSON

  var json: String {
    JSONWriter.line(capacity: 4096) { writer in
      writer.member("schema", 1)
      writer.object("machine") {
        writer.member("processor", machine.processor)
        writer.member("processors", machine.processors)
        writer.member("swift", machine.swift)
        writer.member("commit", machine.commit)
        writer.member("isModified", machine.isModified)
      }
      writer.object("input") {
        writer.member("records", options.records)
        writer.member("bytes", bytes)
        writer.member("mix", options.isFat ? "fat" : "lean")
        writer.key("seed")
        writer.raw("\(options.seed)")
        writer.member("runs", options.runs)
      }
      writer.list("stages", measurements) { write($0, to: writer) }
      writer.member("conversionPeakResidentBytes", conversionPeak)
      writer.member("peakResidentBytes", peak)
    }.string
  }

  private func write(_ measurement: Measurement, to writer: JSONWriter) {
    writer.member("name", measurement.name)
    for (name, value, digits) in [
      ("recordsPerSecond", measurement.recordsPerSecond, 0), ("megabytesPerSecond", measurement.megabytesPerSecond, 2),
      ("ratioToVisit", ratio(measurement), 4), ("allocationsPerRecord", measurement.allocationsPerRecord ?? .nan, 3),
    ] {
      writer.key(name)
      writer.raw(value.isFinite ? Self.fixed(value, digits) : "null")
    }
  }
}
