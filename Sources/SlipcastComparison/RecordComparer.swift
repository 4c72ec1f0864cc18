public import SlipcastMapping
public import SlipcastWire

/// Compares a legacy record with the V2 record of the same event, field by field.
///
/// The legacy record is converted by the rules; each field's class comes from the rule about it. A V2 record may take
/// the place of the legacy one.
///
///     let comparer = try RecordComparer()
///     let comparison = try comparer.compare(legacy: v1, server: v2)
///     for field in comparison.fields where comparison.fails(field) { print(field.path, field.explanation) }
///
/// Make one comparer and share it: any number of tasks may use it at the same time. The built-in rules are read and
/// compiled once in a process.
public final class RecordComparer: Sendable {
  /// As many as work at the same time; each reuses its memory.
  private let readers: Pool<PairReader>

  /// A comparer with your rules, or the built-in ones.
  ///
  /// - Throws: `MappingErrors`; for the built-in rules only a broken build can cause it.
  public convenience init(rules: RuleSet? = nil, options: ConversionOptions = ConversionOptions()) throws {
    let prepared = try rules.map { LegacyConverter.PreparedRules(rules: $0) } ?? .builtIn()
    self.init(prepared: prepared, options: options)
  }

  /// A comparer with compiled rules.
  public init(prepared: LegacyConverter.PreparedRules, options: ConversionOptions = ConversionOptions()) {
    readers = Pool { PairReader(prepared: prepared, options: options) }
  }

  /// Compares one pair.
  ///
  /// - Parameters:
  ///   - legacy: JSON of a version 1 notification or a verifyReceipt response; or a V2 record as for `server`. Each is
  ///     an array of bytes, Foundation's `Data`, or the `utf8` of a text.
  ///   - server: a V2 record: decoded JSON as Slipcast writes it, `{"signedPayload"}`, a bare JWS, a status or history
  ///     answer, a transaction or renewal info, each decoded or signed. Signatures are not verified.
  ///   - receivedAt: when the legacy record was received, where that is known.
  ///   - names: what the two are called in reports.
  ///   - verified: the sides whose signatures the caller has verified and found good.
  ///   - storekit: adds what a device would have said to the fields of a renewal.
  /// - Throws: `ComparisonError` for a side that cannot be read or does not fit the other; it shows no value.
  public func compare(
    legacy: some Sequence<UInt8>, server: some Sequence<UInt8>, receivedAt: Timestamp? = nil,
    names: (legacy: String, server: String) = ("legacy", "server"), storekit: Bool = false,
    verified: Set<ComparisonError.Side> = []
  ) throws(ComparisonError) -> Comparison {
    let (legacy, server) = (Array(legacy), Array(server))
    return try readers.use { reader throws(ComparisonError) in
      try reader.compare(
        legacy: legacy, server: server, receivedAt: receivedAt, names: names, storekit: storekit, verified: verified)
    }
  }

  /// Compares one pair of texts.
  ///
  /// - Throws: as for bytes.
  public func compare(
    legacy: String, server: String, receivedAt: Timestamp? = nil,
    names: (legacy: String, server: String) = ("legacy", "server"), storekit: Bool = false,
    verified: Set<ComparisonError.Side> = []
  ) throws(ComparisonError) -> Comparison {
    try compare(
      legacy: legacy.utf8, server: server.utf8, receivedAt: receivedAt, names: names, storekit: storekit,
      verified: verified)
  }

  /// Converts a legacy record with the rules and options of the comparer; nothing is compared.
  ///
  /// - Throws: `ComparisonError` for the legacy side; it shows no value.
  package func convert(
    _ legacy: [UInt8], receivedAt: Timestamp? = nil, into emission: Emission = .auto
  ) throws(ComparisonError) -> Conversion {
    try readers.use { reader throws(ComparisonError) in
      try reader.convert(legacy, receivedAt: receivedAt, into: emission)
    }
  }
}
