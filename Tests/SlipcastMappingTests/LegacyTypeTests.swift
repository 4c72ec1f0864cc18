@_spi(Slipcast) import SlipcastLegacy
import SlipcastWire
import Testing

@testable import SlipcastMapping

@Suite struct LegacyTypeTests {
  static func read(_ event: String, isOverlay: Bool = false) throws -> (entry: LegacyTypeEntry?, errors: [MappingError])
  {
    var rules = ReadRules()
    var errors: [MappingError] = []
    let text = #"{"family": "notification-types","# + "\n \"event\": \(event),\n \"rules\": []}"
    RuleReader(file: "own.json", isOverlay: isOverlay).read(Array(text.utf8), into: &rules, &errors)
    return (rules.legacyTypes.first { $0.name == "NEW_WORD" }, errors)
  }

  @Test func theHeadOfAFileSaysWhatItsTypeIs() throws {
    let head =
      #"{"type": "NEW_WORD", "time": "expiry", "changes": "auto_renew_product_id", "is": ["renewal", "recovery"]}"#
    let (entry, errors) = try Self.read(head)
    #expect(errors.isEmpty, "\(errors)")
    let type = LegacyType(try #require(entry), number: 14)
    #expect(type.clock == .expiry && type.changesProduct && !type.changesAutoRenew)
    #expect(LegacyType.Trait.allCases.filter { type.is($0) } == [.renewal, .recovery])
    #expect(type.isPurchase && !type.isPurchaseByHand)
  }

  @Test(arguments: [
    (#"{"type": "NEW_WORD", "is": ["renwal"]}"#, "\"renwal\" is not one of forSubscriptions,"),
    (#"{"type": "NEW_WORD", "time": "noon"}"#, "\"time\" is not one of purchase, expiry, cancellation, statusChange"),
    (#"{"type": "NEW_WORD", "changes": "auto_renew"}"#, "\"auto_renew\" is not a V1 key"),
    (#"{"is": ["renewal"]}"#, "expected a string \"type\""),
    (#"{"type": "NEW_WORD", "if": []}"#, "unknown key \"if\""),
  ])
  func namesTheFaultOfAHead(_ head: String, _ words: String) throws {
    let errors = try Self.read(head).errors
    #expect(errors.contains { $0.message.contains(words) && $0.line == 2 }, "\(errors)")
  }

  @Test func anOverlayCannotChangeAType() throws {
    let (entry, errors) = try Self.read(#"{"type": "NEW_WORD"}"#, isOverlay: true)
    #expect(entry == nil && errors.map(\.message) == ["unknown key \"event\""])
  }

  @Test func everyTypeWithRowsHasAHeadAndTheReverse() throws {
    let rules = try RuleSet.builtIn()
    #expect(Set(rules.types.map(\.type)) == Set(rules.legacyTypes.map(\.name)) && rules.legacyTypes.count == 14)
  }

  @Test func aMessageKeepsItsTypeInTheSortBuffer() throws {
    let compiled = CompiledRules(try RuleSet.builtIn())
    for type in compiled.parameters.types {
      let (first, second) = (type.numbers[0], type.numbers[1])
      let read = LegacyType(number: type.number, (first, second))
      #expect(LegacyType.Trait.allCases.allSatisfy { read.is($0) == type.is($0) })
      #expect(read.changedKey == type.changedKey && read.familyStart == type.familyStart)
      #expect(compiled.name(of: read) == compiled.name(of: type))
    }
  }
}
