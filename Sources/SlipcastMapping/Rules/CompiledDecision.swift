internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

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
  private let rule: TypeRule
  /// The members of `migration` that do not change from record to record, by the confidence of the record.
  private let migrations = Confidence.allCases.map { _ in Later<PreparedMigration>() }

  /// Other messages of an archive can settle or contradict the row's reading.
  var isSettleable: Bool {
    !settledBy.isEmpty || !contradictedBy.isEmpty || doubt != nil
      || readings.contains { !$0.settledBy.isEmpty || !$0.disprovedBy.isEmpty }
  }

  /// The rules must have passed `RuleCheck`.
  private static func bits(_ conditions: [String]) -> [UInt64] {
    conditions.compactMap { ArchiveFact.bits(of: $0) }
  }

  /// The id of the row.
  var id: String { rule.id }

  /// Those members, for a record of that confidence.
  func migration(_ confidence: Confidence) -> Migration { prepared(confidence).value.model }

  /// The same as JSON text, without braces.
  func migrationText(_ confidence: Confidence) -> JSONText { prepared(confidence).value.text.text }

  private func prepared(_ confidence: Confidence) -> Later<PreparedMigration>.Made {
    let known = max(confidence, self.confidence)
    return migrations[known.place].made { PreparedMigration(rule, known) }
  }

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
    mayBeRenewal = rule.named.contains { $0.notificationType == NotificationType.didRenew.rawValue }
    isPurchase =
      (rule.to.subtype == Subtype.resubscribe.rawValue || rule.to.subtype == Subtype.upgrade.rawValue)
      && rule.candidates.isEmpty
    confidence = rule.confidence
    accepts = EventMask(
      rawValue: all.indices.reduce(0) { rule.accepts.contains(all[$1]) ? $0 | 1 << UInt64($1) : $0 })
    events = RuleSet.mask(of: rule, among: all)
    self.rule = rule
  }

  deinit {
    for reading in readings + [own] { reading.free() }
  }
}

/// What `migration` says of a row alone, and its text.
private final class PreparedMigration: Sendable {
  let model: Migration
  let text: Literal

  init(_ rule: TypeRule, _ confidence: Confidence) {
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
    let writer = JSONWriter(capacity: 256)
    migration.writeMembers(to: writer)
    (model, text) = (migration, Literal(writer.string))
  }

  deinit { text.free() }
}
