internal import SlipcastDigest
internal import SlipcastV2
package import SlipcastWire

/// All mapping knowledge, read and checked: what the engine applies and `explain` prints.
public struct RuleSet: Sendable {
  /// Rules about fields, in file order.
  public internal(set) var fields: [FieldRule] = []
  /// The decision table for types, in order; the first fitting row decides.
  public internal(set) var types: [TypeRule] = []
  /// V1's types: the one for all other words, then those that have a file.
  var legacyTypes = [LegacyTypeEntry(name: LegacyTypeEntry.anyOther)]
  /// Dates at which meanings changed, oldest first.
  public internal(set) var eras: [Era] = []
  /// V2 events that only their traces in an archive show: those that V1 never sends, and those that an archive may lack.
  public internal(set) var tracedEvents: [ServerEvent] = []
  /// Which messages belong to one action.
  public internal(set) var grouping = GroupingRules()
  /// Windows, limits and orders of evidence that decisions use.
  public internal(set) var decisions: [DecisionRule] = []
  /// StoreKit's vocabulary for V2's values.
  public internal(set) var storekit: [StoreKitRule] = []
  /// Readings that let unequal values stand side by side.
  public internal(set) var comparing: [ComparingRule] = []
  /// The attributes of app receipts, and what verifyReceipt calls them.
  public internal(set) var receiptAttributes: [ReceiptAttributeRule] = []
  /// How V2 goes back to verifyReceipt responses.
  public internal(set) var inverse: [InverseRule] = []
  /// The words in which the decision table asks, with what they mean.
  public internal(set) var facts: [FactEntry] = []
  /// The words in which `settledBy` asks about the other messages of an archive.
  public internal(set) var archiveFacts: [FactEntry] = []
  /// Values of vocabularies.
  public internal(set) var values: [ValueEntry] = []
  /// The words that Slipcast itself prints, with what they mean.
  package internal(set) var words: [WordFamily] = []
  /// The documents that rules cite.
  public internal(set) var sources: [Source] = []
  /// Ids of rules that overlays added or replaced.
  public internal(set) var overlaid: Set<String> = []
  /// Facts, rows and grouping rules that use a window, by its id.
  var windowUsers: [String: [String]] = [:]
  /// The built-in field rules whose place rules of overlays have taken.
  var replaced: [FieldRule] = []
  /// The index of a V2 field's rule in `fields`, by family and V2 name.
  private var fieldPlaces: [String: [String: Int]] = [:]
  /// Spelled out once: reports name them for every field of every pair.
  private var citationsOfField: [String: [Citation]] = [:]
  /// Every event that rows of the decision table may mean, each once; at most 64, as many as `EventMask` can count.
  package private(set) var events: [EventName] = []
  /// The rows of the decision table, then two for each reading that other messages of an archive may settle: as an event
  /// and as a companion.
  package private(set) var comparedTypes: [TypeRule] = []
  /// The places of the latter, by row and candidate; the row's own reading is -1.
  private var settledPlaces: [Int: [Int: Int]] = [:]
  /// The content of a user's own files.
  private var overlays: [[UInt8]] = []
  var locations: [String: RuleLocation] = [:]
  /// What entries cite, and where; emptied once it is checked.
  var cited: [(source: String, location: RuleLocation)] = []
  var faulty: Set<String> = []
  var unread = UnreadRules()

  /// The rules that come with Slipcast.
  ///
  /// - Throws: `MappingErrors`; only a broken build can cause it.
  public static func builtIn() throws -> RuleSet { try ofBuild.get() }

  /// Read once: several parts of a command ask for them.
  private static let ofBuild = Result { try RuleSet(overlays: []) }

  /// The built-in rules do not change after the build, so only programs for development check them; a test does it for
  /// optimized ones.
  ///
  /// The check takes a sixth of the instructions of a start.
  private static var checksBuiltIn: Bool {
    #if DEBUG && !OPTIMIZED
      true
    #else
      false
    #endif
  }

  /// The built-in rules with a user's own laid over them.
  ///
  /// A rule with the id of a built-in one replaces it; a new row of the decision table comes before the built-in rows.
  ///
  /// - Parameter overlays: file names (for messages) and contents, in the form of the built-in files.
  /// - Throws: `MappingErrors` with file, line and column of everything that is wrong in any file.
  public init(overlays: [(name: String, bytes: [UInt8])]) throws {
    var errors: [MappingError] = []
    self.overlays = overlays.map(\.bytes)
    let isChecked = Self.checksBuiltIn || !overlays.isEmpty
    for file in RuleCatalog.files {
      let reader = RuleReader(file: file.name + ".json", isOverlay: false, isChecked: isChecked)
      reader.read(file.bytes, into: &self, &errors)
    }
    for file in overlays { RuleReader(file: file.name, isOverlay: true).read(file.bytes, into: &self, &errors) }
    // The rules are checked even when entries have errors: an author wants to see all errors at once.
    if isChecked {
      var check = RuleCheck(rules: self)
      errors += check.run()
    }
    if !errors.isEmpty { throw MappingErrors(sorting: errors) }
    cited = []
    fillInWindows()
    events = Self.events(types)
    addSettledRows()
    for (place, rule) in fields.enumerated() {
      citationsOfField[rule.id] = citations(rule.source, of: rule.to.map(Explainer.last))
      if let to = rule.to { fieldPlaces[rule.family, default: [:]][to] = place }
    }
  }

  /// SHA-256 of all rule files, in lower-case hexadecimal: runs with the same one apply the same rules.
  ///
  /// Made when it is asked for: few commands show it, and it takes a tenth of the instructions of a start.
  package var digest: String {
    let digest = SHA256Stream()
    for bytes in RuleCatalog.files.map(\.bytes) + overlays {
      digest.add("\(bytes.count)\n")
      digest.add(bytes.span)
    }
    return digest.hexadecimal
  }

  private mutating func addSettledRows() {
    comparedTypes = types
    for (place, rule) in types.enumerated() {
      var readings = rule.settleable.enumerated().filter { !$1.settledBy.isEmpty }
        .map { ($0, $1.event, $1.isAbsorbed) }
      if !rule.settledBy.isEmpty { readings.append((-1, rule.to, rule.isAbsorbed)) }
      for (candidate, event, isAbsorbed) in readings {
        var row = rule
        (row.to, row.isAbsorbed, row.accepts) = (event, isAbsorbed, [])
        (row.candidates, row.otherwise) = ([], [])
        row.confidence = .corroborated
        settledPlaces[place, default: [:]][candidate] = comparedTypes.count
        comparedTypes.append(row)
        row.isAbsorbed = true
        comparedTypes.append(row)
      }
    }
  }

  /// The place in `comparedTypes` of a row whose reading is settled.
  func settledPlace(_ row: Int, candidate: Int?, isAbsorbed: Bool) -> Int {
    settledPlaces[row]?[candidate ?? -1].map { $0 + (isAbsorbed ? 1 : 0) } ?? row
  }

  /// The rule of that id.
  public func field(id: String) -> FieldRule? { fields.first { $0.id == id } }

  /// The rule that speaks of a V2 field; `to` is dotted below `data`.
  package func field(family: String, to: String) -> FieldRule? { fieldPlaces[family]?[to].map { fields[$0] } }

  /// The documents behind a field rule; for Apple's collections of data types the page of its V2 name.
  package func citations(of rule: FieldRule) -> [Citation] { citationsOfField[rule.id] ?? [] }

  /// What kind of JSON a V2 field holds; `nil` for a name that the family does not have.
  package static func kind(family: String, to: String) -> FieldKind? { RuleCheck.targets["\(family).\(to)"] }

  /// What a value means, in the vocabulary (`V1`, `V2`) of a field.
  package func meaning(of value: String, in field: String, _ vocabulary: String) -> String? {
    values.first { $0.of == field && $0.value == value && $0.vocabulary == vocabulary }?.meaning
  }

  /// Rows of the decision table that are never reached, each with the row before it that fits whatever it fits.
  package var unreachedTypes: [(row: TypeRule, by: TypeRule)] {
    types.indices.compactMap { place in
      let row = types[place]
      return types[..<place].first { $0.hides(row) }.map { (row, $0) }
    }
  }

  /// Events of user rows without a built-in rule: both words are known, but not their combination.
  package func unheardOfEvents(beside builtIn: RuleSet) -> [(row: TypeRule, event: EventName)] {
    func events(_ row: TypeRule) -> [EventName] {
      [row.to] + row.settleable.map(\.event) + row.accepts + [row.atGraceEnd].compactMap(\.self)
    }
    let known = Set(builtIn.types.flatMap(events) + builtIn.serverEvents.map(\.event))
    return types.filter { overlaid.contains($0.id) }.flatMap { row in
      events(row).filter { $0.notificationType != "*" && !known.contains($0) }.map { (row, $0) }
    }
  }

  /// A file of the decision table is about the V1 type.
  func knows(legacyType name: String) -> Bool { legacyTypes.contains { $0.name == name } }

  /// Apple's documents name the notification type.
  package func knows(type: String) -> Bool { NotificationType(rawValue: type) != nil }

  /// Apple's documents name the subtype; a notification without one has nothing unknown.
  package func knows(subtype: String?) -> Bool { subtype.map { Subtype(rawValue: $0) != nil } ?? true }

  package func vocabulary(_ name: String) -> Set<String> {
    Set(values.lazy.filter { $0.of == name && $0.vocabulary == "V2" }.map(\.value))
  }

  package func comparing(_ way: ComparingRule.Way) -> ComparingRule? { comparing.first { $0.way == way } }

  /// How far the ends of access of both sides may lie apart, in milliseconds: two clocks may differ, and the caller may
  /// have set more for the end of a period.
  package var toleranceOfEnds: Int64 {
    max(comparing(.boundary)?.milliseconds ?? 0, field(id: "transaction.expiresDate")?.comparing.tolerance ?? 0)
  }

  /// The events of rows of the decision table, and those that they accept, each once, in their order.
  private static func events(_ types: [TypeRule]) -> [EventName] {
    var known: Set<EventName> = []
    let events = types.flatMap { $0.events + $0.accepts + $0.otherwise.map(\.event) }.filter {
      $0.notificationType != "*" && known.insert($0).inserted
    }
    return Array(events.prefix(64))
  }

  /// The events that a row of the decision table may mean.
  static func mask(of row: TypeRule, among events: [EventName]) -> EventMask {
    let own = row.events
    return EventMask(rawValue: events.indices.reduce(0) { own.contains(events[$1]) ? $0 | 1 << UInt64($1) : $0 })
  }

  /// The ids of all rules.
  package var ids: Set<String> {
    Set(
      fields.map(\.id) + types.map(\.id) + tracedEvents.map(\.id) + decisions.map(\.id) + storekit.map(\.id)
        + comparing.map(\.id) + receiptAttributes.map(\.id) + inverse.map(\.id) + eras.map(\.id)
        + grouping.pairs.map(\.id))
  }

  /// V2 events that V1 never sends.
  public var serverEvents: [ServerEvent] { tracedEvents.filter { !$0.isSent } }

  /// When V2 went live: no V2 event is older.
  package var serverStart: Era? { eras.first { $0.id == "v2-live" } }

  /// The source of that key.
  public func source(key: String) -> Source? { sources.first { $0.key == key } }
}
