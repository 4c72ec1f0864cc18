import SlipcastMapping
import SlipcastTestSupport
import Testing

/// All errors of all files are reported in one run, each at its position, and none that only follows from another one.
@Suite struct RuleErrorTests {
  static func errors(_ files: [(name: String, text: String)]) -> [MappingError] {
    do {
      _ = try RuleSet(overlays: files.map { (name: $0.name, bytes: Array($0.text.utf8)) })
      return []
    } catch {
      return (error as? MappingErrors)?.errors ?? []
    }
  }

  /// One entry in its own file, on line 2.
  static func errors(in family: String, _ entry: String) -> [MappingError] {
    let list = [
      "eras": "eras", "sources": "sources", "values": "values", "server-events": "events", "facts": "facts",
      "archive-facts": "facts",
    ]
    return errors([("own.json", "{\"family\":\"\(family)\",\"\(list[family] ?? "rules")\":[\n\(entry)\n]}")])
  }

  static let folder: [(name: String, text: String)] = [
    (
      "types.json",
      """
      {"family": "notification-types", "rules": [
        {
          "id": "type.CANCLE.mine",
          "all": ["upgradet", "before:acme"],
          "none": ["cancelledd"],
          "to": "REFUN",
          "absorbed": "yes",
          "meaning": {"v1": "x"},
          "source": "NOWHERE"
        },
        5
      ]}
      """
    ),
    (
      "fields.json",
      """
      {"family": "transaction", "rules": [
        {
          "from": ["purchase_dat_ms", "purchase_date", "purchase_date_pst"],
          "to": "purchaseDate",
          "using": "instnt",
          "relatio": "retyped",
          "relation": "copied",
          "meaning": {"v1": "x", "v3": "y"}
        },
        {
          "from": ["product_id"], "to": "productId", "using": "text", "relation": "renamed", "since": "acme",
          "meaning": {"v1": "x"}, "source": "ACME page 3"
        }
      ]}
      """
    ),
    (
      "cut.json",
      """
      {"family": "sources", "sources": [
        {"key": "ACME", "title": "Acme's notes" "url": "https://example.com"}
      ]}
      """
    ),
    ("eras.json", "{\"family\": \"eras\",\n \"eras\": [{\"id\": \"acme\", \"date\": \"soon\", \"change\": \"x\"}]}"),
  ]

  @Test func everyErrorOfEveryFileIsReportedAtItsPosition() {
    let found = Self.errors(Self.folder).map { "\($0.file):\($0.line):\($0.column) \($0.message.prefix(44))" }
    #expect(
      found == [
        "cut.json:2:43 expected JSON, found a character that JSON d",
        "eras.json:2:11 expected a string \"source\"",
        "eras.json:2:26 expected \"date\" as yyyy-MM-dd",
        "fields.json:2:3 expected a string \"source\"",
        "fields.json:3:5 \"purchase_dat_ms\" is not a legacy key here; ",
        "fields.json:5:5 \"instnt\" is not a transform; did you mean \"i",
        "fields.json:6:5 unknown key \"relatio\"; did you mean \"relatio",
        "fields.json:7:5 \"relation\" is not one of identical, renamed,",
        "fields.json:8:28 unknown key \"v3\" in \"meaning\"; expected one ",
        "types.json:3:5 \"CANCLE\" is not a V1 notification_type; did ",
        "types.json:4:5 \"upgradet\" is not a fact; did you mean \"upgr",
        "types.json:5:5 \"cancelledd\" is not a fact; did you mean \"ca",
        "types.json:6:5 \"REFUN\" is not a V2 notificationType; did yo",
        "types.json:7:5 expected true or false for \"absorbed\"",
        "types.json:9:5 \"NOWHERE\" is not a key of sources.json; name",
        "types.json:11:3 expected an object, found number",
      ], "\(found.joined(separator: "\n"))")
  }

  @Test func theOrderOfTheFilesDoesNotMatter() {
    #expect(Self.errors(Self.folder) == Self.errors(Self.folder.reversed()))
  }

  static let expires =
    #""from":["expires_date_ms","expires_date","expires_date_pst","expires_date_formatted","#
    + #""expires_date_formatted_pst"],"using":"instant","relation":"retyped","meaning":{"v1":"x"},"source":"V1-LRI""#
  static let quantity = #""using":"integer","relation":"retyped","meaning":{"v1":"x"},"source":"V1-LRI""#

  static let row = #""meaning":{"v1":"x"},"source":"V1-LRI""#

  static let lonely: [(family: String, entry: String, message: String)] = [
    ("transaction", #"{"id":"transaction.expiresDate","to":"expiresDat",\#(expires)}"#, "is not a V2 field here"),
    ("transaction", #"{"id":"transaction.expiresDate","to":"nothingLikeIt",\#(expires)}"#, "is not a V2 field here"),
    ("transaction", #"{"id":"transaction.expiresDate","to":5,\#(expires)}"#, "expected a string \"to\""),
    ("transaction", #"{"from":"quantity","to":"quantity",\#(quantity)}"#, "expected an array of strings \"from\""),
    ("transaction", #"{"from":[5],"to":"quantity",\#(quantity)}"#, "expected an array of strings \"from\""),
    ("transaction", #"{"from":["quantty"],"to":"quantity",\#(quantity)}"#, "is not a legacy key here"),
    ("transaction", #"{"from":["nothing_like_it"],"to":"quantity",\#(quantity)}"#, "is not a legacy key here"),
    (
      "transaction", #"{"from":["quantity"],"id":"transaction.quantity","meaning":5,"relation":"x","source":"V1-LRI"}"#,
      ""
    ),
    (
      "notification-types", #"{"id":"type.RENEWAL.any","to":"DID_RENEW","all":["upgraded"],\#(row)}"#,
      "RENEWAL needs a last row without conditions"
    ),
    (
      "notification-types", #"{"id":"type.CANCEL.own","to":"REFUND","confidence":"ambiguous",\#(row)}"#,
      "an ambiguous row needs"
    ),
    (
      "notification-types",
      #"{"id":"type.CANCEL.own","candidates":[{"to":"REFUND","needs":"x"},{"to":"REFUND","needs":"y"}],\#(row)}"#,
      "REFUND is listed twice"
    ),
    (
      "notification-types",
      #"{"id":"type.CANCEL.own","to":"REFUND","candidates":[{"to":"REFUND","needs":"x"},{"to":"REVOKE","needs":"y"}],"#
        + #"\#(row)}"#,
      "not both"
    ),
    (
      "notification-types",
      #"{"id":"type.CANCEL.own","absorbed":true,"candidates":[{"to":"REFUND","needs":"x"},{"to":"REVOKE","needs":"y"}],"#
        + #"\#(row)}"#,
      "belongs into the candidates"
    ),
    (
      "notification-types", #"{"id":"type.CANCEL.own","to":"REFUND","meaning":{},"source":"V1-LRI"}"#,
      "expected one of v1, v2, storekit"
    ),
    (
      "transaction", #"{"from":["quantity"],"to":"quantity","confidence":"ambiguous",\#(quantity)}"#,
      "only rows of the decision table are ambiguous"
    ),
    (
      "transaction", #"{"from":["product_id"],"to":"productId","relation":"renamed",\#(row)}"#,
      "\"productId\" would never be written"
    ),
    (
      "notification-types",
      #"{"id":"type.CANCEL.own","to":"REFUND","otherwise":[{"to":"REVOKE","needs":"x"}],\#(row)}"#,
      "each reading in \"otherwise\" needs \"settledBy\""
    ),
    (
      "notification-types",
      #"{"id":"type.CANCEL.own","candidates":[{"to":"REFUND","needs":"x"},{"to":"REVOKE","needs":"y"}],"#
        + #""otherwise":[{"to":"REVOKE","needs":"z","settledBy":["markedUpgraded"]}],\#(row)}"#,
      "an ambiguous row names all its readings"
    ),
    (
      "notification-types", #"{"id":"type.CANCEL.own","to":"REFUND","doubtedBy":["markedUpgraded"],\#(row)}"#,
      "\"doubtedBy\" needs \"doubtedAs\""
    ),
    (
      "notification-types", #"{"id":"type.CANCEL.own","to":"REFUND","doubtedAs":"type.CANCEL.any",\#(row)}"#,
      "\"doubtedAs\" needs \"doubtedBy\""
    ),
    (
      "notification-types",
      #"{"id":"type.CANCEL.own","to":"REFUND","doubtedBy":["markedUpgraded"],"doubtedAs":"type.CANCEL.own",\#(row)}"#,
      "is not a row of the same type with \"candidates\""
    ),
    (
      "notification-types",
      #"{"id":"type.CANCEL.own","to":"REFUND","meaning":{"v1":"before {era.offers-on-inactiv}"},"source":"V1-LRI"}"#,
      "\"{era.offers-on-inactiv}\" is not a window or an era; did you mean \"era.offers-on-inactive\""
    ),
    (
      "decisions", #"{"id":"decision.window.action","milliseconds":-1,"meaning":"x","source":"INFERENCE"}"#,
      "is a number from 0"
    ),
    (
      "grouping",
      #"{"id":"grouping.strength","order":["CANCER REFUND REVOKE","INTERACTIVE_RENEWAL INITIAL_BUY","#
        + #""DID_RECOVER RENEWAL DID_RENEW","DID_FAIL_TO_RENEW","DID_CHANGE_RENEWAL_PREF","#
        + #""DID_CHANGE_RENEWAL_STATUS"],"meaning":"x","source":"INFERENCE"}"#,
      "is not a V1 notification_type"
    ),
    ("grouping", #"{"id":"grouping.strength","order":[5],"meaning":"x","source":"INFERENCE"}"#, "array of strings"),
    (
      "grouping",
      #"{"id":"grouping.x","lead":"INTERACTIVE_RENEWAL","companion":"CANCEL","if":["upgradedd"],"meaning":"x","#
        + #""source":"INFERENCE"}"#,
      "is not one of upgraded"
    ),
    ("comparing", #"{"id":"compare.skew","class":"x","meaning":"x","source":"INFERENCE"}"#, "\"class\" is not one of"),
    ("comparing", #"{"id":"compare.skw","class":"semantic","meaning":"x","source":"INFERENCE"}"#, "expected an id"),
    (
      "receipt-attributes",
      #"{"id":"receipt-attributes.12","type":"12","in":"receipt","as":"date","to":["receipt_creation_date_ms"],"#
        + #""name":"x","source":"INFERENCE"}"#,
      "expected a number \"type\""
    ),
    (
      "receipt-attributes", #"{"type":17,"in":"receipt","as":"set","to":["in_ap"],"name":"x","source":"INFERENCE"}"#,
      "is not a legacy key here"
    ),
    ("facts", #"{"fact":"upgraded"}"#, "expected a string \"meaning\""),
    ("facts", #"{"fact":"upgraded","meaning":"x","typo":"y"}"#, "unknown key \"typo\""),
    ("sources", #"{"key":"ACME"}"#, "expected a string \"title\""),
    ("values", #"{"of":"status","vocabulary":"V2","values":{"1":5},"source":"ASSN"}"#, "expected an object of strings"),
    (
      "notification-types",
      #"{"id":"type.CANCEL.undated","all":5,"to":"REFUND","meaning":{"v1":"x"},"source":"V1-TYPE"}"#,
      "expected an array of strings \"all\""
    ),
    (
      "notification-types", #"{"id":"CANCEL","to":"REFUND","meaning":{"v1":"x"},"source":"V1-TYPE"}"#,
      "expected an id \"type."
    ),
  ]

  /// The consequences of an error (a field that is now written by no rule, an unknown window) are not reported.
  @Test(arguments: lonely.indices)
  func aConsequenceOfAnErrorIsNotReported(_ index: Int) {
    let (family, entry, message) = Self.lonely[index]
    let errors = Self.errors(in: family, entry)
    guard !message.isEmpty else {
      // Its two errors and nothing else.
      #expect(errors.map { String($0.message.prefix(12)) } == ["expected an ", "\"relation\" i"], "\(errors)")
      return
    }
    #expect(errors.count == 1 && errors.allSatisfy { $0.message.contains(message) && $0.line == 2 }, "\(errors)")
  }

  /// Two entries, each alone without an error.
  static let twins = [
    ("notification-types", #"{"id":"type.CANCEL.own","to":"REFUND",\#(row)}"#),
    ("transaction", #"{"from":["quantity"],"to":"quantity",\#(quantity)}"#),
    ("eras", #"{"id":"own","date":"2021-10-22","change":"x","source":"INFERENCE"}"#),
  ]

  /// Only one of them could apply, and nothing would say which.
  @Test(arguments: twins)
  func twoEntriesOfUsersWithOneIdAreReported(_ family: String, _ entry: String) {
    let file = "{\"family\":\"\(family)\",\"\(family == "eras" ? "eras" : "rules")\":[\n\(entry)\n]}"
    #expect(Self.errors([("a.json", file)]).isEmpty)
    let apart = Self.errors([("a.json", file), ("b.json", file)])
    #expect(Self.errors(in: family, entry + "," + entry).map(\.message) == ["another entry has this id"])
    #expect(apart.map(\.message) == ["another entry has this id"] && apart.map(\.file) == ["b.json"])
  }

  /// A rule that writes a value needs a source; only settings and constants have none.
  @Test(arguments: [#""from":[],"#, ""])
  func aRuleWithoutAKeyIsReported(_ from: String) {
    let errors = Self.errors(in: "transaction", "{\(from)\"to\":\"quantity\",\(Self.quantity)}")
    #expect(
      errors.contains { $0.message == #""integer" reads V1 keys: name them in "from""# && $0.line == 2 }, "\(errors)")
  }

  /// Both names of an entry are located where the entry is.
  @Test func aSecondServerEventOfAnEntryHasItsPlace() {
    let errors = Self.errors(
      in: "server-events", #"{"to":"EXPIRED/VOLUNTARY FOO","trace":"None.","source":"V2-TYPE"}"#)
    #expect(errors.map(\.file) == ["own.json"] && errors.map(\.line) == [2], "\(errors)")
  }

  /// What a trace may stand for needs values that exist.
  @Test(arguments: [
    (#"{"to":"EXPIRED","intents":"7"}"#, "\"intents\": \"7\" is not an expiration intent"),
    (#"{"to":"EXPIRED","since":"product-not-for-sales"}"#, "\"product-not-for-sales\" is not an era"),
    (#"{"intents":"1"}"#, "expected candidates of the form"), (#"{"to":"EXPIRY"}"#, "EXPIRY"),
  ])
  func aCandidateOfATraceIsChecked(_ candidate: String, _ message: String) {
    let entry = #"{"id":"server.own","to":"EXPIRED","candidates":[\#(candidate)],"trace":"Mine.","source":"V2-TYPE"}"#
    let errors = Self.errors(in: "server-events", entry)
    #expect(errors.count == 1 && errors.first?.message.contains(message) == true, "\(errors)")
  }

  /// `*` is any type that Apple does not document; the rows of the others stay in force.
  @Test func aRowOfAnyOtherTypeLeavesKnownTypesAlone() throws {
    let row = #"{"id":"type.other.own","type":"*","to":"*",\#(Self.row)}"#
    let own = Array(#"{"family":"notification-types","rules":[\#(row)]}"#.utf8)
    let (rules, builtIn) = (try RuleSet(overlays: [(name: "own.json", bytes: own)]), BuiltIn.rules)
    let ids = { (rules: RuleSet, isKnown: Bool) in rules.types.filter { ($0.type != "*") == isKnown }.map(\.id) }
    #expect(rules.types.prefix(ids(builtIn, true).count).map(\.id) == ids(builtIn, true))
    #expect(ids(rules, false) == ["type.other.own"] + ids(builtIn, false))
    #expect(rules.unreachedTypes.map(\.row.id) == ids(builtIn, false))
  }

  /// An error elsewhere hides nothing that an author forgot.
  @Test func whatARuleForgetsIsReportedBesideOtherErrors() {
    let rule = Self.expires.replacing("\"expires_date\",", with: "").replacing("retyped", with: "copied")
    let errors = Self.errors(in: "transaction", "{\"to\":\"expiresDate\",\(rule)}")
    #expect(errors.contains { $0.message.hasPrefix("\"relation\" is not one of") }, "\(errors)")
    #expect(errors.contains { $0.message.hasPrefix("it replaces the rule that reads \"expires_date\"") }, "\(errors)")
    #expect(errors.count == 2, "\(errors)")
  }

  @Test func anUnknownMemberOfAFileIsReported() {
    let errors = Self.errors([("a.json", #"{"family":"values","values":[],"ruels":[{"bad":1}]}"#)])
    #expect(errors.map(\.message) == ["unknown key \"ruels\""])
  }

  @Test func aWindowThatDoesNotExistIsReportedInEveryText() {
    for member in [#""meaning":{"v1":"x","v2":"{acme}"}"#, #""meaning":{"v1":"x"},"note":"{acme}""#] {
      let row = #"{"id":"type.CANCEL.undated","to":"REFUND",\#(member),"source":"V1-TYPE"}"#
      let errors = Self.errors(in: "notification-types", row)
      #expect(errors.count == 1 && errors.allSatisfy { $0.message.contains("{acme}") }, "\(errors)")
    }
  }

  /// A file, and what is asked of the rules with it.
  static let overlays: [(family: String, list: String, entry: String, isTaken: @Sendable (RuleSet) -> Bool)] = [
    (
      "eras", "eras", #"{"id":"v2-live","date":"2021-10-22","change":"x","source":"INFERENCE"}"#,
      { $0.eras.filter { $0.id == "v2-live" }.map(\.date) == ["2021-10-22"] }
    ),
    (
      "facts", "facts", #"{"fact":"upgraded","meaning":"x"}"#,
      { $0.facts.filter { $0.name == "upgraded" }.map(\.meaning) == ["x"] }
    ),
    (
      "values", "values", #"{"of":"status","vocabulary":"V2","values":{"1":"x"},"source":"ASSN"}"#,
      { $0.values.filter { ($0.of, $0.value, $0.vocabulary) == ("status", "1", "V2") }.map(\.meaning) == ["x"] }
    ),
    (
      "sources", "sources", #"{"key":"INFERENCE","title":"x"}"#,
      { $0.sources.filter { $0.key == "INFERENCE" }.map(\.title) == ["x"] }
    ),
    (
      "storekit", "rules", #"{"storekit":"state","v2":"status","meaning":{"storekit":"x"},"source":"SK-RENEWAL"}"#,
      { $0.storekit.filter { $0.storekit == "state" }.map(\.meaning.storekit) == ["x"] }
    ),
  ]

  @Test(arguments: overlays.indices)
  func anOverlayReplacesEntriesOfEveryFamily(_ index: Int) throws {
    let (family, list, entry, isTaken) = Self.overlays[index]
    let text = #"{"family":"\#(family)","\#(list)":[\#(entry)]}"#
    #expect(isTaken(try RuleSet(overlays: [(name: "a.json", bytes: Array(text.utf8))])))
  }

  @Test func aSourceThatNoFileNamesIsReportedBesideABrokenFile() {
    let broken = ("a.json", "{\"family\": \"sources\", \"sources\": [")
    let rule = #"{"from":["quantity"],"to":"quantity",\#(Self.quantity)}"#.replacing("V1-LRI", with: "ACME")
    let errors = Self.errors([broken, ("b.json", "{\"family\":\"transaction\",\"rules\":[\(rule)]}")])
    #expect(errors.map(\.file) == ["a.json", "b.json"], "\(errors)")
  }
}
