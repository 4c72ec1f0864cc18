internal import SlipcastLegacy
internal import SlipcastMapping
internal import SlipcastReceipts
@_spi(Slipcast) import SlipcastWire

/// Writes whole `verifyReceipt` responses.
struct AnswerWriter {
  /// What an answer contains besides the customer's transactions and renewals.
  struct Frame {
    var environment: String
    /// Only the newest transaction of each original one.
    var excludesOld = false
    /// The transactions that the receipt lists: a consumable among them is not finished.
    var listed: Set<String> = []
    /// The request's receipt, as it came.
    var latestReceipt: String?
    /// Writes the member `receipt`; `nil` without a receipt.
    var receipt: ((inout PartWriter) -> Void)?
    /// Reported with the answer.
    var findings: [String] = []
  }

  /// An answer, and where its values come from.
  struct Written {
    var json: [UInt8]
    /// A line; empty unless the request asks for it.
    var provenance: [UInt8]
  }

  let table: InverseTable
  let keepsProvenance: Bool

  /// The answer about a customer, without a line feed.
  func answer(_ customer: Customer, _ frame: Frame) -> Written {
    var parts = PartWriter(
      table: table, writer: JSONWriter(capacity: 4096), provenance: keepsProvenance ? Provenance() : nil)
    let writer = parts.writer
    let shown = shown(customer, frame, &parts.provenance)
    writer.byte(UInt8(ascii: "{"))
    writer.member(LegacyKey.status.name, 0)
    if !frame.environment.isEmpty { writer.member(LegacyKey.environment.name, frame.environment) }
    frame.receipt?(&parts)
    write(shown, as: LegacyKey.latest_receipt_info.name, &parts)
    if !shown.isEmpty { writer.member(LegacyKey.latest_receipt.name, ifPresent: frame.latestReceipt) }
    write(customer.renewals, as: LegacyKey.pending_renewal_info.name, &parts)
    writer.byte(UInt8(ascii: "}"))
    for finding in frame.findings { parts.provenance?.finding(finding) }
    return Written(json: writer.bytes, provenance: parts.provenance?.line ?? [])
  }

  private func write(_ parts: [V2Part], as name: String, _ writer: inout PartWriter) {
    guard !parts.isEmpty else { return }
    writer.writer.key(name)
    writer.writer.byte(UInt8(ascii: "["))
    for (place, part) in parts.enumerated() {
      writer.writer.comma()
      writer.writer.byte(UInt8(ascii: "{"))
      writer.write(part, at: "\(name)[\(place)]")
      writer.writer.byte(UInt8(ascii: "}"))
    }
    writer.writer.byte(UInt8(ascii: "]"))
  }

  /// The customer's transactions without consumables that may be finished, and without old ones where these are excluded.
  private func shown(_ customer: Customer, _ frame: Frame, _ provenance: inout Provenance?) -> [V2Part] {
    var shown: [V2Part] = []
    for part in customer.transactions {
      if part.text("type") == "Consumable", !frame.listed.contains(part.text("transactionId") ?? "") {
        provenance?.loss("latest_receipt_info", .consumable, "verify-receipt.latest_receipt_info.type")
      } else {
        shown.append(part)
      }
    }
    guard frame.excludesOld else { return shown }
    var newest: [String: Int] = [:]
    for (place, part) in shown.enumerated() { newest[part.text("originalTransactionId") ?? "#\(place)"] = place }
    let places = Set(newest.values)
    return shown.enumerated().filter { places.contains($0.offset) }.map(\.element)
  }
}
