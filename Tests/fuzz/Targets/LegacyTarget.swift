@_spi(Slipcast) import SlipcastLegacy
@_spi(Slipcast) import SlipcastWire

extension FuzzTarget {
  /// The reader of legacy records.
  static let legacy = FuzzTarget(
    name: "legacy",
    summary: "a legacy record is read or refused with a place inside it; the shared secret is never read",
    seeds: { try Seeds.files(["notifications", "receipts", "rejects"], named: ["v1.json", "input.json"], most: 80) },
    words: LegacyWords.all,
    limit: 8 << 10,
    make: {
      let (texts, legacy) = (TextReader(names: LegacyKey.names), LegacyReader())
      return { bytes in try read(bytes, texts, legacy) }
    })

  private static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ texts: TextReader, _ legacy: LegacyReader
  ) throws {
    do {
      try legacy.read(try texts.read(bytes))
    } catch {
      let offset = (error as? LegacyError)?.offset ?? (error as? JSONError)?.offset
      guard let offset else { throw Violation("an error without a place: \(error)") }
      guard (0...bytes.count).contains(offset) else { throw Violation("an error's position is outside the text") }
      return
    }
    let record = legacy.record
    for row in record.transactions { try requireReadable(record, row, .latest_receipt_info) }
    for row in record.inApp { try requireReadable(record, row, .latest_receipt_info) }
    for row in record.renewals { try requireReadable(record, row, .pending_renewal_info) }
    try requireReadable(record, record.body, record.form == .notification ? .responseBodyV1 : .verifyReceipt)
    if let row = record.unifiedReceipt { try requireReadable(record, row, .unified_receipt) }
    if let row = record.receipt { try requireReadable(record, row, .receipt) }
    if let row = record.flat { try requireReadable(record, row, .latest_receipt_info) }
  }

  /// Each value of a row is read in every way; the shared secret is in none.
  private static func requireReadable(_ record: LegacyRecord, _ row: Int, _ scope: LegacyScope) throws {
    for field in scope.fields where record.rows.slot(row, field.key) != 0 {
      guard field.key != .password else { throw Violation("the shared secret was read") }
      let kind = record.tape[record.rows.slot(row, field.key)].kind
      guard record.text(row, field.key) != nil || kind != .string && kind != .number else {
        throw Violation("a key that is present has no text")
      }
      _ = (record.integer(row, field.key), record.flag(row, field.key))
    }
    for date in LegacyInstant.allCases { _ = record.instant(row, date) }
  }
}

/// Words that legacy records consist of.
enum LegacyWords {
  static let all =
    LegacyKey.names + [
      "INITIAL_BUY", "CANCEL", "DID_RENEW", "DID_RECOVER", "DID_FAIL_TO_RENEW", "DID_CHANGE_RENEWAL_PREF",
      "DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL", "PRICE_INCREASE_CONSENT", "REFUND", "REVOKE",
      "CONSUMPTION_REQUEST", "RENEWAL", "Sandbox", "PROD", "Production", "ProductionSandbox", "true", "false",
      "2020-02-29 12:00:00 Etc/GMT", "2020-02-29 04:00:00 America/Los_Angeles", "1582977600000", "9223372036854775807",
      "-9223372036854775808", "FAMILY_SHARED", "PURCHASED", "21006",
    ]
}
