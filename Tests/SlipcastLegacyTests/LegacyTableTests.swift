@_spi(Slipcast) import SlipcastWire
import Testing

@_spi(Slipcast) @testable import SlipcastLegacy

@Suite struct LegacyTableTests {
  static let markers: Set<LegacyKey> = [.signedPayload, .notificationType, .signedTransactionInfo, .signedTransactions]

  @Test(arguments: LegacyScope.allCases)
  func noKeyStandsTwiceInAnObject(_ scope: LegacyScope) {
    let keys = scope.fields.map(\.key)
    #expect(Set(keys).count == keys.count)
    #expect(!keys.isEmpty)
  }

  @Test(arguments: LegacyKey.allCases)
  func everyKeyBelongsToAnObjectOrMarksVersion2(_ key: LegacyKey) {
    let isListed = LegacyScope.allCases.contains { scope in scope.fields.contains { $0.key == key } }
    #expect(isListed != Self.markers.contains(key))
  }

  @Test(arguments: LegacyKey.allCases)
  func aKeyIsFoundByItsName(_ key: LegacyKey) {
    #expect(LegacyKey(name: key.name) == key)
    #expect(LegacyKey.names[Int(key.rawValue)] == key.name)
    #expect(!key.name.isEmpty && key.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
  }

  @Test func namesAreSpelledAsAppleSpellsThem() {
    #expect(Set(LegacyKey.names).count == LegacyKey.count)
    #expect(LegacyKey.count == LegacyKey.allCases.count)
    #expect(LegacyKey.hyphenated_is_retryable.name == "is-retryable")
    #expect(LegacyKey(name: "is-retryable") == .hyphenated_is_retryable)
    #expect(LegacyKey(name: "hyphenated_is_retryable") == nil)
    #expect(LegacyKey(name: "Latest_receipt_info") == nil)
    #expect(LegacyKey(name: "") == nil)
  }

  @Test func scopesAreNumberedInTheirOrder() {
    #expect(LegacyScope.allCases.map(\.number) == Array(0..<LegacyScope.allCases.count))
  }

  @Test(arguments: LegacyScope.allCases)
  func everyDateFieldIsASpellingOfADate(_ scope: LegacyScope) {
    for field in scope.fields {
      switch field.kind {
      case .milliseconds, .greenwich, .pacific, .millisecondsOrGreenwich:
        #expect(LegacyInstant.of(field.key) != nil, "\(field.key)")
      default: #expect(LegacyInstant.of(field.key) == nil, "\(field.key)")
      }
    }
  }

  @Test(arguments: LegacyInstant.allCases)
  func everyDateHasAllThreeSpellingsWhereItStands(_ date: LegacyInstant) {
    let scopes = LegacyScope.allCases.filter { scope in scope.fields.contains { LegacyInstant.of($0.key) == date } }
    #expect(!scopes.isEmpty)
    for scope in scopes {
      let kinds = scope.fields.filter { LegacyInstant.of($0.key) == date }.map(\.kind)
      #expect(kinds.filter { $0 == .milliseconds }.count == 1)
      #expect(kinds.contains(.pacific))
      #expect(kinds.contains(.greenwich))
    }
  }

  @Test func onlyThePasswordIsSecret() {
    let secret = LegacyScope.allCases.flatMap(\.fields).filter { $0.kind == .secret }
    #expect(Set(secret.map(\.key)) == [.password])
    #expect(LegacyScope.allCases.flatMap(\.fields).filter { $0.key == .password } == secret)
  }

  @Test func everyDriftHasItsOwnSentence() {
    let messages = LegacyDrift.allCases.map(\.message)
    #expect(Set(messages).count == messages.count)
    #expect(messages.allSatisfy { !$0.hasSuffix(".") && $0.count > 10 })
    #expect(LegacyDrift.allCases.map(\.rawValue) == (0..<UInt8(LegacyDrift.allCases.count)).map { $0 })
  }

  @Test func driftsThatChangeAReadingAreWarnings() {
    let warnings: [LegacyDrift] = [
      .unusableKind, .unreadableFlag, .duplicateKey, .malformedDate, .dateMismatch, .pacificDateOnly, .repeatedHour,
      .skippedHour, .unreadableNumber, .implausibleDate, .emptyElement, .expiredInfoUnused,
      .partialAnswer,
    ]
    #expect(LegacyDrift.allCases.filter(\.isWarning) == warnings)
  }
}
