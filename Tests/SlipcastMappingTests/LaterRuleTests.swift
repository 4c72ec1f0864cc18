@_spi(Slipcast) import SlipcastLegacy
import SlipcastV2
import Synchronization
import Testing

@testable import SlipcastMapping

/// The built-in rules are read when somebody asks for them.
@Suite struct LaterRuleTests {
  /// What a value says, whatever it consists of; dictionaries of the same content may have different orders.
  private static func text(_ value: some Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text.split(separator: "\n").sorted().joined(separator: "\n")
  }

  /// The same of each element of a list, or of each member of a structure.
  private static func texts(_ value: some Any) -> [String] { Mirror(reflecting: value).children.map { text($0.value) } }

  @Test func rulesReadWhenAskedAreThoseReadAtOnce() throws {
    let (later, whole) = (try RuleSet.readWhenAsked(), try RuleSet(overlays: []))
    #expect(later.shelf.asked.isEmpty)
    let members: [(String, (RuleSet) -> Any)] = [
      ("fields", { $0.fields }), ("types", { $0.types }), ("legacyTypes", { $0.legacyTypes }), ("eras", { $0.eras }),
      ("tracedEvents", { $0.tracedEvents }), ("grouping", { $0.grouping }), ("decisions", { $0.decisions }),
      ("storekit", { $0.storekit }), ("comparing", { $0.comparing }), ("receiptAttributes", { $0.receiptAttributes }),
      ("inverse", { $0.inverse }), ("facts", { $0.facts }), ("archiveFacts", { $0.archiveFacts }),
      ("values", { $0.values }),
      ("words", { $0.words }), ("sources", { $0.sources }), ("overlaid", { $0.overlaid }), ("events", { $0.events }),
      ("comparedTypes", { $0.comparedTypes }),
    ]
    for (name, member) in members {
      let (read, expected) = (Self.texts(member(later)), Self.texts(member(whole)))
      let differs = zip(read, expected).contains { $0 != $1 }
      #expect(read.count == expected.count && !differs, "\(name)")
      #expect(!read.isEmpty || name == "overlaid", "\(name)")
    }
    #expect(later.shelf.asked.count == RuleShelf.Family.allCases.count)
    #expect(later.windowUsers == whole.windowUsers && !later.windowUsers.isEmpty)
    #expect(later.digest == whole.digest)
    for rule in whole.fields { #expect(Self.text(later.citations(of: rule)) == Self.text(whole.citations(of: rule))) }
  }

  @Test func everyTypeHasTheSameRows() throws {
    let (later, whole) = (try RuleSet.readWhenAsked(), try RuleSet(overlays: []))
    for type in whole.legacyTypes {
      let (read, expected) = (later.shelf.rows(about: type.name), whole.shelf.rows(about: type.name))
      #expect(read.map(\.place) == expected.map(\.place) && !read.isEmpty, "\(type.name)")
      #expect(Self.texts(read.map(\.rule)) == Self.texts(expected.map(\.rule)), "\(type.name)")
      for (place, rule) in read { #expect(whole.types[place].id == rule.id) }
    }
    #expect(later.shelf.asked.isEmpty)
  }

  @Test func aConversionReadsNoFamilyThatItDoesNotNeed() throws {
    let rules = try RuleSet.readWhenAsked()
    let converter = LegacyConverter(prepared: LegacyConverter.PreparedRules(rules: rules))
    let record = """
      {"notification_type": "DID_RENEW", "environment": "PROD", "bid": "com.example.slipcast", "unified_receipt": {
        "latest_receipt_info": [{"product_id": "com.example.slipcast.monthly", "transaction_id": "2",
          "original_transaction_id": "1", "purchase_date_ms": "1612137600000", "expires_date_ms": "1614556800000"}]}}
      """
    let conversion = try converter.convert(Array(record.utf8))
    #expect(!"\(conversion)".isEmpty)
    // A typed conversion has an account, which knows the attributes of app receipts.
    #expect(rules.shelf.asked == [.receiptAttributes])
  }

  @Test func aValueIsMadeOnce() {
    let later = Later<Int>()
    let count = Atomic(0)
    #expect(!later.isMade)
    for _ in 0..<3 {
      #expect(later.value { count.add(1, ordering: .relaxed).newValue + 6 } == 7)
    }
    #expect(count.load(ordering: .relaxed) == 1 && later.isMade)
  }

  @Test func namesAreThoseOfTheCases() {
    func name(_ value: some Any) -> String { String(describing: value) }
    #expect(ArchiveFact.allCases.map(\.name) == ArchiveFact.allCases.map(name))
    #expect(LegacyType.Trait.allCases.map(\.name) == LegacyType.Trait.allCases.map(name))
    #expect(LegacyDrift.allCases.map(\.code) == LegacyDrift.allCases.map(name))
    #expect(ConversionNote.allCases.map(\.code) == ConversionNote.allCases.map(name))
    let facts = Fact.allCases.map { $0.name.replacing(":", with: "") }
    #expect(facts == Fact.allCases.map(name))
    let keys = LegacyKey.allCases.filter { $0 != .hyphenated_is_retryable }
    #expect(keys.map(\.name) == keys.map(name))
    #expect(LegacyKey.allCases.allSatisfy { LegacyKey(name: $0.name) == $0 })
  }
}
