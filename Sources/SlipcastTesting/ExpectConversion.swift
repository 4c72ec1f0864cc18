public import SlipcastMapping
public import SlipcastWire

/// Expects the cast of a legacy record to be an expected V2 record, value by value.
///
///     @Test func ourConverterAgreesWithSlipcast() throws {
///       expectConversion(.file("Cases/renewal/v1.json"), equals: try OurConverter().convert(renewal))
///     }
///
/// Where `expectParity` asks whether two records can both be true, this asks for the very same fields, so it holds down
/// what a converter does. `migration`, Slipcast's own account, and `notificationUUID`, which V1 does not have and
/// Slipcast makes, are compared only where the expectation has them; order of members, blanks and `null` do not count.
/// A difference is one issue at the caller's line, with path, expected and found value, V1's value and the rule.
///
/// With `SLIPCAST_RECORD=1` in the environment, an expectation in a file that differs or is missing is rewritten from
/// the conversion. The expectation still fails and reports the recording, so that no recording passes unseen.
///
/// - Parameters:
///   - legacy: a version 1 notification or a verifyReceipt response.
///   - expected: the V2 record that must come of it: a file, JSON, or a value.
///   - comment: shown with the issue.
///   - ignoring: differences that are accepted; an expired or needless one is a warning.
///   - emission: what to cast the record into; by default what the expectation is.
///   - receivedAt: when the legacy record was received, where that is known.
///   - rules: your rules; by default the built-in ones.
///   - options: what the record itself does not contain.
///   - fileID: where the issue is recorded.
///   - filePath: where the issue is recorded.
///   - line: where the issue is recorded.
///   - column: where the issue is recorded.
/// - Returns: The conversion, or `nil` if it failed.
@discardableResult
public func expectConversion(
  _ legacy: some ParityRecord, equals expected: some ParityRecord, _ comment: String? = nil,
  ignoring: [IgnoreRule] = [], into emission: Emission = .auto, receivedAt: Timestamp? = nil, rules: RuleSet? = nil,
  options: ConversionOptions = ConversionOptions(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) -> Conversion? {
  let check = Check(
    comment: comment, ignoring: ignoring, receivedAt: receivedAt, rules: rules, options: options,
    site: CallSite(fileID, filePath, line, column))
  return check.conversion(legacy, expected, into: emission)
}

/// Expects the conversion of a case's legacy record to be the V2 record next to it; its issues begin with the folder's
/// name.
///
/// `SLIPCAST_RECORD=1` writes that record: keep what Apple's server said in a file of another name.
///
/// - Parameters:
///   - fixture: the case.
///   - comment: as for two records, like all that follow.
///   - ignoring: differences that are accepted; give rules that only some cases need `isShared`.
///   - emission: what to cast the record into.
///   - receivedAt: when the legacy record was received.
///   - rules: your rules.
///   - options: what the record itself does not contain.
///   - fileID: where the issue is recorded.
///   - filePath: where the issue is recorded.
///   - line: where the issue is recorded.
///   - column: where the issue is recorded.
/// - Returns: The conversion, or `nil` if it failed.
@discardableResult
public func expectConversion(
  _ fixture: ParityFixture, _ comment: String? = nil, ignoring: [IgnoreRule] = [], into emission: Emission = .auto,
  receivedAt: Timestamp? = nil, rules: RuleSet? = nil, options: ConversionOptions = ConversionOptions(),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Conversion? {
  Surroundings.in(case: fixture.name) {
    expectConversion(
      fixture.legacy, equals: fixture.server, comment, ignoring: ignoring, into: emission, receivedAt: receivedAt,
      rules: rules, options: options, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
