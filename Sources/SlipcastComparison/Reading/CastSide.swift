internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// The first of the two records: a cast of a legacy record, or a V2 record that stands in for one.
struct CastSide {
  /// How much is known about where its values come from.
  enum Origin {
    /// A legacy record was cast here: its account is at hand.
    case legacy(Account)
    /// A cast made earlier: `migration` names its conclusions.
    case cast(Migration)
    /// A V2 record like the other one.
    case plain
  }

  var content: V2Record.Content
  var origin: Origin
  /// What it is, in words.
  var description: String
  /// The time at which its states were judged, milliseconds since 1970 UTC.
  var time: Int64?
  /// One record is a cast and the other is not: the id that Slipcast made is no contradiction of Apple's.
  private(set) var isOneOfTwoCast = true
  /// Values of the account by V2 path.
  var fields: [String: Account.Field] = [:]
  /// Absences of the account by V2 path.
  var absences: [String: Account.Absence.Reason] = [:]
  /// V1 values without a V2 field, in the order of the record.
  var losses: [Account.Unmapped] = []
  /// The V1 objects that each V2 object was made from, by the paths of both.
  private(set) var objects: [String: Set<String>] = [:]
  private var inferred: Set<String> = []

  /// The cast of a legacy record.
  init(_ cast: Cast, description: String) {
    switch cast.value {
    case .notification(let value): content = .notification(value)
    case .history(let value): content = .history(value)
    case .statuses(let value): content = .statuses(value)
    }
    origin = .legacy(cast.account)
    self.description = description
    time = cast.asOf?.milliseconds
    for field in cast.account.fields { fields[field.v2Path] = field }
    for absence in cast.account.absent { absences[absence.v2Path] = absence.reason }
    losses = cast.account.unmapped.filter { !$0.v1Path.isSecret }
    findObjects()
  }

  /// To be called when `fields` has changed.
  mutating func findObjects() {
    objects = [:]
    for field in fields.values {
      if let path = field.v1Path { objects[field.v2Path.parentPath, default: []].insert(path.parentPath) }
    }
  }

  /// The V1 object that a purchase was made from.
  func row(of v2Object: String) -> String? {
    // What is read from the record's top is no row.
    ["purchaseDate", "transactionId", "productId"].lazy
      .compactMap { fields["\(v2Object).\($0)"]?.v1Path?.parentPath }
      .first { !$0.isEmpty }
  }

  /// A V2 record in the place of the legacy one.
  init(_ record: V2Record, isOtherCast: Bool) {
    content = record.content
    isOneOfTwoCast = (record.migration != nil) != isOtherCast
    description = record.description
    if let migration = record.migration, !isOtherCast {
      origin = .cast(migration)
      inferred = Set(migration.inferred ?? [])
    } else {
      origin = .plain
    }
    if case .notification(let value) = content { time = value.signedDate?.milliseconds }
    dropCompanion(record.migration)
  }

  /// True when the first record is a legacy record or made of one, and the second one is not.
  var isFromLegacy: Bool {
    if case .plain = origin { false } else { true }
  }

  /// True when the first record is a version 1 record.
  var isVersion1: Bool {
    if case .legacy = origin { true } else { false }
  }

  /// The cast's `notificationType`.
  var eventType: String? {
    if case .notification(let value) = content { value.notificationType?.rawValue } else { nil }
  }

  /// True when a value is a conclusion.
  func isInferred(_ path: String) -> Bool { fields[path]?.confidence == .inferred || inferred.contains(path) }

  /// The row of the decision table behind type and subtype.
  ///
  /// With the confidence of this record, and the other events that it leaves possible.
  func decision(_ rules: RuleSet) -> TypeRule? {
    let name: String?
    let confidence: RuleConfidence?
    switch origin {
    case .legacy(let account): (name, confidence) = (account.rule, account.confidence)
    case .cast(let migration):
      (name, confidence) = (migration.rule, migration.confidence.flatMap { RuleConfidence(rawValue: $0.rawValue) })
    case .plain: return nil
    }
    guard var row = rules.types.first(where: { $0.id == name }) else { return nil }
    if let confidence { row.confidence = confidence }
    if case .notification(let value) = content { row.accepts += (value.migration?.accepts ?? []).map(EventName.init) }
    return row
  }
}

extension String {
  /// The path of the shared secret, wherever it stands.
  var isSecret: Bool { self == "password" || hasSuffix(".password") }
}
