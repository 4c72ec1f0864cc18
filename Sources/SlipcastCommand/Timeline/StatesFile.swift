import SlipcastBulk
import SlipcastMapping
import SlipcastTimeline
import SlipcastV2
@_spi(Slipcast) import SlipcastWire

/// The file of `--states`: one row for each interval of a subscription.
final class StatesFile {
  /// CSV (RFC 4180) with dates in ISO 8601, or one JSON object a line with milliseconds since 1970 UTC.
  private enum Form { case csv, ndjson }

  private let file: any LineOutput
  private let form: Form
  private let writer = JSONWriter(capacity: 1024)

  static let columns = [
    "originalTransactionId", "validFrom", "validTo", "status", "access", "reason", "productId", "autoRenewStatus",
    "expiresDate", "offerType", "confidence", "evidence",
  ]

  init(_ path: String) throws {
    let name = [".gz", ".zst"].reduce(path.lowercased()) { $0.hasSuffix($1) ? String($0.dropLast($1.count)) : $0 }
    guard name.hasSuffix(".csv") || name.hasSuffix(".ndjson") || path == "-" else {
      throw UsageError("--states \(path): the name ends with none of .csv, .ndjson")
    }
    form = name.hasSuffix(".csv") ? .csv : .ndjson
    file = path == "-" ? StreamOutput() : try FileOutput(path)
    if form == .csv { try put(CSVText.row(Self.columns)) }
  }

  func write(_ intervals: [LifeInterval], of originalTransactionId: String?) throws {
    for interval in intervals {
      switch form {
      case .csv: try put(Self.row(interval, originalTransactionId))
      case .ndjson: try writeLine(interval, originalTransactionId)
      }
    }
  }

  func finish() throws { try file.finish() }

  private static func row(_ interval: LifeInterval, _ id: String?) -> String {
    func number(_ value: Int32?) -> String { value.map(String.init) ?? "" }
    func date(_ milliseconds: Int64?) -> String {
      milliseconds.map { Timestamp(milliseconds: $0).description } ?? ""
    }
    return CSVText.row([
      id ?? "", date(interval.from), date(interval.until), number(interval.status?.rawValue),
      interval.access.rawValue, interval.reason.rawValue, interval.productId ?? "",
      number(interval.autoRenewStatus?.rawValue),
      date(interval.expiresDate), number(interval.offerType?.rawValue), interval.confidence.rawValue,
      interval.evidence.map(String.init).joined(separator: " "),
    ])
  }

  private func writeLine(_ interval: LifeInterval, _ id: String?) throws {
    writer.clear()
    writer.raw("{")
    writer.member("originalTransactionId", ifPresent: id)
    writer.member("validFrom", interval.from)
    writer.member("validTo", ifPresent: interval.until)
    writer.member("status", ifPresent: interval.status.map { Int64($0.rawValue) })
    writer.member("access", interval.access.rawValue)
    writer.member("reason", interval.reason.rawValue)
    writer.member("productId", ifPresent: interval.productId)
    writer.member("autoRenewStatus", ifPresent: interval.autoRenewStatus.map { Int64($0.rawValue) })
    writer.member("expiresDate", ifPresent: interval.expiresDate)
    writer.member("offerType", ifPresent: interval.offerType.map { Int64($0.rawValue) })
    writer.member("confidence", interval.confidence.rawValue)
    writer.array("evidence", interval.evidence) { writer.integer($0) }
    writer.raw("}\n")
    try file.write(writer.buffer.span, part: .whole)
  }

  private func put(_ text: String) throws {
    var text = text
    try text.withUTF8 { try file.write($0.span, part: .whole) }
  }
}
