internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// A value of a V2 object, as far as V1 could have it.
enum V2Value: Sendable {
  case text(String)
  case integer(Int64)
  case boolean(Bool)
  /// A list or an object: V1 has nothing like it.
  case other

  init?(_ element: JSONElement) {
    switch element.kind {
    case .string: self = .text(element.string ?? "")
    case .number: self = element.milliseconds.map(V2Value.integer) ?? .other
    case .true, .false: self = .boolean(element.kind == .true)
    case .null: return nil
    default: self = .other
    }
  }

  /// The value as conditions of rules name it.
  var word: String {
    switch self {
    case .text(let text): text
    case .integer(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .other: ""
    }
  }
}

/// A transaction or a renewal info of V2, with what is known about each of its values.
struct V2Part: Sendable {
  enum Kind: String, Sendable { case transaction, renewal, appTransaction }

  var kind: Kind
  var values: [String: V2Value]
  /// Members that a conversion from V1 concluded.
  var inferred: Set<String> = []
  /// It was converted from V1.
  var isConverted = false
  /// The record, and the place in it.
  var origin: String
  /// Later ones say more: when it was signed, else when its record was.
  var signedDate: Int64?
  var environment: String?
  var bundleId: String?

  func text(_ member: String) -> String? {
    switch values[member] {
    case .text(let text): text.isEmpty ? nil : text
    case .integer(let number): "\(number)"
    default: nil
    }
  }

  func integer(_ member: String) -> Int64? {
    switch values[member] {
    case .integer(let number): number
    case .text(let text): Int64(text)
    default: nil
    }
  }

  /// Whether all conditions hold; `nil` where a member is missing that would decide it.
  ///
  /// Without the first member the object does not have what is asked about.
  func holds(_ conditions: [InverseRule.Condition]) -> Bool? {
    for (place, condition) in conditions.enumerated() {
      guard let word = values[condition.member]?.word else {
        if place == 0 { return false }
        guard isConverted else { return nil }
        guard condition.values.contains(InverseRule.Condition.converted) else { return false }
        continue
      }
      guard condition.values.contains(word) != condition.isNegated else { return false }
    }
    return true
  }

  /// The ids that lead to further records: each record of a transaction also names the original one.
  var leads: Set<String> {
    let leads = Set(["originalTransactionId", "appTransactionId"].compactMap { text($0) })
    return leads.isEmpty ? ids : leads
  }

  /// The ids by which the customer is found.
  var ids: Set<String> {
    Set(["originalTransactionId", "transactionId", "appTransactionId"].compactMap { text($0) })
  }
}

/// An app in an environment: the ids of transactions are unique there.
struct CustomerScope: Hashable, Sendable {
  var environment: String
  /// `nil` where a record does not name it.
  var bundleId: String?

  func contains(_ part: V2Part) -> Bool {
    guard (part.environment ?? environment) == environment else { return false }
    guard let bundleId, let other = part.bundleId else { return true }
    return bundleId.isSameSpelling(as: other)
  }
}
