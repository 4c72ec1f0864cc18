internal import SlipcastLegacy
internal import SlipcastReceipts
@_spi(Slipcast) internal import SlipcastWire

/// Writes the member `receipt`, which comes from the signed receipt of the request only.
struct ReceiptMembers {
  let receipt: SubmittedReceipt
  /// When the request came, in milliseconds.
  let requestedAt: Int64

  func write(to parts: inout PartWriter) {
    let writer = parts.writer
    writer.key(LegacyKey.receipt.name)
    writer.byte(UInt8(ascii: "{"))
    switch receipt.form {
    case .app(let app):
      write(app.shown, "receipt", &parts)
      writeRequestDate(&parts)
      writer.key(LegacyKey.in_app.name)
      writer.byte(UInt8(ascii: "["))
      for (place, purchase) in app.shownPurchases.enumerated() {
        writer.comma()
        writer.byte(UInt8(ascii: "{"))
        write(purchase, "receipt.in_app[\(place)]", &parts)
        writer.byte(UInt8(ascii: "}"))
      }
      writer.byte(UInt8(ascii: "]"))
    case .token(let part): write(part, &parts)
    case .transaction: break
    }
    writer.byte(UInt8(ascii: "}"))
  }

  private func write(_ values: [ShownValue], _ path: String, _ parts: inout PartWriter) {
    for value in values {
      switch value.content {
      case .text(let text): parts.writer.member(value.name, text)
      case .number(let digits):
        parts.writer.key(value.name)
        parts.writer.raw(digits)
      case .date(let time): _ = parts.table.dates.write(time, as: value.name, to: parts.writer)
      }
      parts.provenance?.source("\(path).\(value.name)", "receipt-data")
    }
  }

  /// Of a signed transaction only what it states: whose app, and itself.
  private func write(_ part: V2Part, _ parts: inout PartWriter) {
    let isSandbox = receipt.scope.environment != "Production"
    parts.writer.member(LegacyKey.receipt_type.name, isSandbox ? "ProductionSandbox" : "Production")
    parts.writer.member(LegacyKey.bundle_id.name, ifPresent: receipt.scope.bundleId)
    for name in [LegacyKey.receipt_type.name, LegacyKey.bundle_id.name] {
      parts.provenance?.source("receipt.\(name)", "receipt-data")
    }
    writeRequestDate(&parts)
    parts.writer.key(LegacyKey.in_app.name)
    parts.writer.byte(UInt8(ascii: "["))
    if part.kind == .transaction {
      parts.writer.byte(UInt8(ascii: "{"))
      parts.write(part, as: .purchase, at: "receipt.in_app[0]")
      parts.writer.byte(UInt8(ascii: "}"))
    }
    parts.writer.byte(UInt8(ascii: "]"))
  }

  private func writeRequestDate(_ parts: inout PartWriter) {
    _ = parts.table.dates.write(requestedAt, as: "request_date", to: parts.writer)
  }
}
