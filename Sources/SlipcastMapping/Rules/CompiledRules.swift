@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// A field rule, ready to apply: names have become places.
final class CompiledRule: @unchecked Sendable {
  // Safe to share: every property is constant, and the memory behind `sources` is written once, in `init`.
  struct Source: Sendable {
    let scope: LegacyScope
    let key: LegacyKey
    /// It belongs to another object than the rule's own, and counts where that one is silent.
    let isStandIn: Bool
  }

  /// The place in `RuleSet.fields`.
  let number: UInt16
  let slot: Int
  /// In memory of their own: an array would be retained and released for every field of every record.
  let sources: UnsafeBufferPointer<Source>
  /// The date that the rule's keys spell, for the transform `instant`.
  let instant: LegacyInstant?
  /// It fills the renewal information.
  let isOfRenewal: Bool
  let isInferred: Bool
  let apply: Transform.Function

  init(_ rule: FieldRule, number: Int, slot: Int, _ transform: Transform) {
    let places = rule.places
    let own = places.first?.scope
    isOfRenewal = own == .pending_renewal_info
    let isOfRow = isOfRenewal || own == .latest_receipt_info
    let copy = UnsafeMutableBufferPointer<Source>.allocate(capacity: places.count)
    _ = copy.initialize(
      from: places.map { Source(scope: $0.scope, key: $0.key, isStandIn: isOfRow && $0.scope != own) })
    sources = UnsafeBufferPointer(copy)
    (self.number, self.slot, apply) = (UInt16(number), slot, transform.apply)
    instant = places.first.flatMap { LegacyInstant.of($0.key) }
    isInferred = rule.confidence == .inferred
  }

  deinit { sources.deallocate() }
}

/// A row of the decision table, ready to match and to write.
final class CompiledDecision: Sendable {
  let number: Int
  let condition: FactCondition
  /// An event that a message may be.
  final class Reading: Sendable {
    /// `nil`: V1's own word.
    let notificationType: Literal?
    let subtype: Literal?
    let event: EventName
    let isAbsorbed: Bool
    /// Archive facts that settle it; each number is one sufficient condition.
    let settledBy: [UInt64]
    /// Facts of the record that contradict what it needs.
    let disproofs: [FactCondition]
    /// Archive facts that do; each number is one sufficient condition.
    let disprovedBy: [UInt64]
    /// The event itself.
    let mask: EventMask
    /// The same event with an offer.
    let withOffer: EventMask

    init(
      _ event: EventName, isAbsorbed: Bool, settledBy: [String], disprovedBy: [String] = [], eras: [Era] = [],
      among events: [EventName]
    ) {
      mask = EventMask(rawValue: events.firstIndex(of: event).map { 1 << UInt64($0) } ?? 0)
      self.disprovedBy = CompiledDecision.bits(disprovedBy)
      disproofs = disprovedBy.filter { ArchiveFact.bits(of: $0) == nil }
        .compactMap { FactCondition(all: ArchiveFact.names(in: $0), none: [], eras: eras) }
      let offered = EventName(notificationType: NotificationType.offerRedeemed.rawValue, subtype: event.subtype)
      withOffer = EventMask(rawValue: events.firstIndex(of: offered).map { 1 << UInt64($0) } ?? 0)
      notificationType = event.notificationType == "*" ? nil : Literal(event.notificationType)
      subtype = event.subtype.map(Literal.init)
      (self.event, self.isAbsorbed) = (event, isAbsorbed)
      self.settledBy = CompiledDecision.bits(settledBy)
    }

    func free() {
      for literal in [notificationType, subtype] { literal?.free() }
    }
  }

  /// What the row reads a message as: its event, or its best candidate.
  let own: Reading
  /// All candidates of an ambiguous row, or the other readings that other messages can show of a row with one.
  let readings: [Reading]
  /// Messages of the type may be companions of a purchase or recovery that another message reports.
  let mayAccompany: Bool
  /// Archive facts that confirm the row's own reading, and those that contradict it.
  let settledBy, contradictedBy: [UInt64]
  /// Archive facts that make the readings of another row possible, and that row.
  let doubt: (by: [UInt64], row: CompiledDecision)?
  let finding: (code: String, message: String)?
  /// The event is a purchase, after a lapse or for an upgrade, and nothing else fits.
  let isPurchase: Bool
  /// The event, or one of its readings, is a return after a lapse.
  let isReturn: Bool
  /// One of the events that V2 may send is a renewal.
  let mayBeRenewal: Bool
  let isAmbiguous: Bool
  /// Other events that V2 may send for the same message.
  let accepts: EventMask
  let confidence: Confidence
  /// The events that the row may mean.
  let events: EventMask
  /// These, and the others that V2 may send for the same message.
  var possible: EventMask { events.union(accepts) }
  /// The members of `migration` that do not change from record to record, by the confidence of the record.
  private let migrations: [Confidence: (model: Migration, text: Literal)]

  /// Other messages of an archive can settle or contradict the row's reading.
  var isSettleable: Bool {
    !settledBy.isEmpty || !contradictedBy.isEmpty || doubt != nil
      || readings.contains { !$0.settledBy.isEmpty || !$0.disprovedBy.isEmpty }
  }

  /// The rules must have passed `RuleCheck`.
  private static func bits(_ conditions: [String]) -> [UInt64] {
    conditions.compactMap { ArchiveFact.bits(of: $0) }
  }

  /// Those members, for a record of that confidence.
  func migration(_ confidence: Confidence) -> Migration {
    migrations[max(confidence, self.confidence)]?.model ?? Migration()
  }

  /// The same as JSON text, without braces.
  func migrationText(_ confidence: Confidence) -> JSONText? { migrations[max(confidence, self.confidence)]?.text.text }

  /// - Parameter other: the row that `doubtedAs` names.
  init?(
    _ rule: TypeRule, _ number: Int, of type: LegacyType, doubt other: CompiledDecision?, eras: [Era],
    among all: [EventName]
  ) {
    guard let condition = FactCondition(all: rule.all, none: rule.none, eras: eras) else { return nil }
    self.number = number
    self.condition = condition
    own = Reading(rule.to, isAbsorbed: rule.isAbsorbed, settledBy: [], among: all)
    readings = rule.settleable.map {
      Reading(
        $0.event, isAbsorbed: $0.isAbsorbed, settledBy: $0.settledBy, disprovedBy: $0.disprovedBy, eras: eras,
        among: all)
    }
    mayAccompany =
      type.changesAutoRenew || type.is(.laterPurchase)
    (settledBy, contradictedBy) = (Self.bits(rule.settledBy), Self.bits(rule.contradictedBy))
    doubt = other.map { (Self.bits(rule.doubtedBy), $0) }
    finding = rule.finding
    isAmbiguous = !rule.candidates.isEmpty
    isReturn = rule.events.contains { $0.subtype == Subtype.resubscribe.rawValue }
    let possible = rule.events + rule.accepts + rule.otherwise.map(\.event)
    mayBeRenewal = possible.contains { $0.notificationType == NotificationType.didRenew.rawValue }
    isPurchase =
      (rule.to.subtype == Subtype.resubscribe.rawValue || rule.to.subtype == Subtype.upgrade.rawValue)
      && rule.candidates.isEmpty
    confidence = rule.confidence
    accepts = EventMask(
      rawValue: all.indices.reduce(0) { rule.accepts.contains(all[$1]) ? $0 | 1 << UInt64($1) : $0 })
    events = RuleSet.mask(of: rule, among: all)
    let writer = JSONWriter(capacity: 256)
    migrations = Dictionary(
      uniqueKeysWithValues: Confidence.allCases.filter { $0 >= rule.confidence }
        .map { confidence in
          let model = Self.migration(rule, confidence)
          writer.clear()
          model.writeMembers(to: writer)
          return (confidence, (model, Literal(writer.string)))
        })
  }

  private static func migration(_ rule: TypeRule, _ confidence: Confidence) -> Migration {
    var migration = Migration()
    (migration.rule, migration.confidence) = (rule.id, .known(confidence))
    if !rule.candidates.isEmpty {
      migration.candidates = rule.candidates.map { MigrationCandidate($0.event, needs: $0.needs) }
    }
    if rule.isAbsorbed {
      var absorbed = MigrationAbsorbed()
      (absorbed.into, absorbed.rule) = (rule.to.description, rule.id)
      migration.absorbed = absorbed
    }
    return migration
  }

  deinit {
    for reading in readings + [own] { reading.free() }
    for migration in migrations.values { migration.text.free() }
  }
}

/// Text for cells to point to; whoever made it frees it, or never does.
struct Literal: @unchecked Sendable {
  // Safe to share: written once before anyone else sees it, and freed with the compiled rules, which outlive the cells.
  let text: JSONText

  init(_ string: String) {
    let bytes = Array(string.utf8)
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
    copy.initialize(from: bytes, count: bytes.count)
    text = JSONText(base: copy, count: bytes.count, isVerbatim: true)
  }

  func free() { text.base.deallocate() }
}

/// Rules turned into places and functions, once; shared by all workers.
final class CompiledRules: Sendable {
  let rules: RuleSet
  let fieldRules: [[CompiledRule]]
  /// By the number of a type its rows of the decision table, compiled when its first record comes.
  private let tables: [DecisionTable]
  let eraStarts: [Int64]
  /// No era starts later.
  let newestEra: Int64
  /// Events that V2 cannot have sent before a date, by that date.
  let eventStarts: [(events: EventMask, start: Int64)]
  /// When Apple introduced win-back offers.
  let winBackStart: Int64?
  let parameters: DecisionParameters
  /// V1's types with their words; the first one, for all other words, has none.
  private let typesOfWords: [(word: Literal, type: LegacyType)]
  /// The events that rows of the decision table may mean, as `EventMask` counts them.
  let events: [EventName]
  /// By kind of output, object and key: the rule about a legacy value without a V2 field.
  let lossNotes: [Int16]
  /// What accounts ask about rules, by rule.
  let accountRules: [AccountRule]
  /// By rule the relations of single V1 keys, by the number of the key.
  let relationsOfKeys: [Int: [UInt16: Relation]]
  /// Fields that rules could fill, by `ObjectPart`.
  let absences: [[CompiledAbsence]]
  /// The attributes of app receipts by the keys that they fill.
  let attributes: [KeyPlace: ReceiptAttributeRule]

  struct KeyPlace: Hashable {
    let scope: LegacyScope
    let key: LegacyKey
  }

  /// The rules must have passed `RuleCheck`.
  init(_ rules: RuleSet) {
    self.rules = rules
    fieldRules = ObjectPart.allCases.map { Self.compile(rules, filling: $0) }
    eraStarts = rules.eras.map(\.milliseconds)
    newestEra = eraStarts.max() ?? .min
    winBackStart = rules.eras.first { $0.id == "win-back" }?.milliseconds
    parameters = DecisionParameters(rules)
    let events = rules.events
    self.events = events
    eventStarts = parameters.eventStarts.map { name, start in
      let bits = events.indices.filter { place in
        events[place].notificationType == name.notificationType
          && (name.subtype == nil || events[place].subtype == name.subtype)
      }
      return (EventMask(rawValue: bits.reduce(0) { $0 | 1 << UInt64($1) }), start)
    }
    typesOfWords = zip(rules.legacyTypes, parameters.types).dropFirst().map { (Literal($0.name), $1) }
    tables = DecisionTable.all(of: rules)
    let places = rules.fields.map(\.places)
    var rulesOfKey: [KeyPlace: [Int]] = [:]
    for number in rules.fields.indices {
      for place in places[number] { rulesOfKey[place, default: []].append(number) }
    }
    lossNotes = Self.lossNotes(rules, rulesOfKey)
    accountRules = rules.fields.map(AccountRule.init)
    relationsOfKeys = Dictionary(
      uniqueKeysWithValues: rules.fields.enumerated().map { number, rule in
        let relations = rule.comparing.relations.map { name, relation in
          (LegacyKey(name: name).map { UInt16($0.rawValue) } ?? JSONEntry.unknownKey, relation)
        }
        return (number, Dictionary(relations) { first, _ in first })
      })
    absences = Self.absences(rules, places)
    let filled = rules.receiptAttributes.flatMap { rule in
      rule.keys.map { (KeyPlace(scope: rule.scope, key: $0), rule) }
    }
    attributes = Dictionary(filled) { first, _ in first }
  }

  deinit {
    for known in typesOfWords { known.word.free() }
  }

  /// The rows of the decision table for a type.
  @inline(__always)
  func decisions(of type: LegacyType) -> DecisionTable.Rows { tables[type.number].rows(of: self) }

  /// The rows for all types.
  var allDecisions: [CompiledDecision] { tables.flatMap { $0.rows(of: self).all } }

  /// The type of that `notification_type`.
  func type(of text: JSONText) -> LegacyType { typesOfWords.first { $0.word.text == text }?.type ?? .unknown }

  /// The word of a type; `*` for one that has no file.
  func name(of type: LegacyType) -> String {
    rules.legacyTypes.indices.contains(type.number) ? rules.legacyTypes[type.number].name : LegacyTypeEntry.anyOther
  }

  private static func compile(_ rules: RuleSet, filling part: ObjectPart) -> [CompiledRule] {
    rules.fields.enumerated().compactMap { number, rule in
      guard let slot = part.name(of: rule).flatMap(part.schema.slot), let transform = rule.transform
      else { return nil }
      return CompiledRule(rule, number: number, slot: slot, transform)
    }
  }
}

extension Cell {
  init(_ literal: Literal, source: Int = 0) { self.init(literal.text, source: source) }
}

extension FieldRule {
  /// The object that keys without a dot belong to.
  static let scopeOfFamily: [String: LegacyScope] = [
    "transaction": .latest_receipt_info, "renewal": .pending_renewal_info, "notification": .responseBodyV1,
    "receipt": .verifyReceipt, "statuses": .verifyReceipt,
    "app-transaction": .verifyReceipt,
  ]

  /// The legacy fields that the rule names; unknown names are left out (`RuleCheck` reports them).
  var places: [CompiledRules.KeyPlace] { from.compactMap { place(of: $0) } }

  func place(of name: String) -> CompiledRules.KeyPlace? {
    let parts = name.parts(at: ".", maxSplits: 1)
    guard let keyName = parts.last, let key = LegacyKey(name: keyName) else { return nil }
    if parts.count == 1 { return Self.scopeOfFamily[family].map { CompiledRules.KeyPlace(scope: $0, key: key) } }
    let scope =
      parts[0] == "latest_expired_receipt_info" ? LegacyScope.latest_receipt_info : LegacyScope(rawValue: parts[0])
    return scope.map { CompiledRules.KeyPlace(scope: $0, key: key) }
  }
}
