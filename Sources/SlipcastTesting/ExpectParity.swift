public import SlipcastComparison
public import SlipcastMapping
public import SlipcastWire

/// Expects a legacy record and the V2 record of the same event to state the same, as `slipcast diff` judges it.
///
///     @Test func aRenewalKeepsItsMeaning() {
///       expectParity(legacy: .file("Cases/renewal/v1.json"), server: .file("Cases/renewal/v2.json"))
///     }
///
/// The legacy record is converted by Slipcast's rules, and every field of the result is compared with the other record.
/// Fields that state different things fail: one issue is recorded at the caller's line, in Swift Testing or in XCTest,
/// with the failing fields as `slipcast diff` shows them. A record that cannot be read is such an issue too. No text
/// shows the shared secret.
///
/// - Parameters:
///   - legacy: a version 1 notification or a verifyReceipt response; or a V2 record as for `server`. Receipts themselves
///     are not read.
///   - server: a V2 record: decoded JSON, `{"signedPayload"}`, a signed payload, a history or status answer, a
///     transaction or renewal info; what Apple's server said, or the output of your converter. Signatures are not
///     verified.
///   - comment: shown with the issue.
///   - ignoring: differences that are accepted; an expired or needless one is a warning.
///   - strict: classes that fail besides `conflict`.
///   - receivedAt: when the legacy record was received, where that is known.
///   - rules: your rules; by default the built-in ones.
///   - options: what the record itself does not contain.
///   - fileID: where the issue is recorded.
///   - filePath: where the issue is recorded.
///   - line: where the issue is recorded.
///   - column: where the issue is recorded.
/// - Returns: The comparison, or `nil` where the two could not be compared.
@discardableResult
public func expectParity(
  legacy: some ParityRecord, server: some ParityRecord, _ comment: String? = nil, ignoring: [IgnoreRule] = [],
  strict: Set<DifferenceClass> = [], receivedAt: Timestamp? = nil, rules: RuleSet? = nil,
  options: ConversionOptions = ConversionOptions(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) -> Comparison? {
  let check = Check(
    comment: comment, ignoring: ignoring, receivedAt: receivedAt, rules: rules, options: options,
    site: CallSite(fileID, filePath, line, column))
  return check.parity(legacy, server, strict: strict)
}

/// Expects the two records of a case to state the same; its issues begin with the name of the case's folder.
///
///     @Test(arguments: try ParityFixture.all(in: "Cases"))
///     func whatWeArchivedIsWhatAppleSays(_ fixture: ParityFixture) {
///       expectParity(fixture)
///     }
///
/// - Parameters:
///   - fixture: the case.
///   - comment: as for two records, like all that follow.
///   - ignoring: differences that are accepted; give rules that only some cases need `isShared`.
///   - strict: classes that fail besides `conflict`.
///   - receivedAt: when the legacy record was received.
///   - rules: your rules.
///   - options: what the record itself does not contain.
///   - fileID: where the issue is recorded.
///   - filePath: where the issue is recorded.
///   - line: where the issue is recorded.
///   - column: where the issue is recorded.
/// - Returns: The comparison, or `nil` where the two could not be compared.
@discardableResult
public func expectParity(
  _ fixture: ParityFixture, _ comment: String? = nil, ignoring: [IgnoreRule] = [],
  strict: Set<DifferenceClass> = [], receivedAt: Timestamp? = nil, rules: RuleSet? = nil,
  options: ConversionOptions = ConversionOptions(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) -> Comparison? {
  Surroundings.in(case: fixture.name) {
    expectParity(
      legacy: fixture.legacy, server: fixture.server, comment, ignoring: ignoring, strict: strict,
      receivedAt: receivedAt, rules: rules, options: options, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}
