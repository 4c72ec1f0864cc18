@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Proves that a set of rules is whole: names exist, kinds fit, nothing is written twice and nothing is forgotten.
struct RuleCheck {
  let rules: RuleSet

  func run(_ errors: inout [MappingError]) {
    let targets = Self.targets
    var written: [String: String] = [:]
    for rule in rules.fields {
      checkSources(rule.source, rule.id, &errors)
      for name in rule.from where rule.place(of: name).map({ !isField($0) }) ?? true {
        report(rule.id, "\"\(name)\" is no legacy key here\(Self.suggestion(name, Self.legacyNames))", &errors)
      }
      guard let to = rule.to else {
        if rule.relation != .legacyOnly { report(rule.id, "a rule without \"to\" is legacyOnly", &errors) }
        if rule.note == nil, rule.meaning.v1 == nil { report(rule.id, "a lost value needs its reason", &errors) }
        continue
      }
      let target = "\(rule.family).\(to)"
      guard let kind = targets[target] else {
        report(rule.id, "\"\(to)\" is no V2 field here\(Self.suggestion(to, Self.names(of: rule.family)))", &errors)
        continue
      }
      if let other = written.updateValue(rule.id, forKey: target) {
        report(rule.id, "\"\(to)\" is already written by \(other); use its id to replace it", &errors)
      }
      checkTransform(rule, kind, &errors)
      checkComparing(rule, kind, &errors)
    }
    checkDecisions(&errors)
    checkCompleteness(written, targets, &errors)
    for event in rules.serverEvents {
      checkSources(event.source, event.id, &errors)
      checkServerEvent(event, &errors)
    }
    checkGrouping(&errors)
    for rule in rules.storekit { checkSources(rule.source, rule.id, &errors) }
    let described = Set(rules.facts.map(\.name))
    for fact in Fact.allCases where !described.contains(fact.name) {
      report("facts", "\(fact.name) has no meaning in facts.json", &errors)
    }
    for way in ComparingRule.Way.allCases where rules.comparing(way) == nil {
      report("comparing", "compare.\(way.rawValue) is missing", &errors)
    }
    for rule in rules.comparing { checkSources(rule.source, rule.id, &errors) }
    checkReceiptAttributes(&errors)
    for era in rules.eras { checkSources(era.source, era.id, &errors) }
    for value in rules.values { checkSources(value.source, value.of, &errors) }
  }

  func report(_ id: String, _ message: String, _ errors: inout [MappingError]) {
    var error = rules.places[id] ?? MappingError(file: "rules", line: 1, column: 1, rule: id, message: "")
    error.message = message
    errors.append(error)
  }

  func checkSources(_ text: String, _ id: String, _ errors: inout [MappingError]) {
    for citation in text.split(separator: ";") {
      let key = citation.split(separator: " ").first.map(String.init) ?? ""
      if rules.source(key: key) == nil {
        let other =
          "name it in a file of {\"family\": \"sources\", \"sources\": [{\"key\": …, \"title\": …}]}, or cite INFERENCE"
        let hint = Self.suggestion(key, rules.sources.map(\.key))
        report(id, "\"\(key)\" is no key of sources.json\(hint.isEmpty ? "; \(other)" : hint)", &errors)
      }
    }
  }

  private func checkTransform(_ rule: FieldRule, _ kind: FieldKind, _ errors: inout [MappingError]) {
    guard let using = rule.using else { return }
    guard let transform = Transform.all[using] else {
      let known = Transform.all.keys.sorted()
      return report(rule.id, "\"\(using)\" is no transform\(Self.suggestion(using, known))", &errors)
    }
    if !transform.fills(kind) {
      report(rule.id, "\"\(using)\" cannot fill \"\(rule.to ?? "")\", which is a \(kind.description)", &errors)
    }
    if rule.relation == .serverOnly { report(rule.id, "a serverOnly rule writes nothing", &errors) }
  }

  private func isField(_ place: CompiledRules.KeyPlace) -> Bool {
    place.scope.fields.contains { $0.key == place.key }
      // An iOS 6 style receipt is a transaction itself.
      || (place.scope == .receipt && LegacyScope.latest_receipt_info.fields.contains { $0.key == place.key })
  }

  private func checkDecisions(_ errors: inout [MappingError]) {
    let types = LegacyEventType.allCases.map(\.rawValue)
    for rule in rules.types {
      checkSources(rule.source, rule.id, &errors)
      if !types.contains(rule.type) {
        report(rule.id, "\"\(rule.type)\" is no V1 notification_type\(Self.suggestion(rule.type, types))", &errors)
      }
      if case .failure(let unknown) = FactCondition.compile(all: rule.all, none: rule.none, eras: rules.eras) {
        let known = Fact.allCases.map(\.name) + rules.eras.flatMap { ["before:\($0.id)", "from:\($0.id)"] }
        report(rule.id, "\"\(unknown.name)\" is no fact\(Self.suggestion(unknown.name, known))", &errors)
      }
      for event in [rule.to] + rule.candidates.map(\.event) + rule.accepts + [rule.atGraceEnd].compactMap(\.self)
      where event.notificationType != "*" {
        checkEvent(event, rule.id, &errors)
      }
    }
    for type in types where !rules.types.contains(where: { ($0.type == type || $0.type == "*") && $0.isLastResort }) {
      report("notification-types", "\(type) needs a last row without conditions", &errors)
    }
  }

  private func checkCompleteness(
    _ written: [String: String], _ targets: [String: FieldKind], _ errors: inout [MappingError]
  ) {
    for target in targets.keys.sorted() where written[target] == nil && !Self.isOurs(target) {
      if let before = rules.replaced.first(where: { "\($0.family).\($0.to ?? "")" == target }), let to = before.to {
        report(before.id, "it replaces the rule that writes \"\(to)\", which no rule writes now", &errors)
      } else {
        report(target, "no rule for this V2 field: map it or say serverOnly with its reason", &errors)
      }
    }
    let named = Set(rules.fields.flatMap(\.places))
    for scope in LegacyScope.allCases {
      for field in scope.fields where field.kind != .secret || scope == .responseBodyV1 {
        let place = CompiledRules.KeyPlace(scope: scope, key: field.key)
        if named.contains(place) { continue }
        if let before = rules.replaced.first(where: { $0.places.contains(place) }) {
          let shown = before.from.first { before.place(of: $0) == place } ?? field.key.name
          report(
            before.id, "it replaces the rule that reads \"\(shown)\", which no rule reads now: add it to \"from\"",
            &errors)
        } else {
          let name = "\(scope.rawValue).\(field.key.name)"
          report(name, "no rule for this legacy key: map it or say legacyOnly with its reason", &errors)
        }
      }
    }
  }
}

extension RuleCheck {
  /// Slipcast's own account is no field of Apple's.
  private static func isOurs(_ target: String) -> Bool { target.hasSuffix(".migration") }

  /// Every V2 field that rules must speak of, with its kind.
  static let targets: [String: FieldKind] = {
    var result: [String: FieldKind] = [:]
    func add<Model: FieldModel>(_ model: Model.Type, _ prefix: String) {
      for field in Model.fields { result[prefix + field.name] = field.kind }
    }
    add(JWSTransactionDecodedPayload.self, "transaction.")
    add(JWSRenewalInfoDecodedPayload.self, "renewal.")
    add(ResponseBodyV2.self, "notification.")
    add(ResponseBodyV2DecodedPayload.self, "notification.")
    add(NotificationData.self, "notification.data.")
    add(UnclaimInfo.self, "notification.unclaimInfo.")
    add(TransactionMultiSeatInfo.self, "transaction.multiSeatInfo.")
    add(MultiSeatPriceTier.self, "transaction.multiSeatInfo.priceTiers.")
    add(RenewalMultiSeatInfo.self, "renewal.multiSeatInfo.")
    add(MultiSeatPriceTier.self, "renewal.multiSeatInfo.renewalPriceTiers.")
    add(HistoryResponse.self, "receipt.")
    add(StatusResponse.self, "statuses.")
    add(SubscriptionGroupIdentifierItem.self, "statuses.data.")
    add(LastTransactionsItem.self, "statuses.data.lastTransactions.")
    return result
  }()

  /// The V2 fields that rules of a family may fill.
  static func names(of family: String) -> [String] {
    targets.keys.filter { $0.hasPrefix(family + ".") }.map { String($0.dropFirst(family.count + 1)) }.sorted()
  }

  static let legacyNames =
    LegacyKey.names
    + LegacyScope.allCases.flatMap { scope in
      scope.fields.map { "\(scope.rawValue).\($0.key.name)" }
    }

  /// `; did you mean "…"?`, or nothing when no name is close.
  static func suggestion(_ name: String, _ known: [String]) -> String {
    Suggestion.closest(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
  }
}

extension TypeRule {
  var isLastResort: Bool { all.isEmpty && none.isEmpty }

  /// True when this row, standing before another, fits whatever that one fits.
  func hides(_ other: TypeRule) -> Bool {
    (type == other.type || type == "*") && Set(all).isSubset(of: other.all) && Set(none).isSubset(of: other.none)
  }
}
