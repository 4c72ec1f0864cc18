internal import SlipcastMapping

extension ParityTally {
  /// Which pairs to read once more.
  package var plan: SamplePlan { SamplePlan(self) }

  /// The result; gates are for the caller to add.
  package func result(
    legacy: ParityResult.Archive, server: ParityResult.Archive, samples: SampleBook
  ) -> ParityResult {
    var result = ParityResult(legacy: legacy, server: server)
    let places = samples.places
    (result.pairs, result.failingPairs) = (pairs, failingPairs)
    result.fields = fieldList(samples, places)
    result.types = typeList
    result.entitlement = access(places)
    result.unpaired = unpairedList
    result.ambiguous = ambiguousList
    result.periods = periods.periods
    result.samplePairs = samples.samplePairs
    result.differences = differenceList
    return result
  }

  private func fieldList(_ samples: SampleBook, _ places: [SmallestRecords.Pair: Int]) -> [ParityResult.Field] {
    var (v2, v1) = ([ParityResult.Field](), [ParityResult.Field]())
    for (number, tallied) in fields.all {
      let (path, isV1) = comparer.paths.path(number)
      var field = ParityResult.Field(v2Path: isV1 ? nil : path, v1Path: isV1 ? path : nil)
      for (place, count) in tallied.counts.enumerated() where count > 0 {
        field.counts[DifferenceClass.allCases[place]] = count
      }
      (field.accepted, field.unreadable) = (tallied.accepted, tallied.unreadable)
      field.samples = samples.samples(number, places)
      if isV1 { field.reason = field.samples.first?.difference.explanation }
      if isV1 { v1.append(field) } else { v2.append(field) }
    }
    return v2 + v1
  }

  private var typeList: [ParityResult.TypeCell] {
    types.cells.filter { $0.count > 0 }.map { cell in
      ParityResult.TypeCell(
        legacy: cell.legacy, server: cell.server, count: cell.count, conflicting: cell.conflicting,
        typeConflicts: cell.typeConflicts)
    }
    .sorted { ($1.count, $0.legacy, $0.server) < ($0.count, $1.legacy, $1.server) }
  }

  private func access(_ places: [SmallestRecords.Pair: Int]) -> EntitlementParity {
    var parity = entitlement.parity
    parity.asOf = options.asOf
    parity.samples = entitlement.records.pairs.compactMap { pair in
      guard let answer = entitlement.conflicts[pair]?.answer, let asOf = answer.asOf, let legacy = answer.legacy,
        let server = answer.server
      else { return nil }
      return EntitlementParity.Sample(
        legacyRecord: pair.legacy, serverRecord: pair.server, asOf: asOf, legacy: legacy, server: server,
        explanation: EntitlementParity.explanation(legacy), pair: places[pair])
    }
    return parity
  }

  private var unpairedList: [ParityResult.UnpairedKind] {
    unpaired.kinds.map { key, kind in
      ParityResult.UnpairedKind(
        reason: key.reason, event: key.event, count: kind.count, records: kind.records.pairs.map(\.legacy),
        explanation: key.reason.explanation(trace: kind.trace, comparer.paths.unit, rules))
    }
    .sorted { ($0.reason.place, $1.count, $0.event) < ($1.reason.place, $0.count, $1.event) }
  }

  private var ambiguousList: [ParityResult.AmbiguousKind] {
    ambiguous.kinds.sorted { $0.key < $1.key }.map { decision, kind in
      let rule = rules.types[decision]
      return ParityResult.AmbiguousKind(
        legacy: rule.type, rule: rule.id,
        readings: rule.candidates.enumerated().map { place, candidate in
          ParityResult.AmbiguousKind.Reading(
            event: candidate.event.description, needs: candidate.needs, count: kind.readings[place, default: 0])
        },
        other: kind.other, undecided: kind.undecided)
    }
  }

  private var differenceList: [ParityResult.FoundDifference] {
    let valid = (options.baseline ?? []).filter { !$0.isExpired(at: options.now) }
    let known = Dictionary(valid.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
    func found(_ identity: KnownDifference.Identity, _ count: Int) -> ParityResult.FoundDifference {
      ParityResult.FoundDifference(
        path: identity.path, differenceClass: identity.differenceClass, legacy: identity.legacy,
        server: identity.server, count: count, known: known[identity])
    }
    let fields = differences.counts.map { found(identity($0.key), $0.value) }
    let accesses = entitlement.byTypes.map { types, count in
      let cell = self.types.cells[types]
      return found(
        KnownDifference.Identity(
          path: KnownDifference.entitlement, differenceClass: DifferenceClass.conflict.rawValue, legacy: cell.legacy,
          server: cell.server), count)
    }
    return (accesses + fields).sorted {
      ($0.isOfAccess ? 0 : 1, $1.count, $0.path, $0.legacy, $0.server)
        < ($1.isOfAccess ? 0 : 1, $0.count, $1.path, $1.legacy, $1.server)
    }
  }
}

extension ParityResult.FoundDifference {
  fileprivate var isOfAccess: Bool { path == KnownDifference.entitlement }
}

extension EntitlementParity {
  /// One sentence about two answers that differ.
  static func explanation(_ legacy: Access) -> String {
    legacy.isGranted
      ? "After the switch the customer would be locked out."
      : "After the switch the customer would be served, who is not served by V1."
  }
}

extension ParityResult.UnpairedKind.Reason {
  fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// One sentence about events of this kind.
  fileprivate func explanation(trace: String?, _ unit: ParityUnit, _ rules: RuleSet) -> String {
    switch self {
    case .legacyWithoutServer where unit != .notification: return "V1's answers list it, and V2's do not."
    case .serverWithoutLegacy where unit != .notification:
      return "V2's answers list it, and V1's do not: it may be younger than these."
    case .legacyWithoutServer:
      return "V1 told it and the V2 archive does not: it was lost, not sent yet, or lies outside of that archive."
    case .serverWithoutLegacy:
      return "V1 sends this kind of event, and the V1 archive lacks it: it was lost, or lies outside of that archive."
    case .serverOnlyEvents: return "V1 never sends it. Its trace in V1: \(trace ?? "none.")"
    case .notComparable:
      return "It happened before \(rules.serverStart?.date ?? "V2"), when V2 went live: no V2 event can exist."
    }
  }
}
