public import SlipcastLegacy
public import SlipcastV2

/// How one V2 member goes back to a key of V1's `verifyReceipt`, or why it does not.
///
/// A rule either writes a key (`key`, `way`), says that a member has no key (neither), or names keys that V2 cannot fill
/// (`unfilled`).
public struct InverseRule: Hashable, Sendable {
  /// How the value is written.
  public enum Way: String, CaseIterable, Hashable, Sendable {
    /// A text, or a number as text.
    case text
    /// A yes or no, or its number, as `"1"` or `"0"`.
    case digit
    /// `"true"` where it is true; a no is the missing key.
    case trueOnly
    /// `"true"` where `when` holds, `"false"` where it does not; nothing where that is unknown.
    case truth
    /// A date as text in UTC, in milliseconds (`_ms`), and as text on a Pacific clock (`_pst`).
    case dates
  }

  /// A condition: the member has, or has not, one of these values.
  public struct Condition: Hashable, Sendable {
    /// The V2 member.
    public var member: String
    /// Its values, numbers and flags as text.
    ///
    /// `(converted)` is its absence in a record that was converted from V1.
    public var values: [String]
    /// True where it must have another value than these.
    public var isNegated: Bool
  }

  /// `verify-receipt.`, the object, and the key or member.
  public var id: String
  /// The V1 object: `latest_receipt_info`, `pending_renewal_info`, or `verifyReceipt` for the answer itself.
  public var scope: LegacyScope
  /// The V1 key; dates also have its `_ms` and `_pst`.
  public var key: LegacyKey?
  /// The V2 members that decide it; the first one is written.
  public var from: [String]
  /// How the value is written; `nil` when nothing is.
  public var way: Way?
  /// All must hold for the key to be written, or for the finding.
  public var when: [Condition]
  /// The member without which the key is not written.
  public var needs: String?
  /// The member without which the value is unknown in a record that was converted from V1.
  public var convertedNeeds: String?
  /// Entries of `receipt.in_app` do not have the key.
  public var isLatestOnly: Bool
  /// The key is also written from a value that a conversion inferred, because V1's own key says the same.
  public var takesInferred: Bool
  /// A finding where `when` holds: the value cannot be expressed.
  public var finding: String?
  /// The key whose absence the finding explains.
  public var absentKey: LegacyKey?
  /// Keys of V1 that V2 cannot fill.
  public var unfilled: [LegacyKey]
  /// Traps, or why something is lost.
  public var note: String?
  /// How well it is known.
  public var confidence: Confidence
  /// Keys of `sources.json`.
  public var source: String

  /// The V2 object that the members belong to, as the field rules name its family.
  package var family: String? { Self.families[scope] }

  static let families: [LegacyScope: String] = [
    .latest_receipt_info: "transaction", .pending_renewal_info: "renewal", .verifyReceipt: "receipt",
  ]

  /// The keys that the rule is about, behind their object.
  package var paths: [String] {
    let keys = key.map { key in way == .dates ? [key.name, "\(key.name)_ms", "\(key.name)_pst"] : [key.name] }
    return ((keys ?? []) + unfilled.map(\.name)).map { "\(scope.rawValue).\($0)" }
  }

  /// The conditions in words: `offerType is 1 and offerDiscountType is FREE_TRIAL`.
  package var conditions: String { when.map(\.words).joined(separator: " and ") }

  /// How the key is written, in words.
  package var explanation: String? {
    switch way {
    case .text: "the same as text"
    case .digit: "\"1\" or \"0\""
    case .trueOnly: "\"true\" where it is true, else no key"
    case .truth: "\"true\" where \(conditions), else \"false\""
    case .dates: "in UTC, in milliseconds (_ms), and on a Pacific clock (_pst)"
    case nil: nil
    }
  }
}

extension InverseRule.Condition {
  /// Stands for the absence of a member in a record that was converted from V1.
  package static let converted = "(converted)"

  /// `!1|2`: not 1 and not 2.
  init(member: String, text: String) {
    let isNegated = text.hasPrefix("!")
    self.init(
      member: member, values: text.drop { $0 == "!" }.split(separator: "|").map(String.init), isNegated: isNegated)
  }

  var words: String { "\(member) is \(isNegated ? "not " : "")\(values.joined(separator: " or "))" }
}
