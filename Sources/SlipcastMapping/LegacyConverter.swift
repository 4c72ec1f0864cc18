internal import SlipcastLegacy
@_spi(Slipcast) public import SlipcastWire

/// Converts legacy records into typed V2 values.
///
/// Make one converter and share it: any number of tasks may use it at the same time. The built-in rules are read and
/// compiled once in a process.
///
///     let converter = try LegacyConverter()
///     let conversion = try converter.convert(body)
///     print(conversion.notification?.notificationType?.rawValue ?? "", conversion.findings.count)
///
/// `SlipcastReceipts` adds `convert(receipt:)` for app receipts and iOS 6 receipts, and `SlipcastKit` adds times as
/// Foundation's `Date`.
public final class LegacyConverter: Sendable {
  /// Rules compiled once, for any number of converters.
  public struct PreparedRules: Sendable {
    let compiled: CompiledRules

    /// Compiles rules.
    public init(rules: RuleSet) { compiled = CompiledRules(rules) }

    private static let ofProcess = Result { PreparedRules(rules: try RuleSet.builtIn()) }

    /// The built-in rules, compiled at the first call.
    ///
    /// - Throws: `MappingErrors`; only a broken build can cause it.
    public static func builtIn() throws -> PreparedRules { try ofProcess.get() }

    /// The rules themselves.
    package var rules: RuleSet { compiled.rules }
  }

  private let prepared: PreparedRules
  /// As many as work at the same time; each reuses its memory.
  private let converters: Pool<RecordConverter>

  /// A converter with the built-in rules.
  ///
  /// - Throws: `MappingErrors`; only a broken build can cause it.
  public convenience init(options: ConversionOptions = ConversionOptions()) throws {
    self.init(prepared: try PreparedRules.builtIn(), options: options)
  }

  /// A converter with compiled rules.
  public init(prepared: PreparedRules, options: ConversionOptions = ConversionOptions()) {
    self.prepared = prepared
    converters = Pool { RecordConverter(prepared: prepared, options: options) }
  }

  /// The rules of the converter.
  package var rules: RuleSet { prepared.rules }

  /// Converts one record.
  ///
  /// - Parameters:
  ///   - json: a version 1 notification or a verifyReceipt response, of at most 16 MiB and 128 levels: an array of bytes,
  ///     Foundation's `Data`, or the `utf8` of a text.
  ///   - receivedAt: when it was received, if that is known; it becomes `signedDate`. A time outside 2001 to
  ///     2286 is a finding.
  ///   - emission: what to convert it to; by default a notification becomes a notification, a receipt a history.
  /// - Throws: `RecordError`; it shows no value of the record.
  public func convert(
    _ json: some Sequence<UInt8>, receivedAt: Timestamp? = nil, into emission: Emission = .auto
  ) throws(RecordError) -> Conversion {
    try converters.use { converter throws(RecordError) in
      do {
        return try converter.convert(json, receivedAt: receivedAt, into: emission)
      } catch {
        throw RecordError(error)
      }
    }
  }

  /// Converts one record from text.
  ///
  /// - Throws: as for bytes.
  public func convert(
    _ json: String, receivedAt: Timestamp? = nil, into emission: Emission = .auto
  ) throws(RecordError) -> Conversion {
    try convert(json.utf8, receivedAt: receivedAt, into: emission)
  }
}
