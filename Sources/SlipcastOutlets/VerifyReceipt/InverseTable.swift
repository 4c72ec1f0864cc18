internal import SlipcastLegacy
internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// The rules of the way back, by the V1 object that they are about.
struct InverseTable: Sendable {
  /// The rules about one V1 object.
  struct Object: Sendable {
    /// Rules that write a key, in the order of the file.
    var written: [InverseRule] = []
    /// Rules about members that have no key.
    var lost: [InverseRule] = []
    /// The members that a rule is about.
    var told: Set<String> = []
  }

  let transaction: Object
  let renewal: Object
  let dates = DateSpellings()

  init(_ rules: RuleSet) {
    transaction = Self.object(rules, .latest_receipt_info)
    renewal = Self.object(rules, .pending_renewal_info)
  }

  private static func object(_ rules: RuleSet, _ scope: LegacyScope) -> Object {
    var object = Object()
    for rule in rules.inverse where rule.scope == scope {
      object.told.formUnion(rule.from)
      if rule.key != nil {
        object.written.append(rule)
      } else if rule.unfilled.isEmpty {
        object.lost.append(rule)
      }
    }
    return object
  }
}
