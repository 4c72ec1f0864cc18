import SlipcastBulk
import SlipcastComparison
import SlipcastMapping
@_spi(Slipcast) import SlipcastWire

/// The list of `--access`: one row for each subscription or purchase whose access differs.
final class AccessFile {
  /// CSV (RFC 4180), or one JSON object a line.
  private enum Form { case csv, ndjson }

  private let file: any LineOutput
  private let form: Form
  private let writer = JSONWriter(capacity: 1024)

  static let columns = [
    "originalTransactionId", "productId", "v1Access", "v2Access", "v1Until", "v2Until", "v1Reason", "v2Reason",
    "v1Record", "v2Record", "v1Id", "v2Id",
  ]

  init(_ path: String) throws {
    let name = [".gz", ".zst"].reduce(path.lowercased()) { $0.hasSuffix($1) ? String($0.dropLast($1.count)) : $0 }
    if name.hasSuffix(".csv") {
      form = .csv
    } else if path == "-" || name.hasSuffix(".ndjson") {
      form = .ndjson
    } else {
      throw UsageError("--access \(path): the name ends with none of .csv, .ndjson")
    }
    file = path == "-" ? StreamOutput() : try FileOutput(path)
    if form == .csv { try put(CSVText.row(Self.columns)) }
  }

  func write(_ change: AccessChange) throws {
    let (one, two) = (change.legacy, change.server)
    switch form {
    case .csv:
      let cells: [String?] = [
        change.originalTransactionId, change.productId, one.access.rawValue, two.access.rawValue, Self.date(one.until),
        Self.date(two.until), one.reason.rawValue, two.reason.rawValue, one.record.map(String.init),
        two.record.map(String.init), one.id, two.id,
      ]
      try put(CSVText.row(cells.map { $0 ?? "" }))
    case .ndjson:
      writer.clear()
      writer.raw("{")
      writer.member("originalTransactionId", change.originalTransactionId ?? "")
      if let product = change.productId { writer.member("productId", product) }
      for (side, state) in [("v1", one), ("v2", two)] { writer.member(side + "Access", state.access.rawValue) }
      for (side, state) in [("v1", one), ("v2", two)] { state.until.map { writer.member(side + "Until", Int($0)) } }
      for (side, state) in [("v1", one), ("v2", two)] { writer.member(side + "Reason", state.reason.rawValue) }
      for (side, state) in [("v1", one), ("v2", two)] { state.record.map { writer.member(side + "Record", Int($0)) } }
      for (side, state) in [("v1", one), ("v2", two)] { writer.member(side + "Id", ifPresent: state.id) }
      writer.raw("}\n")
      try file.write(writer.buffer.span, part: .whole)
    }
  }

  func finish() throws { try file.finish() }

  private func put(_ text: String) throws {
    var text = text
    try text.withUTF8 { try file.write($0.span, part: .whole) }
  }

  private static func date(_ milliseconds: Int64?) -> String? {
    milliseconds.map { Timestamp(milliseconds: $0).description }
  }
}
