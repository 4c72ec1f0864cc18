internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// The first of the two records: a cast of a legacy record, or a V2 record that stands in for one.
struct CastSide {
  /// How much is known about where its values come from.
  enum Origin {
    /// A legacy record was cast here, by this rule: its account is at hand.
    case legacy(rule: String, RuleConfidence)
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
  /// Where the values of both sides come from.
  private(set) var castOrigin = EventHead.Origin.legacy
  let serverOrigin: EventHead.Origin
  /// Values of the account by V2 path.
  var fields: [String: Account.Field] = [:]
  /// Absences of the account by the path of the V2 object.
  var absences: [String: [Absence]] = [:]
  /// V1 values without a V2 field, in the order of the record.
  var losses: [Account.Unmapped] = []
  private var inferred: Set<String> = []

  /// A member that an object lacks, and why.
  struct Absence {
    var name: String
    var reason: Account.Absence.Reason
  }

  /// The cast of a legacy record.
  init(_ cast: Cast, description: String, beside record: V2Record) {
    serverOrigin = record.origin
    switch cast.value {
    case .notification(let value): content = .notification(value)
    case .history(let value): content = .history(value)
    case .statuses(let value): content = .statuses(value)
    }
    origin = .legacy(rule: cast.account.rule, cast.account.confidence)
    self.description = description
    time = cast.asOf?.milliseconds
    for field in cast.account.fields { fields[field.v2Path] = field }
    absences = Self.byObject(cast.account.absent)
    losses = cast.account.unmapped.filter { !$0.v1Path.isSecret }
  }

  /// Absences by the path of their object; those of one object follow each other.
  static func byObject(_ absent: [Account.Absence]) -> [String: [Absence]] {
    var result: [String: [Absence]] = [:]
    var (current, members) = ("", [Absence]())
    for absence in absent {
      let object = absence.v2Path.parentPath
      if object != current {
        result[current, default: []] += members
        (current, members) = (object, [])
      }
      let name = object.isEmpty ? absence.v2Path : String(absence.v2Path.dropFirst(object.count + 1))
      members.append(Absence(name: name, reason: absence.reason))
    }
    result[current, default: []] += members
    return result
  }

  /// The V1 object that a purchase was made from.
  func row(of v2Object: String) -> String? {
    // What is read from the record's top is no row.
    ["purchaseDate", "transactionId", "productId"].lazy
      .compactMap { fields["\(v2Object).\($0)"]?.v1Path?.parentPath }
      .first { !$0.isEmpty }
  }

  /// A V2 record in the place of the legacy one.
  init(_ record: V2Record, beside other: V2Record) {
    content = record.content
    (castOrigin, serverOrigin) = (record.origin, other.origin)
    description = record.description
    if let migration = record.migration, other.migration == nil {
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

  /// True when a value is a conclusion.
  func isInferred(_ path: String, _ account: Account.Field?) -> Bool {
    account?.confidence == .inferred || !inferred.isEmpty && inferred.contains(path)
  }

  /// The row of the decision table behind type and subtype.
  ///
  /// With the confidence of this record, and the other events that it leaves possible.
  func decision(_ rules: RuleSet) -> TypeRule? {
    let name: String?
    let confidence: RuleConfidence?
    switch origin {
    case .legacy(let rule, let known): (name, confidence) = (rule, known)
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
