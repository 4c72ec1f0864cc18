internal import SlipcastMapping

extension ParityTally {
  package var plan: SamplePlan { SamplePlan(self) }

  /// The result; gates are for the caller to add.
  package func result(
    legacy: ParityResult.Archive, server: ParityResult.Archive, samples: SampleBook
  ) -> ParityResult {
    var result = ParityResult(legacy: legacy, server: server)
    let places = samples.places
    (result.pairs, result.failingPairs) = (pairs, failingPairCount)
    result.fields = fieldList(samples, places)
    result.types = typeList
    result.entitlement = access(samples, places)
    result.unpaired = unpairedList
    result.ambiguous = ambiguousList
    result.periods = periods.periods
    result.coverage = coverage.coverage
    result.missing.kinds = missing.kinds
    result.missing.known = missing.found.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    result.samplePairs = samples.samplePairs
    result.differences = differenceList(places, samples.subjects)
    noteCauses(in: &result)
    if let note = noteOfShownRefunds { result.notes.append(note) }
    if withoutPayload > 0 { result.notes.append(.noPayload(withoutPayload)) }
    if pairs.unknownEvents > 0 { result.notes.append(.unknownEvents(pairs.unknownEvents)) }
    return result
  }

  private func noteCauses(in result: inout ParityResult) {
    for (number, path) in causes.failing {
      let name = comparer.paths.path(number).path
      result.causes += CauseFinder(name, path, causes.kinds).causes
      if !path.shifts.isEmpty { result.shifts.append(DateShifts(path: name, counts: path.shifts)) }
    }
    let order = Dictionary(uniqueKeysWithValues: ParityCause.Kind.allCases.enumerated().map { ($1, $0) })
    result.causes = result.causes.enumerated().sorted { left, right in
      let (one, two) = (left.element, right.element)
      if one.pairs != two.pairs { return one.pairs > two.pairs }
      let kinds = (order[one.kind] ?? 0, order[two.kind] ?? 0)
      if kinds.0 != kinds.1 { return kinds.0 < kinds.1 }
      // Paths in Apple's order; of one path the order must not depend on that of a dictionary.
      if one.path != two.path { return left.offset < right.offset }
      return (one.from?.json ?? "", one.to?.json ?? "") < (two.from?.json ?? "", two.to?.json ?? "")
    }.map(\.element)
    result.appMonths = causes.appMonths
  }

  private func fieldList(_ samples: SampleBook, _ places: [PairNumbers: Int]) -> [ParityResult.Field] {
    var (v2, v1) = ([ParityResult.Field](), [ParityResult.Field]())
    for (number, tallied) in fields.all {
      let (path, isV1) = comparer.paths.path(number)
      var field = ParityResult.Field(v2Path: isV1 ? nil : path, v1Path: isV1 ? path : nil)
      for (place, count) in tallied.counts.enumerated() where count > 0 {
        field.counts[DifferenceClass.allCases[place]] = count
      }
      (field.accepted, field.unreadable) = (tallied.accepted, tallied.unreadable)
      field.tolerated = tallied.tolerated
      field.samples = samples.samples(number, places)
      if isV1 { field.reason = field.samples.first?.difference.explanation }
      if isV1 { v1.append(field) } else { v2.append(field) }
    }
    return v2 + v1
  }

  private var typeList: [ParityResult.TypeCell] {
    types.cells.filter { $0.count > 0 }
      .sorted { ($1.count, $0.legacy, $0.server) < ($0.count, $1.legacy, $1.server) }
  }

  private func access(_ samples: SampleBook, _ places: [PairNumbers: Int]) -> EntitlementParity {
    var parity = entitlement.parity
    parity.asOf = options.asOf
    parity.samples = entitlement.records.pairs.compactMap { pair in
      guard let answer = entitlement.answers[pair], let asOf = answer.asOf, let legacy = answer.legacy,
        let server = answer.server
      else { return nil }
      return EntitlementParity.Sample(
        legacyRecord: pair.legacy, serverRecord: pair.server, asOf: asOf, legacy: legacy, server: server,
        explanation: EntitlementParity.explanation(legacy), pair: places[pair], subject: samples.subjects[pair])
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

  /// Pairs of the differences that fail: the first one of each, and the others.
  ///
  /// The last records of a customer need not be about one event: a comparison of the two would mislead.
  var failingPairs: (first: [PairNumbers], others: [PairNumbers]) {
    let pairs = differenceList([:]).filter(\.fails).map { $0.pairs.map(\.numbers).filter(\.isPair) }
    return (pairs.compactMap(\.first), listed.isEmpty ? [] : pairs.flatMap { $0.dropFirst() })
  }

  /// The numbers of the differences that fail, in the order of reports.
  package var failingDifferences: [Int] {
    differenceList([:]).filter(\.fails).compactMap(\.number)
  }

  private func differenceList(
    _ places: [PairNumbers: Int], _ subjects: [PairNumbers: PairSubject] = [:]
  ) -> [ParityResult.FoundDifference] {
    let known = Dictionary(
      options.knownDifferences.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
    let found = differences.all.map { key, difference in
      let identity = identity(key)
      var found = ParityResult.FoundDifference(
        path: identity.path, differenceClass: identity.differenceClass, kind: key.kind, legacy: identity.legacy,
        server: identity.server, count: difference.count, customers: difference.customers, known: known[identity])
      (found.number, found.isListed) = (difference.number, listed[difference.number] != nil)
      let pairs = listed[difference.number] ?? difference.records.pairs.map { ($0, subjects[$0] ?? PairSubject()) }
      found.pairs = pairs.map { .init(numbers: $0.numbers, pair: places[$0.numbers], subject: $0.subject) }
      return found
    }
    return found.sorted { left, right in
      let ranks = (left.isOfAccess ? 0 : 1, right.isOfAccess ? 0 : 1)
      if (ranks.0, right.count) != (ranks.1, left.count) { return (ranks.0, right.count) < (ranks.1, left.count) }
      return (left.path, left.differenceClass, left.kind.rawValue, left.legacy, left.server)
        < (right.path, right.differenceClass, right.kind.rawValue, right.legacy, right.server)
    }
  }
}

extension Comparison.Note {
  fileprivate static func noPayload(_ count: Int) -> Comparison.Note {
    Comparison.Note(
      code: "noPayload", isWarning: true,
      message: "\(count) of the V2 notifications \(count == 1 ? "has" : "have") none of data, summary, "
        + "externalPurchaseToken, appData and unclaimInfo: counted by type alone")
  }

  fileprivate static func unknownEvents(_ count: Int) -> Comparison.Note {
    Comparison.Note(
      code: "unknownEvents", isWarning: true,
      message: "unknown to this version: \(count); V2 notifications of a type or subtype that the rules do not name, "
        + "which are kept and compared with nothing")
  }
}

extension ParityResult.FoundDifference {
  fileprivate var isOfAccess: Bool { path == KnownDifference.entitlement }
}

extension EntitlementParity {
  static func explanation(_ legacy: Access) -> String {
    legacy.isGranted
      ? "After the switch the customer would be locked out."
      : "After the switch the customer would be served, who is not served by V1."
  }
}

extension ParityResult.UnpairedKind.Reason {
  fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  fileprivate func explanation(trace: String?, _ unit: ParityUnit, _ rules: RuleSet) -> String {
    switch self {
    case .legacyWithoutServer where unit != .notification: return "V1's answers list it, and V2's do not."
    case .serverWithoutLegacy where unit != .notification:
      return "V2's answers list it, and V1's do not: it may be younger than these."
    case .legacyWithoutServer:
      return "Only the V1 archive has it: the V2 notification was lost, not sent yet, or is outside of the archive."
    case .serverWithoutLegacy:
      return "V1 sends this kind of event, but the V1 archive lacks it: it was lost, or is outside of the archive."
    case .unknownEvents:
      return "The rules of this version do not name it: it is kept and counted, and nothing is missing in V1."
    case .serverOnlyEvents: return "V1 never sends it. Its trace in V1: \(trace ?? "none.")"
    case .notComparable:
      return "It happened before \(rules.serverStart?.date ?? "V2"), when V2 went live: no V2 event can exist."
    }
  }
}
