internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Classes one field after another; the knowledge is the rules', the order of questions is here.
struct Classifier {
  let rules: RuleSet

  /// The class of a field; `nil` when it stands on neither side.
  func outcome(_ field: Situation, _ around: Surroundings) -> Outcome? {
    switch (field.cast, field.server) {
    case (nil, nil): nil
    case (let cast?, let server?): both(field, cast, server, around)
    // What only the cast made up stands on neither side.
    case (_?, nil) where isMadeUp(field): nil
    case (let cast?, nil): castOnly(field, cast, around)
    case (nil, let server?): serverOnly(field, server, around)
    }
  }

  private func read(_ way: ComparingRule.Way) -> Outcome? {
    rules.comparing(way).map { Outcome(differenceClass: $0.differenceClass, kind: .read(way)) }
  }

  // MARK: values on both sides

  private func both(_ field: Situation, _ cast: FieldValue, _ server: FieldValue, _ around: Surroundings) -> Outcome {
    if let never = neverCompared(field) { return never }
    if cast == server { return Outcome(differenceClass: agreement(field), kind: .equal) }
    if let way = field.rule?.comparing.compare, tolerates(way, cast, server, around), let outcome = read(way) {
      return outcome
    }
    let hides = field.rule?.comparing.untold[server.word]?.contains(cast.word) ?? false
    if hides, field.isFromLegacy { return Outcome(differenceClass: .semantic, kind: .untold) }
    return Outcome(differenceClass: .conflict, kind: .differ)
  }

  private func agreement(_ field: Situation) -> DifferenceClass {
    guard field.isFromLegacy else { return .identical }
    return field.isInferred ? .derived : field.relation.differenceClass
  }

  /// Values that Slipcast makes up, and what only V2 has by nature, say nothing about each other.
  private func neverCompared(_ field: Situation) -> Outcome? {
    guard let way = field.rule?.comparing.compare, way.isNeverCompared else { return nil }
    if field.isFromLegacy || way == .synthetic && field.isOneOfTwoCast { return read(way) }
    guard way == .signing, field.cast != nil, field.server != nil, field.cast != field.server else { return nil }
    // Two V2 records, two signatures.
    return Outcome(differenceClass: .timeDependent, kind: .read(way))
  }

  private func tolerates(
    _ way: ComparingRule.Way, _ cast: FieldValue, _ server: FieldValue, _ around: Surroundings
  ) -> Bool {
    let tolerance = rules.comparing(way)?.milliseconds ?? 0
    switch way {
    case .version: return true
    case .uuid: return UUIDText.isSame(cast.word, server.word)
    case .renumbered: return around.isSamePurchase
    case .skew:
      guard let one = cast.number, let two = server.number else { return false }
      return one.distanceMagnitude(to: two) <= UInt64(tolerance)
    case .grace: return isPast(cast, around) && isPast(server, around)
    case .boundary: return isBoundary(cast.number, server.number, around, tolerance)
    case .event, .synthetic, .signing, .paging, .since, .page, .later, .repeated: return false
    }
  }

  /// A date that no longer lies ahead of the V2 record, or of the event where that has no date.
  private func isPast(_ date: FieldValue, _ around: Surroundings) -> Bool {
    guard let date = date.number, let time = around.time else { return false }
    return date <= time
  }

  /// Two statuses that one moment turns into each other.
  private func isBoundary(_ cast: Int64?, _ server: Int64?, _ around: Surroundings, _ tolerance: Int64) -> Bool {
    let pair = Set([cast, server])
    let isNearExpiry = around.isNear(around.expiries, tolerance)
    if pair.contains(Status.revoked.number) { return false }
    if pair.contains(Status.active.number) { return isNearExpiry }
    return pair.contains(Status.billingGracePeriod.number) && around.isNear(around.graceEnds, tolerance)
  }

  // MARK: a value on one side

  private func castOnly(_ field: Situation, _ cast: FieldValue, _ around: Surroundings) -> Outcome {
    let way = field.rule?.comparing.compare
    if field.rule == nil || field.relation == .serverOnly {
      return Outcome(differenceClass: .legacyOnly, kind: .missing)
    }
    if cast.word == field.rule?.comparing.silentAs {
      return Outcome(differenceClass: .representation, kind: .sameAsSilence)
    }
    if isYounger(field.rule, around.time), let outcome = read(.since) { return outcome }
    if way == .grace, isPast(cast, around), let outcome = read(.grace) { return outcome }
    return Outcome(differenceClass: .conflict, kind: .missing)
  }

  /// V1 does not say it: the value is a constant, a setting of the caller, what absence usually means, or compared with
  /// nothing.
  private func isMadeUp(_ field: Situation) -> Bool {
    guard field.isFromLegacy, let rule = field.rule else { return false }
    let isDefault = rule.from.isEmpty || field.isInferred && rule.relation != .derived
    return isDefault || rule.comparing.compare?.isNeverCompared == true
  }

  /// V2 did not have the member yet.
  private func isYounger(_ rule: FieldRule?, _ time: Int64?) -> Bool {
    guard let since = rule?.since, let era = rules.eras.first(where: { $0.id == since }), let time else {
      return false
    }
    return time < era.milliseconds
  }

  private func serverOnly(_ field: Situation, _ server: FieldValue, _ around: Surroundings) -> Outcome {
    if let never = neverCompared(field) { return never }
    guard let rule = field.rule else { return Outcome(differenceClass: .serverOnly, kind: .noSource) }
    let notes = rule.comparing
    if rule.relation == .serverOnly { return Outcome(differenceClass: .serverOnly, kind: .noSource) }
    if server.word == notes.silentAs { return Outcome(differenceClass: .representation, kind: .sameAsSilence) }
    if !field.isFromLegacy, isYounger(rule, around.eventTime) {
      return Outcome(differenceClass: .serverOnly, kind: .read(.since))
    }
    let isSilent = field.absence == .absentInV1 || field.absence == .noneInV1
    if isSilent || field.absence == .undetermined, isUntold(field, server) {
      let isWider = rule.relation == .narrowed || rule.relation == .widened
      return Outcome(differenceClass: isWider ? .semantic : .serverOnly, kind: .untold)
    }
    if field.isFromLegacy, notes.absent == nil || !isSilent {
      return Outcome(differenceClass: .serverOnly, kind: .notTold(field.absence))
    }
    if notes.compare == .grace, isPast(server, around), let outcome = read(.grace) { return outcome }
    return Outcome(differenceClass: .conflict, kind: .silence)
  }

  /// The value, or that of the field it follows, is one that V1 cannot tell.
  private func isUntold(_ field: Situation, _ server: FieldValue) -> Bool {
    guard field.isFromLegacy, let rule = field.rule else { return false }
    if rule.comparing.untold[server.word]?.contains("absent") == true { return true }
    guard let sibling = rule.comparing.follows, let value = field.sibling,
      let other = rules.field(family: rule.family, to: sibling)
    else { return false }
    return other.comparing.untold[value.word]?.contains("absent") == true
  }
}

extension Status {
  /// As it stands in JSON.
  fileprivate var number: Int64 { Int64(rawValue) }
}

extension FieldValue {
  /// A scalar as rules write it: text without quotes, numbers and booleans as in JSON.
  var word: String {
    if case .text(let text) = self { text } else { json }
  }

  var number: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }
}
