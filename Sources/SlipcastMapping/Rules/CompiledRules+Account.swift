@_spi(Slipcast) internal import SlipcastLegacy

// What accounts need to know of the rules: why fields stay absent, and what becomes of values without a V2 place.

extension CompiledRules {
  /// What a record becomes, as far as lost values are concerned.
  enum LossForm: Int, CaseIterable {
    case notification, receipt, statuses

    fileprivate var families: [String] { ["\(self)", "transaction", "renewal"] }

    /// The output has objects that rules of a family fill.
    func writes(_ family: String) -> Bool {
      switch family {
      case "transaction": true
      case "renewal": self != .receipt
      case "notification": self == .notification
      case "receipt": self == .receipt
      default: self == .statuses
      }
    }
  }

  /// An object of V2 by the family of its rules and what stands before its members' names there.
  struct ObjectName: Hashable {
    let family: String
    let under: String

    fileprivate static func absences(_ rules: RuleSet, _ places: [[KeyPlace]]) -> [ObjectName: [CompiledAbsence]] {
      var result: [ObjectName: [CompiledAbsence]] = [:]
      for part in ObjectPart.allCases {
        let (name, layout) = (part.rules, part.layout)
        result[name] = rules.fields.enumerated().compactMap { number, rule in
          guard rule.family == name.family, let to = rule.to, to.hasPrefix(name.under),
            let slot = layout.slot(String(to.dropFirst(name.under.count)))
          else { return nil }
          return CompiledAbsence(number: number, slot: slot, rule: rule, places: places[number])
        }
      }
      return result
    }
  }

  static func absences(_ rules: RuleSet, _ places: [[KeyPlace]]) -> [ObjectName: [CompiledAbsence]] {
    ObjectName.absences(rules, places)
  }

  /// What is known of a key in an object: nothing, no rule, or the place of a rule in `RuleSet.fields`.
  enum LossNote {
    static let undocumented: Int16 = -2
    static let withoutRule: Int16 = -1
  }

  /// For each kind of output, object and key what becomes of a value without a V2 place.
  static func lossNotes(_ rules: RuleSet, _ rulesOfKey: [KeyPlace: [Int]]) -> [[[Int16]]] {
    LossForm.allCases.map { form in
      LegacyScope.allCases.map { scope in
        var notes = [Int16](repeating: LossNote.undocumented, count: LegacyKey.count)
        for field in scope.fields {
          let numbers = rulesOfKey[KeyPlace(scope: scope, key: field.key)] ?? []
          notes[Int(field.key.rawValue)] = lossRule(among: numbers, rules, form).map(Int16.init) ?? LossNote.withoutRule
        }
        return notes
      }
    }
  }

  /// For each object and key what Apple documents there.
  static let kinds: [[LegacyKind?]] = LegacyScope.allCases.map { scope in
    var kinds = [LegacyKind?](repeating: nil, count: LegacyKey.count)
    for field in scope.fields { kinds[Int(field.key.rawValue)] = field.kind }
    return kinds
  }

  /// Of the rules that name a key the one that tells what becomes of its value.
  private static func lossRule(among numbers: [Int], _ rules: RuleSet, _ form: LossForm) -> Int? {
    let own = numbers.filter { form.families.contains(rules.fields[$0].family) }
    return own.first { rules.fields[$0].to == nil } ?? own.first ?? numbers.first
  }
}
