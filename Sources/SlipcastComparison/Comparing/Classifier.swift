internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Classes one field after another; the knowledge is the rules', the order of questions is here.
struct Classifier {
  let table: ComparingTable

  /// The class of a field; `nil` when both sides lack it.
  func outcome(_ field: Situation, _ around: Surroundings) -> Outcome? {
    let outcome = comparedOutcome(field, around)
    guard let outcome, outcome.differenceClass == .conflict, outcome.kind != .unreadable, field.isFromLegacy,
      let knowledge = field.field, let way = change(outcome, of: field, knowledge, around)
    else { return outcome }
    return table.read(way) ?? outcome
  }

  /// What one side shows since the time of the other cannot be in that.
  private func change(
    _ outcome: Outcome, of field: Situation, _ knowledge: ComparedField, _ around: Surroundings
  ) -> ComparingRule.Way? {
    let notes = knowledge.rule.comparing
    if around.between?.hasNewPeriod == true { return notes.isState || notes.isOfPeriod ? .snapshot : nil }
    guard notes.isState, outcome.kind != .notAmong else { return nil }
    // An upgrade has no date, and nothing takes it back.
    if knowledge.way == .upgrade, let between = around.between {
      let isLaterOne = (between.isServerLater ? field.server : field.cast) != nil
      return between.mayBeUpgraded && isLaterOne ? .between : nil
    }
    // Two dates of one refund are not two states.
    if around.isSnapshotLater || around.between?.hasDatedChange == true,
      outcome.kind != .differ || knowledge.way != .later
    {
      return .snapshot
    }
    // V1's other values are of the time of its body.
    if around.isChangedBetween, knowledge.way == .boundary { return .snapshot }
    return around.between?.mayHaveChanged == true && changesSilently(field, knowledge) ? .between : nil
  }

  /// A state whose change has no date in either version.
  private func changesSilently(_ field: Situation, _ knowledge: ComparedField) -> Bool {
    switch knowledge.way {
    case .later: return false
    case .boundary:
      let unpaid = [Status.expired, .billingRetry, .billingGracePeriod].map { Int64($0.rawValue) }
      return [field.cast?.number, field.server?.number].allSatisfy { $0.map(unpaid.contains) ?? false }
    default: return true
    }
  }

  private func comparedOutcome(_ field: Situation, _ around: Surroundings) -> Outcome? {
    // What cannot be read proves no agreement, whatever the other side has.
    if field.isUnreadable { return Outcome(differenceClass: .conflict, kind: .unreadable) }
    if let open = field.open { return offer(field, open) }
    switch (field.cast, field.server) {
    case (nil, nil): return nil
    case (let cast?, let server?): return both(field, cast, server, around: around)
    // Neither side has a value that only the conversion assumed.
    case (_?, nil) where isMadeUp(field): return nil
    case (let cast?, nil): return castOnly(field, cast, around)
    case (nil, let server?): return serverOnly(field, server, around)
    }
  }

  // MARK: values on both sides

  private func both(_ field: Situation, _ cast: ScalarView, _ server: ScalarView, around: Surroundings) -> Outcome {
    if let never = neverCompared(field) { return never }
    if cast.isEqual(to: server) { return Outcome(differenceClass: agreement(field), kind: .equal) }
    if let tolerance = field.field?.tolerance, let one = cast.number, let two = server.number,
      one.distanceMagnitude(to: two) <= tolerance.magnitude, let outcome = table.read(.tolerance)
    {
      return outcome
    }
    if let way = field.field?.way, tolerates(way, cast, server, around: around), let outcome = table.read(way) {
      return outcome
    }
    if field.isFromLegacy, field.field?.isUnnamed(server) == true { return Self.unknownValue }
    let mayBe = field.mayBeOther && field.field?.mayBe(server, behind: cast) == true
    if field.isFromLegacy, mayBe || field.field?.isUntold(server, behind: cast) == true {
      return Outcome(differenceClass: .semantic, kind: .untold)
    }
    return Outcome(differenceClass: .conflict, kind: .differ)
  }

  private func agreement(_ field: Situation) -> DifferenceClass {
    guard field.isFromLegacy else { return .identical }
    return field.isInferred ? .derived : field.relation.differenceClass
  }

  /// Values that Slipcast generates and values that only V2 can have are not comparable.
  private func neverCompared(_ field: Situation) -> Outcome? {
    guard let knowledge = field.field, knowledge.isNeverCompared, let way = knowledge.way else { return nil }
    if field.isFromLegacy || way == .synthetic && field.isOneOfTwoCast { return table.read(way) }
    guard way == .signing, let cast = field.cast, let server = field.server, !cast.isEqual(to: server) else {
      return nil
    }
    // Two V2 records, two signatures.
    return Outcome(differenceClass: .timeDependent, kind: .read(way))
  }

  private func tolerates(_ way: ComparingRule.Way, _ cast: ScalarView, _ server: ScalarView, around: Surroundings)
    -> Bool
  {
    switch way {
    case .version: return true
    case .uuid: return cast.isSameUUID(as: server)
    case .renumbered: return around.isSamePurchase
    case .skew:
      guard let one = cast.number, let two = server.number else { return false }
      return one >= two && one.distanceMagnitude(to: two) <= UInt64(table.tolerance(way))
    case .grace: return isPast(cast, around) && isPast(server, around)
    case .boundary: return isBoundary(cast.number, server.number, around: around, tolerance: table.tolerance(way))
    case .revised: return true
    case .event, .synthetic, .signing, .paging, .since, .page, .later, .repeated, .tolerance, .upgrade, .offers,
      .snapshot, .between, .finished, .quiet:
      return false
    }
  }

  /// A date that is not after the V2 record, or not after the event where the record has no date.
  private func isPast(_ date: ScalarView, _ around: Surroundings) -> Bool {
    guard let date = date.number, let time = around.time else { return false }
    return date <= time
  }

  /// The end of a grace period that is past, or belongs to a failed renewal that was paid since.
  private func isOver(_ date: ScalarView, _ around: Surroundings) -> Bool {
    isPast(date, around)
      || date.number.map { date in around.expiries.contains { $0.map { $0 >= date } ?? false } } ?? false
  }

  /// Two statuses that one moment turns into each other.
  private func isBoundary(_ cast: Int64?, _ server: Int64?, around: Surroundings, tolerance: Int64) -> Bool {
    func isEither(_ status: Status) -> Bool { [cast, server].contains(Int64(status.rawValue)) }
    if isEither(.revoked) { return false }
    if isEither(.active) { return around.isNear(around.expiries, tolerance) }
    return isEither(.billingGracePeriod) && around.isNear(around.graceEnds, tolerance)
  }

  private static var unknownMember: Outcome { Outcome(differenceClass: .unknown, kind: .unknownMember) }
  private static var unknownValue: Outcome { Outcome(differenceClass: .unknown, kind: .unknownValue) }

  // MARK: two V1 values for one

  /// V2 has one of the two offers that V1 names, or contradicts both.
  private func offer(_ field: Situation, _ open: OpenOffer) -> Outcome {
    if let server = field.server, field.field?.isUnnamed(server) == true { return Self.unknownValue }
    let isIdentifier = field.field?.rule.comparing.follows != nil
    let isAllowed =
      isIdentifier
      ? open.allows(identifier: field.server, ofType: field.sibling) : open.allows(type: field.server)
    let agreement = table.read(.offers) ?? Outcome(differenceClass: .semantic, kind: .read(.offers))
    return isAllowed ? agreement : Outcome(differenceClass: .conflict, kind: .notAmong)
  }

  // MARK: a value on one side

  private func castOnly(_ field: Situation, _ cast: ScalarView, _ around: Surroundings) -> Outcome {
    guard let knowledge = field.field else { return Self.unknownMember }
    guard field.relation != .serverOnly else { return Outcome(differenceClass: .legacyOnly, kind: .missing) }
    if let silent = knowledge.silentAs, cast.isWord(silent) {
      return Outcome(differenceClass: .representation, kind: .sameAsSilence)
    }
    if isYounger(knowledge, around.time), let outcome = table.read(.since) { return outcome }
    if knowledge.way == .grace, isOver(cast, around), let outcome = table.read(.grace) { return outcome }
    if knowledge.way == .later, field.isFromLegacy, around.isReadAsUpgrade, let outcome = table.read(.upgrade) {
      return outcome
    }
    return Outcome(differenceClass: .conflict, kind: .missing)
  }

  /// V1 does not say it: the value is a constant, a setting of the caller, what absence usually means, or compared with
  /// nothing.
  ///
  /// An inferred value that was read from V1 is stated: what it means is inferred, not that it is there.
  private func isMadeUp(_ field: Situation) -> Bool {
    guard field.isFromLegacy, let knowledge = field.field else { return false }
    let isDefault = knowledge.isWithoutSource || field.isInferred && knowledge.rule.isAssumedWhereInferred
    return isDefault || knowledge.isNeverCompared
  }

  private func isYounger(_ field: ComparedField, _ time: Int64?) -> Bool {
    guard let since = field.since, let time else { return false }
    return time < since
  }

  private func serverOnly(_ field: Situation, _ server: ScalarView, _ around: Surroundings) -> Outcome {
    if let never = neverCompared(field) { return never }
    guard let knowledge = field.field else { return Self.unknownMember }
    if field.isFromLegacy, knowledge.isUnnamed(server) { return Self.unknownValue }
    guard knowledge.relation != .serverOnly else { return Outcome(differenceClass: .serverOnly, kind: .noSource) }
    if let silent = knowledge.silentAs, server.isWord(silent) {
      return Outcome(differenceClass: .representation, kind: .sameAsSilence)
    }
    if !field.isFromLegacy, isYounger(knowledge, around.eventTime) {
      return Outcome(differenceClass: .serverOnly, kind: .read(.since))
    }
    let isSilent = field.absence == .absentInV1 || field.absence == .noneInV1
    if isSilent || field.absence == .undetermined, field.isFromLegacy,
      knowledge.isUntold(server, sibling: field.sibling)
    {
      let isWider = knowledge.relation == .narrowed || knowledge.relation == .widened
      return Outcome(
        differenceClass: isWider ? .semantic : .serverOnly, kind: isSilent ? .untold : .notTold(field.absence))
    }
    if field.isFromLegacy, !knowledge.saysByAbsence || !isSilent {
      return Outcome(differenceClass: .serverOnly, kind: .notTold(field.absence))
    }
    if knowledge.way == .grace, isOver(server, around), let outcome = table.read(.grace) { return outcome }
    if knowledge.way == .quiet, field.isFromLegacy, server.isWord("false"), let outcome = table.read(.quiet) {
      return outcome
    }
    if knowledge.way == .later, around.isRevokedLater, let outcome = table.read(.later) { return outcome }
    if knowledge.way == .upgrade, field.isFromLegacy, around.isReadAsUpgrade, let outcome = table.read(.upgrade) {
      return outcome
    }
    return Outcome(differenceClass: .conflict, kind: .silence)
  }
}
