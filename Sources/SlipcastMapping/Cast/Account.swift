@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) package import SlipcastWire

/// The full account of one cast: where every V2 value came from and what became of every V1 value.
public struct Account: Hashable, Sendable {
  /// A V2 value that was written.
  public struct Field: Hashable, Sendable {
    /// Dotted path in the output.
    public var v2Path: String
    /// The rule that made it.
    public var rule: String
    /// Dotted path of the V1 value it was read from; `nil` when it was made without one.
    public var v1Path: String?
    /// That value as JSON text; `nil` for arrays and objects.
    ///
    /// It stands in no provenance file.
    public var v1Value: String?
    /// How the two relate.
    public var relation: Relation
    /// How well the value is known.
    public var confidence: RuleConfidence
  }

  /// A V1 value or object that no field of this output was made from.
  public struct Unmapped: Hashable, Sendable {
    /// Dotted path of the V1 value.
    public var v1Path: String
    /// The value as JSON text; `nil` for arrays, objects, the shared secret, and under a key that no rule knows.
    ///
    /// It stands in no provenance file.
    public var v1Value: String?
    /// True for an array or object.
    public var isContainer: Bool
    /// The rule that says so, or `nil` for a key that no rule knows.
    public var rule: String?
    /// Why it has no field of its own.
    public var reason: String
    /// For a repeated value the V2 path of the field that holds it, or whose absence does; `nil` otherwise.
    public var heldBy: String?
    /// True for a value that cannot be read as what Apple documents under its key.
    public var isUnreadable: Bool
    /// Which list it belongs to, and whether its field can be compared.
    package var fate: ValueFate
    /// Its place in the record, for one order over all lists.
    package var place: Int

    package init(
      v1Path: String, v1Value: String? = nil, isContainer: Bool = false, rule: String?, reason: String,
      heldBy: String? = nil, isUnreadable: Bool = false, fate: ValueFate = .lost, place: Int = .max
    ) {
      (self.v1Path, self.v1Value, self.isContainer) = (v1Path, v1Value, isContainer)
      (self.rule, self.reason, self.heldBy) = (rule, reason, heldBy)
      (self.isUnreadable, self.fate, self.place) = (isUnreadable, fate, place)
    }
  }

  /// A V2 field that stays absent.
  public struct Absence: Hashable, Sendable {
    /// Dotted path in the output.
    public var v2Path: String
    /// The rule that speaks of it.
    public var rule: String
    /// Why it stays absent.
    public var reason: Reason

    /// Why a V2 field stays absent.
    public enum Reason: String, CaseIterable, Hashable, Sendable {
      /// Nothing in V1 could tell it.
      case noV1Source
      /// The V1 object that could tell it is not in the record, or is of a form without such a key.
      case objectAbsentInV1
      /// The V1 object is there and has no such key.
      case absentInV1
      /// V1 says that there is none.
      case noneInV1
      /// V1 says something, but not enough.
      case undetermined
    }
  }

  /// The row of the decision table, or the rule of the whole output.
  public var rule: String
  /// How well the event is known.
  public var confidence: RuleConfidence
  /// Every V2 value that was written, in output order.
  public var fields: [Field] = []
  /// V1 values that V2 cannot hold, in the order of the record.
  public var lost: [Unmapped] = []
  /// V1 values that a V2 field holds already: a text date next to its `_ms` key, a flag that says no.
  public var repeated: [Unmapped] = []
  /// V1 objects that other messages or other outputs report: older periods, other subscriptions.
  public var elsewhere: [Unmapped] = []
  /// Every V2 field that stays absent.
  public var absent: [Absence] = []
  /// What a person should know.
  public var findings: [Finding] = []

  /// The values of all three lists, in the order of the record.
  package var unmapped: [Unmapped] { (lost + repeated + elsewhere).sorted { $0.place < $1.place } }
}

extension Account {
  /// The account as members of a JSON object, without braces.
  package func writeMembers(to writer: JSONWriter) {
    writer.member("rule", rule)
    writer.member("confidence", confidence.rawValue)
    writer.list("fields", fields) { field in
      writer.member("v2Path", field.v2Path)
      writer.member("rule", field.rule)
      if let path = field.v1Path { writer.member("v1Path", path) }
      writer.member("relation", field.relation.rawValue)
      writer.member("confidence", field.confidence.rawValue)
    }
    writer.list("lost", lost) { loss in
      writer.member("v1Path", loss.v1Path)
      if let rule = loss.rule { writer.member("rule", rule) }
      if loss.isUnreadable {
        writer.key("unreadable")
        writer.boolean(true)
      }
      writer.member("reason", loss.reason)
    }
    writer.list("repeated", repeated) { value in
      writer.member("v1Path", value.v1Path)
      if let path = value.heldBy { writer.member("heldBy", path) }
      if let rule = value.rule { writer.member("rule", rule) }
      writer.member("reason", value.reason)
    }
    writer.list("elsewhere", elsewhere) { value in
      writer.member("v1Path", value.v1Path)
      if let rule = value.rule { writer.member("rule", rule) }
      writer.member("reason", value.reason)
    }
    writer.list("absent", absent) { absence in
      writer.member("v2Path", absence.v2Path)
      writer.member("rule", absence.rule)
      writer.member("reason", absence.reason.rawValue)
    }
    writer.list("findings", findings) { $0.writeMembers(to: writer) }
  }
}

extension Finding {
  package func writeMembers(to writer: JSONWriter) {
    writer.member("code", code)
    writer.member("severity", severity.rawValue)
    writer.member("path", path.description)
    writer.member("message", message)
  }
}
