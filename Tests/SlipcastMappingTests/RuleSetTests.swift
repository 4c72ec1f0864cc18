import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire
import Testing

@Suite struct RuleSetTests {
  private static let transaction = """
    {"family":"transaction","from":"latest_receipt_info","to":"JWSTransactionDecodedPayload","rules":[
    %RULE%
    ]}
    """

  private static func errors(_ rule: String, in file: String = transaction) -> [MappingError] {
    let text = file.replacing("%RULE%", with: rule)
    do {
      _ = try RuleSet(overlays: [(name: "own.json", bytes: Array(text.utf8))])
      return []
    } catch let error as MappingErrors {
      return error.errors
    } catch {
      return []
    }
  }

  @Test func builtInRulesAreSound() throws {
    // With a file of a user's all rules are checked.
    let rules = try RuleSet(overlays: [(name: "own.json", bytes: Array(#"{"family":"eras","eras":[]}"#.utf8))])
    #expect(rules.fields.count > 100)
    #expect(rules.types.count > 50)
  }

  @Test func catalogueListsEveryRuleFile() throws {
    let rules = Folder.package("Mappings/rules")
    let types = Folder.names(rules + "/notification-types").map { "notification-types/" + $0 }
    let back = Folder.names(rules + "/verify-receipt").map { "verify-receipt/" + $0 }
    let names = Folder.names(rules).filter { $0.hasSuffix(".json") } + types + back
    #expect(names.sorted() == RuleCatalog.files.map { $0.name + ".json" }.sorted())
  }

  @Test func everyRuleHasASourceAndAMeaning() throws {
    let rules = try RuleSet.builtIn()
    for rule in rules.fields {
      #expect(!rule.source.isEmpty && (rule.meaning.v1 ?? rule.meaning.v2) != nil, "\(rule.id)")
    }
    for rule in rules.types { #expect(!rule.source.isEmpty && rule.meaning.v1 != nil, "\(rule.id)") }
  }

  @Test(arguments: [
    (
      #"{"from":["purchase_dat_ms"],"to":"purchaseDate","using":"instant","relation":"retyped","meaning":{"v1":"x"},"source":"V1-LRI"}"#,
      "is not a legacy key here"
    ),
    (
      #"{"from":["product_id"],"to":"produktId","using":"text","relation":"renamed","meaning":{"v1":"x"},"source":"V1-LRI"}"#,
      "did you mean"
    ),
    (
      #"{"id":"own.quantity","from":["quantity"],"to":"quantity","using":"integer","relation":"retyped","meaning":{"v1":"x"},"source":"V1-LRI"}"#,
      "already written by transaction.quantity"
    ),
    (
      #"{"from":["quantity"],"to":"quantity","using":"text","relation":"retyped","meaning":{"v1":"x"},"source":"V1-LRI"}"#,
      "cannot fill"
    ),
    (
      #"{"from":["quantity"],"to":"quantity","using":"integr","relation":"retyped","meaning":{"v1":"x"},"source":"V1-LRI"}"#,
      "did you mean \"integer\""
    ),
    (
      #"{"from":["quantity"],"to":"quantity","using":"integer","relation":"retyped","meaning":{"v1":"x"},"source":"NOWHERE"}"#,
      "not a key of sources.json"
    ),
    (
      #"{"from":["quantity"],"to":"quantity","using":"integer","relation":"retyped","meaning":{"v1":"x"}}"#,
      "expected a string \"source\""
    ),
    (
      #"{"from":["quantity"],"to":"quantity","using":"integer","relation":"copied","meaning":{"v1":"x"},"source":"V1-LRI"}"#,
      "\"relation\" is not one of"
    ),
    (
      #"{"from":["quantity"],"to":"quantity","using":"integer","relatio":"retyped","meaning":{"v1":"x"},"source":"V1-LRI"}"#,
      "unknown key \"relatio\"; did you mean \"relation\"?"
    ),
    (
      #"{"from":["quantity"],"to":"quantity","using":"integer","relation":"retyped","meaning":{"v1":"x"},"source":"V1-LR"}"#,
      "not a key of sources.json; did you mean \"V1-LRI\"?"
    ),
    (
      #"{"from":["quantity"],"too":"quantity","relation":"retyped","meaning":{"v1":"x"},"source":"V1-LRI"}"#,
      "unknown key \"too\""
    ),
    (
      #"{"to":"price","using":"integer","relation":"serverOnly","meaning":{"v2":"x"},"source":"V1-LRI"}"#,
      "a serverOnly rule writes nothing"
    ),
  ])
  func namesTheFaultOfABrokenRule(_ rule: String, _ words: String) {
    let errors = Self.errors(rule)
    #expect(errors.contains { $0.message.contains(words) && $0.file == "own.json" && $0.line == 2 }, "\(errors)")
  }

  @Test(arguments: [
    (
      #"{"id":"type.CANCEL.mine","all":["upgradet"],"to":"REFUND","meaning":{"v1":"x"},"source":"V1-TYPE"}"#,
      "did you mean \"upgraded\""
    ),
    (
      #"{"id":"type.CANCEL.mine","all":["before:never"],"to":"REFUND","meaning":{"v1":"x"},"source":"V1-TYPE"}"#,
      "is not a fact"
    ),
    (
      #"{"id":"type.CANCEL.mine","to":"REFUNDED","meaning":{"v1":"x"},"source":"V1-TYPE"}"#,
      "is not a V2 notificationType"
    ),
    (#"{"id":"type.CANCEL.mine","to":"REFUND/HALF","meaning":{"v1":"x"},"source":"V1-TYPE"}"#, "is not a V2 subtype"),
    (
      #"{"id":"type.CANCELLED.mine","to":"REFUND","meaning":{"v1":"x"},"source":"V1-TYPE"}"#,
      "is not a V1 notification_type"
    ),
    (
      #"{"id":"type.CANCEL.mine","to":"REFUN","meaning":{"v1":"x"},"source":"V1-TYPE"}"#, "did you mean \"REFUND\"?"
    ),
    (
      #"{"id":"type.CANCEL.mine","to":"EXPIRED/VOLUNTRY","meaning":{"v1":"x"},"source":"V1-TYPE"}"#,
      "did you mean \"VOLUNTARY\"?"
    ),
    (
      #"{"id":"type.CANCLE.mine","to":"REFUND","meaning":{"v1":"x"},"source":"V1-TYPE"}"#, "did you mean \"CANCEL\"?"
    ),
    (
      #"{"id":"type.CANCEL.mine","candidates":[{"to":"REFUND","needs":"x"}],"meaning":{"v1":"x"},"source":"V1-TYPE"}"#,
      "at least two candidates"
    ),
  ])
  func namesTheFaultOfABrokenRow(_ rule: String, _ words: String) {
    let errors = Self.errors(rule, in: "{\"family\":\"notification-types\",\"rules\":[\n%RULE%\n]}")
    #expect(errors.contains { $0.message.contains(words) && $0.line == 2 }, "\(errors)")
  }

  @Test(arguments: [
    ("", "nothing"), ("{", "cut off"), ("[]", "family"), ("{\"family\":\"x\"}", "is not one of"),
    ("{\"family\":\"eras\"}", "array \"eras\""),
  ])
  func refusesAFileThatIsNoRuleFile(_ text: String, _ words: String) {
    let errors = Self.errors("", in: text)
    #expect(errors.contains { $0.message.contains(words) }, "\(errors)")
  }

  @Test func noBuiltInRowIsHiddenByAnother() throws {
    #expect(try RuleSet.builtIn().unreachedTypes.isEmpty)
  }

  @Test func rowsThatAreNeverReachedAreTold() throws {
    let row = #"{"id":"type.CANCEL.mine","to":"REFUND","meaning":{"v1":"x"},"source":"V1-TYPE"}"#
    let rules = try RuleSet(overlays: [
      (name: "own.json", bytes: Array("{\"family\":\"notification-types\",\"rules\":[\(row)]}".utf8))
    ])
    let hidden = rules.unreachedTypes
    #expect(!hidden.isEmpty && hidden.allSatisfy { $0.row.type == "CANCEL" && $0.by.id == "type.CANCEL.mine" })
    #expect(hidden.count == (try RuleSet.builtIn().types.count { $0.type == "CANCEL" }))
  }

  @Test(arguments: [
    ("REFUND/VOLUNTARY", true), ("REFUND", false), ("EXPIRED/VOLUNTARY", false), ("TEST/VOLUNTARY", true),
  ])
  func anEventThatV2DoesNotSendIsTold(_ event: String, _ isUnheardOf: Bool) throws {
    let row = #"{"id":"type.CANCEL.mine","to":"\#(event)","meaning":{"v1":"x"},"source":"V1-TYPE"}"#
    let rules = try RuleSet(overlays: [
      (name: "own.json", bytes: Array("{\"family\":\"notification-types\",\"rules\":[\(row)]}".utf8))
    ])
    let events = rules.unheardOfEvents(beside: try RuleSet.builtIn()).map(\.event.description)
    #expect(events == (isUnheardOf ? [event] : []))
    #expect(try RuleSet.builtIn().unheardOfEvents(beside: try RuleSet.builtIn()).isEmpty)
  }

  /// Whoever replaces a rule must read and write what it did.
  @Test(arguments: [
    (
      #"{"id":"transaction.expiresDate","from":["expires_date_ms"],"to":"expiresDate","using":"instant","relation":"retyped","meaning":{"v1":"x"},"source":"V1-LRI"}"#,
      "it replaces the rule that reads \"expires_date\", which no rule reads now: add it to \"from\""
    ),
    (
      #"{"id":"transaction.expiresDate","from":["expires_date_ms","expires_date","expires_date_pst","expires_date_formatted","expires_date_formatted_pst"],"relation":"legacyOnly","meaning":{"v1":"x"},"source":"V1-LRI"}"#,
      "it replaces the rule that writes \"expiresDate\", which no rule writes now"
    ),
  ])
  func aReplacementThatForgetsSomethingIsNamed(_ rule: String, _ words: String) {
    let errors = Self.errors(rule)
    #expect(
      errors.contains { $0.message.hasPrefix(words) && $0.file == "own.json" && $0.rule == "transaction.expiresDate" },
      "\(errors)")
  }

  @Test func aRuleWithAKnownIdReplacesIt() throws {
    let rule =
      #"{"from":["quantity"],"to":"quantity","using":"integer","relation":"retyped","confidence":"inferred","meaning":{"v1":"x"},"source":"V1-LRI"}"#
    let text = Self.transaction.replacing("%RULE%", with: rule)
    let rules = try RuleSet(overlays: [(name: "own.json", bytes: Array(text.utf8))])
    #expect(rules.field(id: "transaction.quantity")?.confidence == .inferred)
    #expect(rules.fields.count == (try RuleSet.builtIn()).fields.count)
  }

  @Test func aNewRowComesBeforeTheBuiltInOnes() throws {
    let text = """
      {"family":"notification-types","rules":[
      {"id":"type.CANCEL.mine","to":"REFUND_REVERSED","meaning":{"v1":"x"},"source":"V1-TYPE"}
      ]}
      """
    let rules = try RuleSet(overlays: [(name: "own.json", bytes: Array(text.utf8))])
    let converter = LegacyConverter(prepared: LegacyConverter.PreparedRules(rules: rules))
    let cast = try converter.convert(try Fixture.named("notifications/cancel-refund").bytes("v1.json"))
    #expect(cast.notification?.notificationType?.rawValue == "REFUND_REVERSED")
    #expect(cast.account.rule == "type.CANCEL.mine")
  }

  /// Every rule needs a fixture that shows that it works.
  @Test func everyRuleIsExercisedByAFixture() throws {
    let rules = try RuleSet.builtIn()
    var used: Set<String> = []
    let converter = LegacyConverter(prepared: LegacyConverter.PreparedRules(rules: rules))
    for fixture in Fixture.cases("notifications") + Fixture.cases("receipts")
    where !(try fixture.arguments.contains("--body")) {
      let emissions: [Emission] =
        if try fixture.arguments.contains("app-transaction") {
          [.appTransaction]
        } else {
          try fixture.arguments.contains("statuses") ? [.statuses] : [.auto, .statuses, .history]
        }
      for emission in emissions {
        let account = try converter.convert(try fixture.bytes("v1.json"), into: emission).account
        used.insert(account.rule)
        used.formUnion(account.fields.map(\.rule))
        used.formUnion(account.unmapped.compactMap(\.rule))
        used.formUnion(account.absent.map(\.rule))
      }
    }
    let all = rules.types.map(\.id) + rules.fields.filter { !Self.isStructure($0) }.map(\.id)
    #expect(all.filter { !used.contains($0) } == [])
  }

  /// Rules of containers and of nested members of statuses are exercised with their members.
  private static func isStructure(_ rule: FieldRule) -> Bool {
    rule.id.hasPrefix("statuses.data") || rule.id.contains("multiSeatInfo.") || rule.id.contains("unclaimInfo.")
      || (rule.using == nil && rule.to != nil && rule.relation != .serverOnly)
      || ["eventTransaction", "eventRenewal", "receiptTransactions"].contains(rule.using)
      || rule.id == "notification.signedPayload"
  }
}
