@_spi(Slipcast) public import SlipcastWire

/// One object of a legacy record with its values, copied out of the record's text.
///
/// Values keep their text, so an identifier beyond 2^53 stays exact; the accessors read every observed form of a value.
/// Absent, null and empty values are missing. The shared secret is always missing.
public struct LegacyObject: Hashable, Sendable {
  /// Which object it is.
  public let scope: LegacyScope
  private let texts: [LegacyKey: String]
  private let dates: [Timestamp?]

  init(_ record: LegacyRecord, _ row: Int, _ scope: LegacyScope) {
    self.scope = scope
    var texts: [LegacyKey: String] = [:]
    for field in scope.fields {
      let index = record.rows.slot(row, field.key)
      guard index != 0 else { continue }
      switch record.tape[index].kind {
      case .string, .number: texts[field.key] = record.tape.text(index).string
      case .true: texts[field.key] = "true"
      case .false: texts[field.key] = "false"
      case .null, .array, .object: break
      }
    }
    self.texts = texts
    dates = LegacyInstant.allCases.map { date in
      record.instant(row, date).map(Timestamp.init(milliseconds:))
    }
  }

  /// The keys that have a value, in Apple's order.
  public var keys: [LegacyKey] { scope.fields.map(\.key).filter { texts[$0] != nil } }

  /// The value as text, in its original spelling.
  public func text(_ key: LegacyKey) -> String? { texts[key] }

  /// A whole number, from a number, digits in a string, or a boolean.
  public func integer(_ key: LegacyKey) -> Int64? {
    switch texts[key] {
    case "true"?: 1
    case "false"?: 0
    case let text?: Int64(text)
    case nil: nil
    }
  }

  /// A flag in any of its forms: `"true"`, `"1"`, `1`, `true`; `nil` when it is missing.
  public func flag(_ key: LegacyKey) -> Bool? {
    switch texts[key] {
    case "true"?, "1"?: true
    case "false"?, "0"?: false
    default: nil
    }
  }

  /// The instant that a key spells, in whichever spelling is present: `_ms` first, then the text dates.
  public func date(_ key: LegacyKey) -> Timestamp? { LegacyInstant.of(key).flatMap { dates[$0.rawValue] } }
}

/// One legacy record: a version 1 notification or a verifyReceipt response.
///
///     let document = try LegacyDocument(json: body)
///     document.body.text(.notification_type)              // "DID_RENEW"
///     document.transactions.first?.date(.expires_date_ms)  // 2022-11-01T09:15:38Z
public struct LegacyDocument: Sendable {
  /// Something unusual about the record, and where.
  public struct Finding: Hashable, Sendable {
    /// The kind of deviation.
    public let drift: LegacyDrift
    /// The value that shows it.
    public let path: JSONPath
  }

  /// The kind of record.
  public let form: LegacyForm
  /// The notification's body or the answer's top level.
  public let body: LegacyObject
  /// `unified_receipt`, without its lists.
  public let unifiedReceipt: LegacyObject?
  /// The `receipt` of an answer, without its list.
  public let receipt: LegacyObject?
  /// `latest_receipt_info`, in the order of the record.
  public let transactions: [LegacyObject]
  /// The flat transaction of bodies from before March 2021 and of iOS 6 style answers.
  public let flatTransaction: LegacyObject?
  /// `receipt.in_app`, in the order of the record.
  public let inApp: [LegacyObject]
  /// `pending_renewal_info`, in the order of the record.
  public let renewals: [LegacyObject]
  /// The deviations of the record, in the order of reading.
  public let findings: [Finding]

  /// Reads a record.
  ///
  /// - Throws: `JSONError` for broken JSON, `LegacyError` for a text that is not a legacy record.
  public init(json: some Sequence<UInt8>) throws {
    let text = JSONBuffer(json)
    let reader = JSONReader(names: LegacyKey.names)
    let legacy = LegacyReader()
    try legacy.read(try reader.read(text))
    let record = legacy.record
    form = record.form
    body = LegacyObject(record, record.body, record.form == .notification ? .responseBodyV1 : .verifyReceipt)
    unifiedReceipt = record.unifiedReceipt.map { LegacyObject(record, $0, .unified_receipt) }
    receipt = record.receipt.map { LegacyObject(record, $0, .receipt) }
    transactions = record.transactions.map { LegacyObject(record, $0, .latest_receipt_info) }
    flatTransaction = record.flat.map { LegacyObject(record, $0, .latest_receipt_info) }
    inApp = record.inApp.map { LegacyObject(record, $0, .latest_receipt_info) }
    renewals = record.renewals.map { LegacyObject(record, $0, .pending_renewal_info) }
    findings = record.findings.map { Finding(drift: $0.drift, path: record.path(Int($0.index))) }
  }

  /// Reads a record from text.
  ///
  /// - Throws: as for bytes.
  public init(json: String) throws { try self.init(json: json.utf8) }
}
