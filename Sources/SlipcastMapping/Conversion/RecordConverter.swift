@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) package import SlipcastWire

/// Converts legacy records, one at a time; it reuses its memory and serves one task.
///
/// `LegacyConverter` is the library's entry; this one also lends the conversion before it is made into values.
package final class RecordConverter {
  private let reader = JSONReader(names: LegacyKey.names)
  private let legacy = LegacyReader()
  private let converter: Converter
  /// The current record, kept for as long as its conversion is used.
  private var text = JSONBuffer([])

  /// A converter with compiled rules.
  package init(prepared: LegacyConverter.PreparedRules, options: ConversionOptions = ConversionOptions()) {
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
  package func convert(
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
}
