internal import SlipcastComparison
internal import SlipcastMapping

/// Pairs the events of one partition, counts what is settled, and hands on what is not.
final class PartitionMatcher {
  private let tally: ParityTally
  private let finder: PairFinder
  private let ties: TieBreaker
  private let grouping: MessageGrouping
  private let kinds: EventKinds
  private let firstInstant: Int64
  private let one: RecordView
  private let two: RecordView
  /// What comes again in the subscription at hand.
  private let repetitions: (legacy: RepetitionFilter, server: RepetitionFilter)
  private let links: CustomerLinks
  /// When V1 was asked last about the subscription at hand.
  private var answered: Int64?
  /// Records with the id of an event and other content, by the place of the event in the partition at hand.
  private var variants: (legacy: [Int: [Int]], server: [Int: [Int]]) = ([:], [:])

  init(_ tally: ParityTally, _ rules: RuleSet, _ shapes: ShapeTable, _ links: CustomerLinks) {
    (self.tally, self.links) = (tally, links)
    kinds = EventKinds(rules)
    ties = TieBreaker(tally, shapes)
    finder = PairFinder(tally, rules, kinds, ties)
    grouping = MessageGrouping(rules)
    firstInstant = rules.serverStart?.milliseconds ?? .min
    (one, two) = (RecordView(shapes), RecordView(shapes))
    repetitions = (RepetitionFilter(rules, shapes), RepetitionFilter(rules, shapes))
  }

  func begin() {
    repetitions.legacy.begin()
    repetitions.server.begin()
    answered = nil
  }

  /// Deals with the events of one subscription, or a part of them.
  ///
  /// - Parameter rest: takes events that may have a counterpart under another name.
  func match(
    _ partition: EventPartition, subscription: Int64, rest: (PairEvent, _ isLegacy: Bool) throws -> Void
  ) throws {
    noteAnswers(partition, subscription)
    let first = try repetitions.legacy.filter(partition.legacy)
    let second = try repetitions.server.filter(partition.server)
    note(first, second)
    var server = second.places
    let roles = grouping.roles(partition.legacy, of: first.places)
    var leads = settle(partition, roles.leads, &server, subscription: subscription, isCertain: false)
    // V2 may report a separate event in addition to that of the action, such as the end of auto-renewal before a
    // refund.
    let companions = settle(partition, roles.companions, &server, subscription: subscription, isCertain: true)
    if !variants.legacy.isEmpty || !variants.server.isEmpty {
      settleVariants(partition, &leads, &server, subscription: subscription)
      variants = ([:], [:])
    }
    tally.pairs.absorbed += companions.count
    for place in leads { try rest(partition.legacy[place], true) }
    for place in server {
      let event = partition.server[place]
      event.note(answered: answered)
      if isFinal(event) { close(event, isLegacy: false) } else { try rest(event, false) }
    }
  }

  private func noteAnswers(_ partition: EventPartition, _ subscription: Int64) {
    for event in partition.legacy { answered = event.head.answered.map { max(answered ?? $0, $0) } ?? answered }
    links.note(answered, about: subscription)
  }

  /// Counts the refunds that V1's lists show and that neither archive has an event of.
  func noteShownRefunds(_ partition: EventPartition) {
    guard let first = partition.legacy.first, !partition.refunds.isEmpty else { return }
    let told = (partition.legacy + partition.server).filter(kinds.reportsRefund)
    // One that names no period may be about any.
    guard told.allSatisfy({ $0.keys.purchaseDate != nil }) else { return }
    var seconds = Set(told.compactMap { $0.keys.purchaseDate.map { $0 / 1000 } })
    for sighting in partition.refunds {
      for period in sighting.listed where period.revocation >= firstInstant {
        guard seconds.insert(period.key.purchase / 1000).inserted else { continue }
        first.show(in: one)
        tally.addShownRefund(at: period.revocation, of: one)
      }
    }
  }

  /// Pairs what is left of other partitions and shares another name.
  func matchRest(
    _ partition: EventPartition, subscription: Int64, rest: (PairEvent, _ isLegacy: Bool) throws -> Void
  ) rethrows {
    var server = Array(partition.server.indices)
    let leads = settle(
      partition, Array(partition.legacy.indices), &server, subscription: subscription, isCertain: false)
    for place in leads { try rest(partition.legacy[place], true) }
    for place in server { try rest(partition.server[place], false) }
  }

  /// Counts an event that nothing is left to be paired with.
  func close(_ event: PairEvent, isLegacy: Bool) {
    if !isLegacy, !event.hasPayload { tally.withoutPayload += 1 }
    event.show(in: one)
    if !isLegacy { event.note(answered: links.answered(about: one.partition)) }
    let (reason, trace) = reason(for: event, isLegacy, isTold: tally.isToldByMessages(one))
    tally.add(reason, one, id: event.id, trace: trace, isAfterAnswers: event.isAfterAnswers)
  }

  /// Why an event has no counterpart, and how V1 shows it all the same.
  private func reason(
    for event: PairEvent, _ isLegacy: Bool, isTold: Bool
  ) -> (reason: ParityResult.UnpairedKind.Reason, trace: String?) {
    let isNotification = event.head.unit == .notification
    if isLegacy {
      // A refund without a date may be later than the end of its period.
      let time = event.time ?? (event.keys.event.takesBack ? nil : event.keys.expiresDate)
      return (isNotification && time.map { $0 < firstInstant } ?? false ? .notComparable : .legacyWithoutServer, nil)
    }
    if !isTold, let trace = kinds.traceOfServerOnly(event, isOfMessages: tally.isOfMessages) {
      return (.serverOnlyEvents, trace)
    }
    return (isNotification && kinds.isUnknown(event.keys.event) ? .unknownEvents : .serverWithoutLegacy, nil)
  }

  /// No message of V1's can be the event.
  private func isFinal(_ event: PairEvent) -> Bool {
    event.head.origin == .server && event.head.unit == .notification && kinds.serverOnly(event.keys) != nil
      && !kinds.mayBeTold(event.keys.event)
  }

  // MARK: steps

  /// Counts what repeats something else.
  private func note(_ legacy: RepetitionFilter.Outcome, _ server: RepetitionFilter.Outcome) {
    tally.pairs.duplicates.legacy += legacy.duplicates
    tally.pairs.duplicates.server += server.duplicates
    tally.pairs.repeatDiffers.legacy += legacy.differing
    tally.pairs.repeatDiffers.server += server.differing
    variants = (legacy.variants, server.variants)
  }

  /// Pairs events that found no counterpart by one of their variants.
  private func settleVariants(
    _ partition: EventPartition, _ legacy: inout [Int], _ server: inout [Int], subscription: Int64
  ) {
    for place in legacy {
      for variant in variants.legacy[place] ?? [] {
        guard let pair = finder.pairs(partition, legacy: [variant], server: server).first else { continue }
        compare(partition, place, pair.server, subscription: subscription)
        legacy.removeAll { $0 == place }
        server.removeAll { $0 == pair.server }
        break
      }
    }
    for place in server {
      for variant in variants.server[place] ?? [] {
        guard let pair = finder.pairs(partition, legacy: legacy, server: [variant]).first else { continue }
        compare(partition, pair.legacy, place, subscription: subscription)
        legacy.removeAll { $0 == pair.legacy }
        server.removeAll { $0 == place }
        break
      }
    }
  }

  /// Pairs messages with notifications that are free, compares the pairs, and returns the unpaired messages.
  private func settle(
    _ partition: EventPartition, _ legacy: [Int], _ server: inout [Int], subscription: Int64, isCertain: Bool
  ) -> [Int] {
    let pairs = finder.pairs(partition, legacy: legacy, server: server, isCertain: isCertain)
    guard !pairs.isEmpty else { return legacy }
    for pair in pairs { compare(partition, pair.legacy, pair.server, subscription: subscription) }
    let (first, second) = (Set(pairs.map(\.legacy)), Set(pairs.map(\.server)))
    server.removeAll(where: second.contains)
    return legacy.filter { !first.contains($0) }
  }

  /// Compares a pair; where records with other content have the id of one of the two, the pair that disagrees most counts.
  private func compare(_ partition: EventPartition, _ legacy: Int, _ server: Int, subscription: Int64) {
    var worst = (legacy: legacy, server: server)
    if let others = Self.combinations((legacy, variants.legacy[legacy]), (server, variants.server[server])) {
      var most = -1
      for pair in others {
        let conflicts = ties.conflicts(partition.legacy[pair.legacy], partition.server[pair.server])
        if conflicts > most { (most, worst) = (conflicts, pair) }
      }
    }
    compare(partition.legacy[worst.legacy], partition.server[worst.server], subscription)
  }

  /// All pairs of two events and their variants; `nil` where neither has any.
  ///
  /// Of very many some are left out.
  private static func combinations(
    _ legacy: (place: Int, others: [Int]?), _ server: (place: Int, others: [Int]?)
  ) -> [(legacy: Int, server: Int)]? {
    if legacy.others == nil, server.others == nil { return nil }
    let first = [legacy.place] + (legacy.others ?? []).prefix(31)
    let second = [server.place] + (server.others ?? []).prefix(31)
    return first.flatMap { one in second.map { (one, $0) } }
  }

  private func compare(_ legacy: PairEvent, _ server: PairEvent, _ subscription: Int64) {
    legacy.show(in: one)
    server.show(in: two)
    tally.add(one, two, subscription: subscription, ids: (legacy.id, server.id))
  }
}
