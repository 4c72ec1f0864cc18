public import SlipcastMapping

/// A legacy record and its V2 counterpart, compared field by field.
public struct Comparison: Hashable, Sendable {
  /// One of the two records.
  public struct Side: Hashable, Sendable {
    /// How the caller names it: a file's path.
    public var name: String
    /// What it is: `version 1 notification DID_RENEW`.
    public var description: String
  }

  /// Something to know about the comparison as a whole.
  public struct Note: Hashable, Sendable {
    /// One word for programs, such as `unverified` or `ignoreUnused`.
    public var code: String
    /// True when a person should look.
    public var isWarning: Bool
    /// One sentence; never a value of the records.
    public var message: String

    /// Makes a note; callers add their own.
    public init(code: String, isWarning: Bool, message: String) {
      (self.code, self.isWarning, self.message) = (code, isWarning, message)
    }
  }

  /// The outcome.
  public enum Verdict: String, CaseIterable, Hashable, Sendable {
    /// Nothing contradicts.
    case parity
    /// At least one difference fails.
    case conflict
  }

  /// The legacy side.
  public var legacy: Side
  /// The V2 side.
  public var server: Side
  /// True when the first record is a version 1 record; otherwise a V2 record takes its place.
  public var isFromVersion1 = true
  /// Every field of either side: V2's in Apple's order, then V1's without a V2 place.
  public var fields: FieldDifferences
  /// What to know about the comparison as a whole.
  public var notes: [Note] = []
  /// What the comparison was made from; `nil` where the caller does not say.
  package var origin: ComparisonOrigin?
  /// Classes that fail besides `conflict`.
  public var strict: Set<DifferenceClass> = []

  /// Number of fields per class; every class has an entry, and together they are all fields.
  public var counts: [DifferenceClass: Int] {
    Dictionary(
      uniqueKeysWithValues: DifferenceClass.allCases.map { differenceClass in
        (differenceClass, fields.facts.count { $0.differenceClass == differenceClass })
      })
  }

  /// Number of fields whose V1 value cannot be read; each of them is in conflict.
  public var unreadableCount: Int { fields.facts.count(where: \.isUnreadable) }

  /// Number of fields that an ignore file took out of the verdict.
  public var ignoredCount: Int { fields.facts.count(where: \.isIgnored) }

  /// True when a field counts against parity.
  public func fails(_ field: FieldDifference) -> Bool {
    field.ignored == nil && isFailing(field.differenceClass)
  }

  /// True when a field counts against parity, by what is known of it.
  package func fails(_ field: FieldDifferences.Facts) -> Bool { !field.isIgnored && isFailing(field.differenceClass) }

  private func isFailing(_ differenceClass: DifferenceClass) -> Bool {
    differenceClass == .conflict || strict.contains(differenceClass)
  }

  /// The conditions that decide, each with its outcome: `conflicts`, and `strict CLASS` for each class that fails too.
  package var gates: [ParityResult.Gate] {
    ([.conflict] + strict.subtracting([.conflict]).sorted()).map { differenceClass in
      let count = fields.facts.count { $0.differenceClass == differenceClass && fails($0) }
      let name = differenceClass == .conflict ? "conflicts" : "strict \(differenceClass.rawValue)"
      let words = differenceClass == .conflict ? "in conflict" : differenceClass.rawValue
      return ParityResult.Gate(
        name: name, holds: count == 0,
        message: count == 0
          ? "no field is \(words)" : "\(count) of \(fields.count) fields \(count == 1 ? "is" : "are") \(words)")
    }
  }

  /// The outcome.
  public var verdict: Verdict { fields.facts.contains { fails($0) } ? .conflict : .parity }
}
