internal import SlipcastDigest
internal import SlipcastV2
package import SlipcastWire

/// All mapping knowledge, read and checked: what the engine applies and `explain` prints.
///
/// Of the built-in rules those that few runs need are read at their first use (`RuleShelf`).
public struct RuleSet: Sendable {
  /// Rules about fields, in file order.
  public internal(set) var fields: [FieldRule]
  /// The decision table for types, in order; the first fitting row decides.
  public var types: [TypeRule] { shelf.read(.types).value.types }
  /// V1's types: the one for all other words, then those that have a file.
  let legacyTypes: [LegacyTypeEntry]
  /// Dates at which meanings changed, oldest first.
  public let eras: [Era]
  /// V2 events that only their traces in an archive show: those that V1 never sends, and those that an archive may lack.
  public var tracedEvents: [ServerEvent] { shelf.read(.serverEvents).value.tracedEvents }
  /// Which messages belong to one action.
  public var grouping: GroupingRules { shelf.read(.grouping).value.grouping }
  /// Windows, limits and orders of evidence that decisions use.
  public let decisions: [DecisionRule]
  /// StoreKit's vocabulary for V2's values.
  public var storekit: [StoreKitRule] { shelf.read(.storekit).value.storekit }
  /// Readings that let unequal values stand side by side.
  public var comparing: [ComparingRule] { shelf.read(.comparing).value.comparing }
  /// The attributes of app receipts, and what verifyReceipt calls them.
  public var receiptAttributes: [ReceiptAttributeRule] { shelf.read(.receiptAttributes).value.receiptAttributes }
  /// How V2 goes back to verifyReceipt responses.
  public var inverse: [InverseRule] { shelf.read(.inverse).value.inverse }
  /// The words in which the decision table asks, with what they mean.
  public var facts: [FactEntry] { shelf.read(.facts).value.facts }
  /// The words in which `settledBy` asks about the other messages of an archive.
  public var archiveFacts: [FactEntry] { shelf.read(.archiveFacts).value.archiveFacts }
  /// Values of vocabularies.
  public var values: [ValueEntry] { shelf.read(.values).value.values }
  /// The words that Slipcast itself prints, with what they mean.
  package var words: [WordFamily] { shelf.read(.words).value.words }
  /// The documents that rules cite.
  public var sources: [Source] { shelf.read(.sources).value.sources }
  /// Ids of rules that overlays added or replaced.
  public let overlaid: Set<String>
  /// Every event that rows of the decision table may mean, each once; at most 64, as many as `EventMask` can count.
  package let events: [EventName]
  let shelf: RuleShelf
  private let conclusions = RuleConclusions()
  /// The content of a user's own files.
  private let overlays: [[UInt8]]

  /// The rules that come with Slipcast.
  ///
  /// - Throws: `MappingErrors`; only a broken build can cause it.
  public static func builtIn() throws -> RuleSet { try ofBuild.get() }

  /// Read once: several parts of a command ask for them.
  private static let ofBuild = Result { try checksBuiltIn ? RuleSet(overlays: []) : readWhenAsked() }

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

  /// The built-in rules, of which most are read at their first use.
  static func readWhenAsked() throws -> RuleSet {
    var (read, heads, errors) = (ReadRules(), DecisionHeads(), [MappingError]())
    for file in RuleCatalog.files {
      switch RuleShelf.Family(of: file) {
      case .types: try heads.add(file)
      case .none: file.read(into: &read, &errors)
      default: break
      }
    }
    if !errors.isEmpty { throw MappingErrors(sorting: errors) }
    read.legacyTypes = heads.types
    return RuleSet(read, RuleShelf(heads.files, WindowWords(read)), heads.events)
  }

  /// The built-in rules with a user's own laid over them.
  ///
  /// A rule with the id of a built-in one replaces it; a new row of the decision table comes before the built-in rows.
  ///
  /// - Parameter overlays: file names (for messages) and contents, in the form of the built-in files.
  /// - Throws: `MappingErrors` with file, line and column of everything that is wrong in any file.
  public init(overlays: [(name: String, bytes: [UInt8])]) throws {
    var (read, errors) = (ReadRules(), [MappingError]())
    let isChecked = Self.checksBuiltIn || !overlays.isEmpty
    for file in RuleCatalog.files { file.read(into: &read, &errors, isChecked: isChecked) }
    for file in overlays { RuleReader(file: file.name, isOverlay: true).read(file.bytes, into: &read, &errors) }
    // The rules are checked even when entries have errors: an author wants to see all errors at once.
    if isChecked {
      var check = RuleCheck(read)
      errors += check.run()
    }
    if !errors.isEmpty { throw MappingErrors(sorting: errors) }
    (read.locations, read.cited) = ([:], [])
    read.fillIn(WindowWords(read))
    self.init(read, overlays: overlays.map(\.bytes))
  }

  /// Rules that were read at once.
  init(_ read: ReadRules, overlays: [[UInt8]] = []) {
    self.init(read, RuleShelf(read), read.types.flatMap(\.named), overlays)
  }

  private init(_ read: ReadRules, _ shelf: RuleShelf, _ named: [EventName], _ overlays: [[UInt8]] = []) {
    (fields, eras, decisions, overlaid) = (read.fields, read.eras, read.decisions, read.overlaid)
    legacyTypes = [LegacyTypeEntry(name: LegacyTypeEntry.anyOther)] + read.legacyTypes
    var events: [EventName] = []
    for event in named where event.notificationType != "*" && !events.contains(event) { events.append(event) }
    self.events = Array(events.prefix(64))
    (self.shelf, self.overlays) = (shelf, overlays)
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

  /// Facts, rows and grouping rules that use a window or an era, by its name.
  var windowUsers: [String: [String]] {
    var found = ReadRules()
    for family in [RuleShelf.Family.facts, .archiveFacts, .types] {
      // Rules that were read at once know all their users: each is added once.
      found.add(users: shelf.read(family).value.windowUsers)
    }
    for pair in grouping.pairs { found.windowUsers[pair.window, default: []].append(pair.id) }
    return found.windowUsers
  }

  // MARK: what follows from rules

  /// The rows of the decision table, then two for each reading that other messages of an archive may settle: as an event
  /// and as a companion.
  package var comparedTypes: [TypeRule] { conclusions.rows(types).value.rows }

  /// The place in `comparedTypes` of a row whose reading is settled.
  func settledPlace(_ row: Int, candidate: Int?, isAbsorbed: Bool) -> Int {
    let place = conclusions.rows(types).value.places[row]?[candidate ?? -1]
    return place.map { $0 + (isAbsorbed ? 1 : 0) } ?? row
  }

  /// The rule that speaks of a V2 field; `to` is dotted below `data`.
  package func field(family: String, to: String) -> FieldRule? {
    conclusions.places(fields)[family]?[to].map { fields[$0] }
  }

  /// The documents behind a field rule; for Apple's collections of data types the page of its V2 name.
  package func citations(of rule: FieldRule) -> [Citation] { conclusions.citations(self)[rule.id] ?? [] }

  /// The rule of that id.
  public func field(id: String) -> FieldRule? { fields.first { $0.id == id } }

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
