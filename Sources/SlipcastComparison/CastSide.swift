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
  /// Values of the account by V2 path.
  var fields: [String: Account.Field] = [:]
  /// Absences of the account by V2 path.
  var absences: [String: Account.Absence.Reason] = [:]
  /// V1 values without a V2 place, in the order of the record.
  var losses: [Account.Loss] = []
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
    losses = cast.account.lost.filter { !$0.v1Path.isSecret }
  }

  /// A V2 record in the place of the legacy one.
  init(_ record: V2Record, isOtherCast: Bool) {
    content = record.content
    description = record.description
    if let migration = record.migration, !isOtherCast {
      origin = .cast(migration)
      inferred = Set(migration.inferred ?? [])
    } else {
      origin = .plain
    }
    if case .notification(let value) = content { time = value.signedDate?.milliseconds }
  }

  /// True when the first record is a legacy record or made of one, and the second one is not.
  var isFromLegacy: Bool {
    if case .plain = origin { false } else { true }
  }

  /// True when a value is a conclusion.
  func isInferred(_ path: String) -> Bool { fields[path]?.confidence == .inferred || inferred.contains(path) }

  /// The row of the decision table behind type and subtype.
  func decision(_ rules: RuleSet) -> TypeRule? {
    switch origin {
    case .legacy(let account): rules.types.first { $0.id == account.rule }
    case .cast(let migration): rules.types.first { $0.id == migration.rule }
    case .plain: nil
    }
  }
}

extension String {
  /// The path of the shared secret, wherever it stands.
  var isSecret: Bool { self == "password" || hasSuffix(".password") }
}
