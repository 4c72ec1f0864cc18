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
  var losses: LossList
  private(set) var rows: [FieldDifference] = []
  private let table: ComparingTable

  init(
    _ rules: RuleSet, _ side: CastSide, prefix: String = "", castPrefix: String = "",
    around: Surroundings = Surroundings(), event: EventReading? = nil, losses: LossList = LossList([])
  ) {
    (self.rules, self.side, self.prefix, self.castPrefix) = (rules, side, prefix, castPrefix)
    (self.around, self.event, self.losses) = (around, event, losses)
    table = ComparingTable(rules)
  }

  /// Adds a row for every value that stands on either side, in the order of the field table.
  mutating func compare(_ cast: [Leaf], _ server: [Leaf]) {
    let castByPath = Dictionary(cast.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let serverByPath = Dictionary(server.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let parents = Set(cast.map(\.parent))
    for leaf in Self.merged(cast, server) where !leaf.path.isSecret {
      add(castByPath[leaf.path], serverByPath[leaf.path], leaf, serverByPath, parents)
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

  // MARK: one row

  private mutating func add(
    _ cast: Leaf?, _ server: Leaf?, _ leaf: Leaf, _ siblings: [String: Leaf],
    _ parents: Set<String>
  ) {
    let castPath = castPrefix + leaf.path.dropFirst(prefix.count)
    let rule = rules.field(family: leaf.rule.family, to: leaf.rule.to)
    let account = side.fields[castPath]
    var origin = (path: account?.v1Path, value: account?.v1Value)
    var unreadable: Account.Unmapped?
    if cast == nil || losses.hasUnreadable, let rule, rule.relation != .serverOnly,
      let objects = side.objects[castPath.parentPath],
      let loss = losses.take(rule.id, in: objects, onlyUnreadable: cast != nil)
    {
      origin = (loss.v1Path, loss.v1Value)
      if loss.fate == .unreadable { unreadable = loss }
    }
    let situation = Situation(
      field: rule.map { ComparedField($0, rules) }, relation: account?.relation ?? rule?.relation ?? .serverOnly,
      isInferred: side.isInferred(castPath),
      cast: cast?.value, server: server?.value,
      sibling: rule?.comparing.follows.flatMap { siblings[leaf.parent + $0]?.value },
      absence: absence(castPath, rule, parents.contains(leaf.parent)), isFromLegacy: side.isFromLegacy,
      isOneOfTwoCast: side.isOneOfTwoCast, isUnreadable: unreadable != nil)
    guard let outcome = outcome(situation, leaf.rule) else {
      if let account { addEventTime(account) }
      return
    }
    if outcome.isNeverCompared, let account {
      origin = (nil, nil)
      addEventTime(account)
    }
    let wording = Wording(
      rules: rules, field: situation, name: leaf.rule, v1: (origin.value, origin.path?.lastKey),
      unreadable: unreadable?.reason)
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
      Account.Unmapped(
        v1Path: path, v1Value: field.v1Value, rule: rule?.id ?? field.rule,
        reason: "the time of the event; V2 has no place of its own for it"))
  }

  private func outcome(_ situation: Situation<FieldValue>, _ name: RuleName) -> Outcome? {
    guard situation.rule?.comparing.compare == .event, let event, event.decision != nil else {
      return Classifier(table: table).outcome(situation, around)
    }
    let reading = rules.comparing(.event)
    let isSubtype = name.to == "subtype"
    if event.fits(subtype: isSubtype) {
      return Outcome(differenceClass: reading?.differenceClass ?? .derived, kind: .read(.event))
    }
    if event.isUnknown(subtype: isSubtype, rules) {
      return Outcome(differenceClass: .unknown, kind: .unknownValue)
    }
    let boundary = rules.comparing(.boundary)
    if isSubtype, event.differsByGrace, around.isNear(around.graceEnds, boundary?.milliseconds ?? 0) {
      return Outcome(differenceClass: boundary?.differenceClass ?? .timeDependent, kind: .read(.boundary))
    }
    return Outcome(differenceClass: .conflict, kind: .differ)
  }

  private func row(
    _ leaf: Leaf, _ origin: (path: String?, value: String?), _ situation: Situation<FieldValue>, _ outcome: Outcome,
    _ wording: Wording
  ) -> FieldDifference {
    let isEvent = situation.rule?.comparing.compare == .event && event?.decision != nil
    let decision = isEvent ? event?.decision : nil
    let isOfEvent = isEvent && outcome.kind != .read(.boundary) && outcome.kind != .unknownValue
    var explanation = isOfEvent ? event?.explanation : wording.text(outcome)
    if outcome.kind == .read(.event), event?.standing == .differs {
      explanation = EventReading.half(subtype: leaf.rule.to == "subtype")
    }
    if outcome.kind == .unknownValue, isEvent, leaf.rule.to == "subtype", let server = event?.server,
      !rules.knows(type: server.notificationType)
    {
      explanation = EventReading.subtypeOfUnknownType
    }
    let confidence = situation.isInferred ? RuleConfidence.inferred : decision?.confidence ?? situation.rule?.confidence
    let citations =
      decision.map { rules.citations($0.source) }
      ?? situation.rule.map { rules.citations(of: $0) } ?? []
    let isAccepted = outcome.kind == .read(.event) && event.map { ![.equal, .differs].contains($0.standing) } ?? false
    return FieldDifference(
      v1Path: origin.path, v2Path: leaf.path,
      v1: origin.path.map { _ in origin.value.map(ComparedValue.json) ?? .several },
      cast: situation.cast?.compared, v2: situation.server?.compared, differenceClass: outcome.differenceClass,
      rule: decision?.id ?? situation.rule?.id,
      confidence: confidence, explanation: explanation ?? "", note: decision?.note ?? situation.rule?.note,
      sources: citations + reading(outcome, leaf.rule.last).filter { !citations.contains($0) },
      isUnreadable: outcome.kind == .unreadable, isAcceptedReading: isAccepted)
  }

  /// The documents behind a reading that decided.
  private func reading(_ outcome: Outcome, _ name: String) -> [Citation] {
    guard case .read(let way) = outcome.kind, way != .event, let rule = rules.comparing(way) else { return [] }
    return rules.citations(rule.source, of: name)
  }

  private func absence(_ path: String, _ rule: FieldRule?, _ isObjectThere: Bool) -> Account.Absence.Reason? {
    if let known = side.absences[path] { return known }
    guard case .cast = side.origin else { return nil }
    // A cast made earlier has no account: what it lacks in an object that is there was absent in V1, or V1 did not decide.
    if let undecidable = rule?.comparing.undecidable, undecidable == "*" || undecidable == side.eventType {
      return .undetermined
    }
    return isObjectThere ? .absentInV1 : .objectAbsentInV1
  }
}

extension String {
  /// The path of the object around a value: up to the last dot.
  var parentPath: String { utf8.lastIndex(of: UInt8(ascii: ".")).map { String(self[..<$0]) } ?? "" }

  /// The last name of a path, without an array place.
  var lastKey: String {
    let last = split(separator: ".").last ?? ""
    return String(last.prefix { $0 != "[" })
  }
}
