package import SlipcastMapping
package import SlipcastWire

/// Gathers what becomes of the events of two archives; memory does not grow with them.
package final class ParityTally {
  package struct Options: Sendable {
    package var strict: Set<DifferenceClass> = []
    /// What is known; what has expired counts no more.
    package var baseline: Baseline?
    /// Both archives should cover the same time: events outside of the common time count too.
    package var isSameSpan = false
    /// The time at which access is judged; `nil`: each pair at its own.
    package var asOf: Int64?
    package var now = Timestamp(milliseconds: 0)

    package init() {}

    var knownDifferences: [KnownDifference] {
      (baseline?.differences ?? []).filter { $0.kind != nil && !$0.isExpired(at: now) }
    }
  }

  let options: Options
  let comparer: ViewComparer
  /// The latest signature in the server's archive of answers, milliseconds since 1970 UTC.
  package var serverEnd: Int64? {
    get { comparer.serverEnd }
    set { comparer.serverEnd = newValue }
  }
  /// From the first to the last of V1's messages, less the margin, where V2 has answers.
  package var messages: ClosedRange<Int64>?
  /// V1 has messages only, and no answers.
  package var isOfMessages = false
  /// Refunds that only lists of V1's show, the first of them in words.
  var shownRefunds: (count: Int, first: [String]) = (0, [])
  let judge: EntitlementJudge
  let rules: RuleSet
  package var pairs = ParityResult.Pairs()
  /// V2 notifications without any of the objects that say what they are about.
  package var withoutPayload = 0
  /// Pairs with a conflict that no baseline accepts.
  private(set) var failingPairCount = 0
  private(set) var fields = FieldTally()
  private(set) var types = TypeTally()
  private(set) var differences = DifferenceTally()
  private(set) var entitlement = EntitlementTally()
  private(set) var unpaired = UnpairedTally()
  private(set) var ambiguous = AmbiguousTally()
  private(set) var periods: PeriodTally
  var coverage: CoverageTally
  var missing: MissingTally
  private(set) var causes: CauseTally
  /// Called for every pair with a difference that fails or is known, with the number of the difference.
  package var onDifference: ((_ difference: Int, PairNumbers, PairSubject) -> Void)?
  /// Called for every event that counts as missing.
  package var onMissing: ((MissingEvent) -> Void)?
  /// The source of a record and its number there, by its number in the archive.
  package var locate: ((MissingEvent.Side, _ record: Int) -> (source: String, record: Int))?
  /// Pairs of failing differences for reports, by the number of the difference.
  private(set) var listed: [Int: [(numbers: PairNumbers, subject: PairSubject)]] = [:]
  /// What the pair or customer at hand is about.
  private var subject = PairSubject()
  /// How many pairs of each known difference are accepted.
  private let known: [KnownDifference.Identity: Int]
  /// The readings that each row of the decision table leaves open.
  private let candidates: [[EventName]]
  /// Whether one of those readings is a refund itself, and no companion of one.
  let reversals: [Bool]
  /// How many pairs are accepted by the difference's key, 0 for an unknown one; asked for every conflict.
  private var limits: [DifferenceTally.Key: Int] = [:]

  /// - Parameters:
  ///   - unit: what both archives list.
  ///   - span: the time of all events, for counting over time.
  ///   - time: the time that both archives cover, for the gates of missing events.
  package init(
    _ rules: RuleSet, _ options: Options, _ unit: ParityUnit, span: ClosedRange<Int64>?, time: CommonTime
  ) {
    (self.rules, self.options) = (rules, options)
    comparer = ViewComparer(rules)
    comparer.paths.unit = unit
    judge = EntitlementJudge(tolerance: rules.comparing(.boundary)?.milliseconds ?? 0)
    periods = PeriodTally(span)
    causes = CauseTally(span)
    coverage = CoverageTally(time)
    missing = MissingTally((options.baseline?.events ?? []).filter { !$0.isExpired(at: options.now) })
    candidates = rules.comparedTypes.map { $0.candidates.map(\.event) }
    reversals = rules.comparedTypes.map { $0.candidates.contains { $0.event.takesBack && !$0.isAbsorbed } }
    known = Dictionary(
      options.knownDifferences.map { ($0.identity, $0.atMost ?? .max) }, uniquingKeysWith: { first, _ in first })
  }

  /// Counts an event present in both.
  ///
  /// - Parameters:
  ///   - subscription: identifies the subscription; events of one follow each other.
  ///   - ids: those of the rows of both.
  package func add(
    _ legacy: RecordView, _ server: RecordView, subscription: Int64,
    ids: (legacy: String?, server: String?) = (nil, nil)
  ) {
    comparer.compare(legacy, server)
    let numbers = PairNumbers(
      legacy: Int(legacy.head.record), server: Int(server.head.record),
      unit: server.head.unit == .notification ? 0 : server.head.id?.low ?? 0)
    let number = types.number(legacy.head.name, server.head.name)
    var (pair, hasSubject) = (PairCount(), false)
    let time = server.head.asOf ?? legacy.head.eventTime
    causes.begin(legacy, server, types: number, time: time)
    let lostRefund = lostRefund(legacy, server, ids)
    for finding in comparer.findings {
      let fails = finding.differenceClass == .conflict || options.strict.contains(finding.differenceClass)
      var isAccepted = false
      if fails, let lostRefund, FieldNumber.ofRevocation.contains(finding.path) {
        isAccepted = lostRefund.isAccepted
      } else if fails {
        let key = DifferenceTally.Key(
          path: finding.path, differenceClass: finding.differenceClass, kind: finding.kind, types: number)
        if !hasSubject { (subject, hasSubject) = (PairSubject(legacy, server, ids: ids), true) }
        isAccepted = count(key, numbers)
      }
      if finding.differenceClass == .conflict { pair.add(finding.path, isAccepted: isAccepted) }
      fields.add(finding, numbers, isAccepted: isAccepted)
      // Equal values that fail by `--strict` have no difference to explain.
      causes.add(finding.path, fails: fails && !isAccepted && finding.kind != .same, form(finding, legacy, server))
    }
    causes.end(isConflicting: pair.isConflicting)
    if pair.isFailing { failingPairCount += 1 }
    pairs.add(isConflicting: pair.isConflicting)
    types.add(number, isConflicting: pair.isConflicting, isTypeConflict: pair.isTypeConflict)
    periods.add(time, isConflicting: pair.isConflicting)
    var answer = judge.judge(legacy, server, asOf: options.asOf)
    if pair.areEndsFailing, let time = answer.asOf { answer.serverEnds = judge.serverEnds(legacy, server, after: time) }
    if !hasSubject, answer.finding.kind != nil { subject = PairSubject(legacy, server, ids: ids) }
    noteAccess(answer, numbers, types: number, subscription: subscription)
    entitlement.noteEnds(failing: pair.areEndsFailing, accepted: pair.areEndsAccepted)
    coverage.add(
      legacy: (legacy.head.name, legacy.coveredTimes), server: (server.head.name, server.coveredTimes))
    noteReading(legacy, server)
  }

  /// What the difference of a finding looks like.
  private func form(_ finding: ViewComparer.Finding, _ legacy: RecordView, _ server: RecordView) -> DifferenceForm {
    let values: (ScalarView?, ScalarView?) =
      switch finding.subject {
      case .field(let index): (legacy[index], server[index])
      case .extra(let place):
        (comparer.extras[place].cast.map { legacy.extras[$0] }, comparer.extras[place].server.map { server.extras[$0] })
      case .legacy: (nil, nil)
      }
    switch finding.kind {
    case .absentInV1: return .absentInV1
    case .absentInV2: return .absentInV2
    case .earlierInV2, .laterInV2:
      guard let one = values.0?.number, let two = values.1?.number else { return .other }
      return .date(two.subtractingReportingOverflow(one).partialValue)
    case .changed, .smallerInV2, .largerInV2:
      guard let one = values.0, let two = values.1 else { return .other }
      return .values(from: one.shown, to: two.shown)
    case .unreadableInV1, .same, .lockedOut, .servedForFree: return .other
    }
  }

  /// How many paths of a pair are in conflict, without counting the pair.
  package func conflicts(_ legacy: RecordView, _ server: RecordView) -> Int {
    comparer.compare(legacy, server)
    return comparer.findings.count {
      $0.differenceClass == .conflict || options.strict.contains($0.differenceClass)
    }
  }

  /// Whether a baseline accepts so many pairs or customers of a difference: one that has grown is accepted up to the
  /// number that the baseline names, and the rest fails.
  private func accepts(_ key: DifferenceTally.Key, _ count: Int) -> Bool {
    if known.isEmpty { return false }
    if let limit = limits[key] { return count <= limit }
    let limit = known[identity(key)] ?? 0
    limits[key] = limit
    return count <= limit
  }

  func identity(_ key: DifferenceTally.Key) -> KnownDifference.Identity {
    let cell = types.cells[key.types]
    return KnownDifference.Identity(
      path: comparer.paths.path(key.path).path, differenceClass: key.differenceClass.rawValue, kind: key.kind,
      legacy: cell.legacy, server: cell.server)
  }

  private func noteAccess(
    _ answer: EntitlementJudge.Answer, _ numbers: PairNumbers, types: Int, subscription: Int64
  ) {
    let change = answer.finding.kind.map { Self.change($0, types) }
    let isAccepted = change.map { count($0, numbers) } ?? false
    entitlement.add(answer, numbers, change, subscription: subscription, isAccepted: isAccepted)
  }

  /// Counts a difference that fails, whether or not its pairs are kept.
  ///
  /// - Returns: whether the baseline accepts it.
  @discardableResult
  private func count(_ key: DifferenceTally.Key, _ numbers: PairNumbers) -> Bool {
    let (number, count) = differences.add(key, numbers)
    onDifference?(number, numbers, subject)
    return accepts(key, count)
  }

  /// A change of access between two types as a difference.
  private static func change(_ kind: DifferenceKind, _ types: Int) -> DifferenceTally.Key {
    DifferenceTally.Key(path: PathBook.entitlement, differenceClass: .conflict, kind: kind, types: types)
  }

  /// Notes pairs of a failing difference for reports.
  package func list(_ difference: Int, _ pairs: [(numbers: PairNumbers, subject: PairSubject)]) {
    listed[difference] = pairs
  }

  /// Counts a customer whose access changes at the last known state.
  ///
  /// - Returns: whether the baseline accepts it.
  package func addCustomer(_ change: AccessChange, _ kind: DifferenceKind) -> Bool {
    let key = Self.change(kind, types.number(change.legacy.event, change.server.event))
    let records = PairNumbers(
      legacy: Int(change.legacy.record ?? 0), server: Int(change.server.record ?? 0), isPair: false)
    if !entitlement.shows(key) {
      subject = PairSubject()
      (subject.originalTransactionId, subject.productId) = (change.originalTransactionId, change.productId)
      (subject.type, subject.legacyId, subject.serverId) = (change.server.event, change.legacy.id, change.server.id)
      count(key, records)
    }
    return accepts(key, differences.addCustomer(key))
  }

  package func endCustomer() { entitlement.endCustomer() }

  /// A baseline accepts every date of the customer at hand that could move the end of access, or the single missing
  /// refund that does.
  package func acceptsEnd(_ change: AccessChange) -> Bool {
    entitlement.areEndsAccepted || acceptsRefund(change)
  }

  /// A baseline accepts the single missing refund that makes the difference.
  package func acceptsRefund(_ change: AccessChange) -> Bool {
    guard let id = change.originalTransactionId, missing.acceptedRefunds.contains(id) else { return false }
    return change.legacy.reason.isRevocation != change.server.reason.isRevocation
  }

  private func noteReading(_ legacy: RecordView, _ server: RecordView) {
    guard legacy.head.origin != .server, legacy.head.decision >= 0 else { return }
    let readings = candidates[Int(legacy.head.decision)]
    guard !readings.isEmpty else { return }
    ambiguous.add(Int(legacy.head.decision), reading: readings.firstIndex(of: server.shape.event))
  }

  /// Counts an event present in only one archive.
  ///
  /// - Parameters:
  ///   - view: the event.
  ///   - trace: why V1 does not have it.
  ///   - isAfterAnswers: V1 was asked last before it was bought.
  package func add(
    _ reason: ParityResult.UnpairedKind.Reason, _ view: RecordView, id: String?, trace: String? = nil,
    isAfterAnswers: Bool = false
  ) {
    let head = view.head
    switch reason {
    case .legacyWithoutServer: pairs.legacyWithoutServer += 1
    case .serverWithoutLegacy: pairs.serverWithoutLegacy += 1
    case .serverOnlyEvents: pairs.serverOnlyEvents += 1
    case .unknownEvents: pairs.unknownEvents += 1
    case .notComparable: pairs.notComparable += 1
    }
    switch reason {
    case .legacyWithoutServer: periods.addMissing(head.time, .legacy)
    case .serverWithoutLegacy: periods.addMissing(head.time, .server)
    case .serverOnlyEvents, .unknownEvents, .notComparable: break
    }
    switch reason {
    case .legacyWithoutServer: addMissing(view, .legacy, id: id, isAfterAnswers)
    case .serverWithoutLegacy: addMissing(view, .server, id: id, isAfterAnswers)
    case .serverOnlyEvents, .unknownEvents, .notComparable: break
    }
    unpaired.add(reason, head.name, record: Int(head.record), trace: trace)
    guard reason == .legacyWithoutServer || reason == .notComparable, head.decision >= 0 else { return }
    if !candidates[Int(head.decision)].isEmpty { ambiguous.addUndecided(Int(head.decision)) }
  }

  /// Readings of the decision table, for finding pairs.
  package func standing(_ legacy: EventHead, cast: EventKeys, server: EventKeys) -> EventStanding {
    guard legacy.decision >= 0, legacy.origin != .server else { return cast.event == server.event ? .equal : .differs }
    return comparer.events.reading(
      Int(legacy.decision), legacy.alternatives, cast: cast.event, server: server.event,
      numbers: (cast.eventNumber, server.eventNumber)
    ).standing
  }
}

/// The conflicts of one pair.
private struct PairCount {
  private(set) var (isConflicting, isFailing, isTypeConflict) = (false, false, false)
  /// Dates that move the end of access are in conflict: those that fail, and those that a baseline accepts.
  private(set) var (areEndsFailing, areEndsAccepted) = (false, false)

  mutating func add(_ path: Int, isAccepted: Bool) {
    isConflicting = true
    isFailing = isFailing || !isAccepted
    if path == FieldNumber.notificationType || path == FieldNumber.subtype { isTypeConflict = true }
    guard FieldNumber.endsOfAccess.contains(path) else { return }
    if isAccepted { areEndsAccepted = true } else { areEndsFailing = true }
  }
}
