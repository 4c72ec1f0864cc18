internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Compares two objects of the same kind, value by value, and makes the rows.
struct ObjectComparer {
  let rules: RuleSet
  let side: CastSide
  /// Paths of the rows begin with this; those of the cast's account with that of `castPrefix`.
  let prefix: String
  let castPrefix: String
  var around: Surroundings
  /// Type and subtype as one event, where there is one.
  var event: EventReading?
  /// V1 values without a V2 place that still have no row.
  var losses: [Account.Loss]
  private(set) var rows: [FieldDifference] = []

  init(
    _ rules: RuleSet, _ side: CastSide, prefix: String = "", castPrefix: String = "",
    around: Surroundings = Surroundings(), event: EventReading? = nil, losses: [Account.Loss] = []
  ) {
    (self.rules, self.side, self.prefix, self.castPrefix) = (rules, side, prefix, castPrefix)
    (self.around, self.event, self.losses) = (around, event, losses)
  }

  /// Adds a row for every value that stands on either side, in the order of the field table.
  mutating func compare(_ cast: [Leaf], _ server: [Leaf]) {
    let castByPath = Dictionary(cast.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let serverByPath = Dictionary(server.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let told = objects()
    for leaf in Self.merged(cast, server) where !leaf.path.isSecret {
      add(castByPath[leaf.path], serverByPath[leaf.path], leaf, serverByPath, told)
    }
  }

  /// Both lists in one order; each follows the same field tables.
  private static func merged(_ cast: [Leaf], _ server: [Leaf]) -> [Leaf] {
    let places = Set(server.map(\.path))
    var merged: [Leaf] = []
    var seen: Set<String> = []
    var rest = server[...]
    for leaf in cast {
      if places.contains(leaf.path) {
        while let next = rest.first, next.path != leaf.path {
          if seen.insert(next.path).inserted { merged.append(next) }
          rest = rest.dropFirst()
        }
      }
      if seen.insert(leaf.path).inserted { merged.append(leaf) }
      if rest.first?.path == leaf.path { rest = rest.dropFirst() }
    }
    return merged + rest.filter { seen.insert($0.path).inserted }
  }

  /// The V1 objects that each V2 object was made from, by the paths of both.
  private func objects() -> [String: Set<String>] {
    var told: [String: Set<String>] = [:]
    for field in side.fields.values {
      if let path = field.v1Path { told[field.v2Path.parentPath, default: []].insert(path.parentPath) }
    }
    return told
  }

  // MARK: one row

  private mutating func add(
    _ cast: Leaf?, _ server: Leaf?, _ leaf: Leaf, _ siblings: [String: Leaf], _ told: [String: Set<String>]
  ) {
    let castPath = castPrefix + leaf.path.dropFirst(prefix.count)
    let rule = rules.field(family: leaf.rule.family, to: leaf.rule.to)
    let account = side.fields[castPath]
    var origin = (path: account?.v1Path, value: account?.v1Value)
    if cast == nil, let rule, let place = loss(of: rule, told[castPath.parentPath] ?? []) {
      let loss = losses.remove(at: place)
      origin = (loss.v1Path, loss.v1Value)
    }
    let situation = Situation(
      rule: rule, relation: account?.relation ?? rule?.relation ?? .serverOnly, isInferred: side.isInferred(castPath),
      cast: cast?.value, server: server?.value,
      sibling: rule?.comparing.follows.flatMap { siblings[leaf.parent + $0]?.value },
      absence: absence(castPath, rule), isFromLegacy: side.isFromLegacy)
    guard let outcome = outcome(situation, leaf.rule) else { return }
    if outcome.isNeverCompared, let account {
      origin = (nil, nil)
      addEventTime(account)
    }
    let wording = Wording(
      rules: rules, field: situation, name: leaf.rule, v1: (origin.value, origin.path?.lastKey))
    rows.append(row(leaf, origin, situation, outcome, wording))
  }

  /// The V1 date behind a date that is never compared stands for itself, unless another field was made from it.
  private mutating func addEventTime(_ field: Account.Field) {
    guard let path = field.v1Path, !side.fields.values.contains(where: { $0.v1Path == path && $0 != field }) else {
      return
    }
    let key = path.lastKey
    let rule = rules.fields.first { $0.to == nil && $0.from.contains(key) }
    losses.append(
      Account.Loss(
        v1Path: path, v1Value: field.v1Value, rule: rule?.id ?? field.rule,
        reason: "the time of the event; V2 has no place of its own for it"))
  }

  private func outcome(_ situation: Situation, _ name: RuleName) -> Outcome? {
    guard situation.rule?.comparing.compare == .event, let event, event.decision != nil else {
      return Classifier(rules: rules).outcome(situation, around)
    }
    let reading = rules.comparing(.event)
    let isSubtype = name.to == "subtype"
    if event.fits(subtype: isSubtype) {
      return Outcome(differenceClass: reading?.differenceClass ?? .derived, kind: .read(.event))
    }
    let boundary = rules.comparing(.boundary)
    if isSubtype, event.differsByGrace, around.isNear(around.graceEnds, boundary?.milliseconds ?? 0) {
      return Outcome(differenceClass: boundary?.differenceClass ?? .timeDependent, kind: .read(.boundary))
    }
    return Outcome(differenceClass: .conflict, kind: .differ)
  }

  private func row(
    _ leaf: Leaf, _ origin: (path: String?, value: String?), _ situation: Situation, _ outcome: Outcome,
    _ wording: Wording
  ) -> FieldDifference {
    let isEvent = situation.rule?.comparing.compare == .event && event?.decision != nil
    let decision = isEvent ? event?.decision : nil
    var explanation = isEvent && outcome.kind != .read(.boundary) ? event?.explanation : wording.text(outcome)
    if outcome.kind == .read(.event), event?.standing == .differs {
      explanation = EventReading.half(subtype: leaf.rule.to == "subtype")
    }
    let confidence = situation.isInferred ? RuleConfidence.inferred : decision?.confidence ?? situation.rule?.confidence
    let citations =
      decision.map { rules.citations($0.source) }
      ?? situation.rule.map { rules.citations($0.source, of: leaf.rule.last) } ?? []
    return FieldDifference(
      v1Path: origin.path, v2Path: leaf.path, v1: origin.value, cast: situation.cast?.shown,
      v2: situation.server?.shown, differenceClass: outcome.differenceClass, rule: decision?.id ?? situation.rule?.id,
      confidence: confidence, explanation: explanation ?? "", note: decision?.note ?? situation.rule?.note,
      sources: citations + reading(outcome, leaf.rule.last).filter { !citations.contains($0) })
  }

  /// The documents behind a reading that decided.
  private func reading(_ outcome: Outcome, _ name: String) -> [Citation] {
    guard case .read(let way) = outcome.kind, way != .event, let rule = rules.comparing(way) else { return [] }
    return rules.citations(rule.source, of: name)
  }

  private func absence(_ path: String, _ rule: FieldRule?) -> Account.Absence.Reason? {
    if let known = side.absences[path] { return known }
    // A cast made earlier has no account: what is absent in an object that is there was absent in V1.
    if case .cast = side.origin { return .absentInV1 }
    return nil
  }

  /// The V1 value that a rule speaks of, from an object that this V2 object was made from.
  private func loss(of rule: FieldRule, _ objects: Set<String>) -> Int? {
    losses.firstIndex { $0.rule == rule.id && $0.v1Value != nil && objects.contains($0.v1Path.parentPath) }
  }
}

extension FieldValue {
  /// The value as reports show it; an unknown object could hold a secret and is not shown.
  var shown: String? {
    if case .json(let text) = self, text.contains("{") { nil } else { json }
  }
}

extension String {
  /// The path of the object around a value: up to the last dot.
  var parentPath: String { lastIndex(of: ".").map { String(self[..<$0]) } ?? "" }

  /// The last name of a path, without an array place.
  var lastKey: String {
    let last = split(separator: ".").last ?? ""
    return String(last.prefix { $0 != "[" })
  }
}
