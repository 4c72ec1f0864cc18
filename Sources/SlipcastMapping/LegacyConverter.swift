@_spi(Slipcast) public import SlipcastLegacy
public import SlipcastV2
@_spi(Slipcast) public import SlipcastWire

/// A converted legacy record.
public struct Conversion: Hashable, Sendable {
  /// The V2 value.
  public enum Value: Hashable, Sendable {
    /// A notification gave a notification.
    case notification(ResponseBodyV2DecodedPayload)
    /// A receipt, or a notification on request, gave its transactions.
    case history(HistoryResponse)
    /// The status of every subscription, on request.
    case statuses(StatusResponse)
    /// What a receipt says of the app, on request.
    case appTransaction(AppTransaction)
  }

  /// The typed V2 value, with Slipcast's own `migration`.
  public var value: Value
  /// The same value as JSON text, byte for byte what `slipcast convert` writes.
  public var json: String {
    switch value {
    case .notification(let value): value.json
    case .history(let value): value.json
    case .statuses(let value): value.json
    case .appTransaction(let value): value.json
    }
  }
  /// Where every value came from, what was lost, what stays absent, and all findings.
  public var account: Account
  /// The time for which states such as `status` hold: the received time, else the event's; for a receipt the request's.
  public var asOf: Timestamp?
  /// When the event happened, as the record states it; for a receipt when it was requested.
  public var eventTime: Timestamp?
  /// What the legacy record is.
  public var form: LegacyForm

  /// What a person should know about the record.
  public var findings: [Finding] { account.findings }
  /// How well the event is known; `ambiguous` when `migration.candidates` names more than one.
  public var confidence: Confidence { account.confidence }

  /// Slipcast's own account inside the V2 value: rule, confidence, candidates, conclusions.
  public var migration: Migration? {
    switch value {
    case .notification(let value): value.migration
    case .history(let value): value.migration
    case .statuses(let value): value.migration
    case .appTransaction(let value): value.migration
    }
  }

  /// The notification, when that is what came out.
  public var notification: ResponseBodyV2DecodedPayload? {
    if case .notification(let value) = value { value } else { nil }
  }

  /// The history, when that is what came out.
  public var history: HistoryResponse? {
    if case .history(let value) = value { value } else { nil }
  }

  /// The statuses, when that is what came out.
  public var statuses: StatusResponse? {
    if case .statuses(let value) = value { value } else { nil }
  }

  /// The app transaction, when that is what came out.
  public var appTransaction: AppTransaction? {
    if case .appTransaction(let value) = value { value } else { nil }
  }
}

/// Converts legacy records, one at a time, into typed V2 values.
///
/// A converter reuses its memory and serves one task at a time; make one per worker from the same `PreparedRules`, which is
/// compiled once and may be shared.
///
///     let converter = try LegacyConverter()
///     let conversion = try converter.convert(body)
///     print(conversion.notification?.notificationType?.rawValue ?? "", conversion.findings.count)
///
/// `SlipcastReceipts` adds `convert(receipt:)` for app receipts and iOS 6 receipts.
public final class LegacyConverter {
  /// Rules compiled once, for any number of converters.
  public struct PreparedRules: Sendable {
    let compiled: CompiledRules

    /// Compiles rules.
    public init(rules: RuleSet) { compiled = CompiledRules(rules) }
  }

  private let reader = JSONReader(names: LegacyKey.names)
  private let legacy = LegacyReader()
  private let converter: Converter
  /// The current record, kept for as long as its conversion is used.
  private var text = JSONBuffer([])

  /// A converter with the built-in rules.
  ///
  /// - Throws: `MappingErrors`; only a broken build can cause it.
  public convenience init(options: ConversionOptions = ConversionOptions()) throws {
    self.init(prepared: PreparedRules(rules: try RuleSet.builtIn()), options: options)
  }

  /// A converter with compiled rules.
  public init(prepared: PreparedRules, options: ConversionOptions = ConversionOptions()) {
    converter = Converter(prepared: prepared, options: options, record: legacy.record)
  }

  /// The rules of the converter.
  package var rules: RuleSet { converter.compiled.rules }

  /// Settles readings with other messages of the archive that the records come from.
  package func settle(_ settled: @escaping @Sendable (SettlingKey) -> Settlement?) { converter.settled = settled }

  /// Converts one record.
  ///
  /// - Parameters:
  ///   - json: a version 1 notification or a verifyReceipt response, of at most 16 MiB and 128 levels.
  ///   - receivedAt: when it was received, if that is known; it becomes `signedDate`. A time outside 2001 to
  ///     2286 is a finding.
  ///   - emission: what to convert it to; by default a notification becomes a notification, a receipt a history.
  /// - Throws: `JSONError` for broken JSON, `LegacyError` for what is not a legacy record, `ConversionError` for a
  ///   record that cannot become what was asked for, `FieldError` when a rule of an overlay makes a value that its
  ///   field cannot hold. None of them shows a value of the record.
  public func convert(
    _ json: some Sequence<UInt8>, receivedAt: Timestamp? = nil, into emission: Emission = .auto
  ) throws -> Conversion {
    let converter: Converter
    do {
      converter = try filled(with: json, receivedAt: receivedAt, into: emission)
    } catch let error as JSONError {
      if Self.isReceipt(text.bytes) { throw LegacyError(reason: .receipt, path: JSONPath(), offset: 0) }
      throw error
    }
    return Conversion(
      value: try converter.value(), account: converter.account(), asOf: converter.asOf,
      eventTime: converter.eventTime.map(Timestamp.init(milliseconds:)), form: legacy.record.form)
  }

  /// Whether a text that is not JSON begins like a receipt: an ASN.1 sequence or a property list, also in base64.
  private static func isReceipt(_ text: [UInt8]) -> Bool {
    let bytes = Base64.decode(text.span, .either) ?? text
    return bytes.count > 1 && bytes[0] == 0x30 && bytes[1] >= 0x80 || OldStylePropertyList.isDictionary(bytes)
  }

  /// Converts one record; the conversion is valid until the next one.
  ///
  /// - Throws: as `convert` does.
  package func filled(
    with json: some Sequence<UInt8>, receivedAt: Timestamp? = nil, into emission: Emission = .auto
  ) throws -> Converter {
    text = JSONBuffer(json)
    try legacy.read(try reader.read(text))
    converter.prepare(Converter.Delivery(receivedAt: receivedAt?.milliseconds))
    try converter.convert(into: emission)
    return converter
  }

  /// Converts one record from text.
  ///
  /// - Throws: as for bytes.
  public func convert(_ json: String, receivedAt: Timestamp? = nil, into emission: Emission = .auto) throws
    -> Conversion
  {
    try convert(json.utf8, receivedAt: receivedAt, into: emission)
  }
}
