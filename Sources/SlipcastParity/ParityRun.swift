package import SlipcastBulk
package import SlipcastComparison
package import SlipcastMapping
internal import SlipcastStores
internal import SlipcastWire

/// Compares two archives: reads both, pairs their events out of memory, and shows some of the pairs in full.
package struct ParityRun {
  private let rules: RuleSet
  private let options: ParityOptions
  private let shapes = ShapeTable()
  private let links = CustomerLinks()

  package init(rules: RuleSet, options: ParityOptions) { (self.rules, self.options) = (rules, options) }

  /// Compares all events of both archives.
  ///
  /// - Parameters:
  ///   - legacy: sources, which are read twice; standard input may be one of those of either side.
  ///   - onReject: called for records that could not be read.
  ///   - watch: called with the progress; false ends the run.
  /// - Throws: `FileError` for sources that cannot be read, `StoreError` for a full disk, `ParityInterruption`,
  ///   `ConvertedLegacyError` for records that Slipcast converted in the place of the legacy archive,
  ///   `WholeArchiveError` for parts outside of the time that is given for the whole.
  package func compare(
    legacy: [RecordSource], server: [RecordSource], onReject: @escaping (Reject) throws -> Void,
    watch: @escaping (ParityProgress) -> Bool
  ) async throws -> ParityResult {
    for case .rows(let feed, _) in legacy where feed.holdsConverted { throw ConvertedLegacyError(store: feed) }
    let standardInput = try StandardInputCopy(for: legacy + server)
    let spill = SortingSpill(in: SortedSpill(isAside: options.legacy.jobs > 1))
    let second = try await read(server, isLegacy: false, unit: nil, into: spill, onReject: onReject, watch: watch)
    let unit = second.unit ?? .notification
    let first = try await read(legacy, isLegacy: true, unit: unit, into: spill, onReject: onReject, watch: watch)
    let covered = try covered(first, second, in: spill)
    if let whole = options.whole { try WholeArchiveError.check(whole, contains: covered) }
    let time = commonTime(options.whole ?? answered(covered, first, and: second, of: unit))
    let tally = tally(of: first, and: second, unit, time)
    let missing = options.missing ?? MissingRows()
    tally.onMissing = missing.add
    let total = spill.count
    let book = try accessBook(of: first, and: second, tally, time, unit)
    if let failing = options.failing { tally.onDifference = failing.add }
    try ArchiveMatcher(tally, rules, shapes, links, access: book, isAside: options.legacy.jobs > 1) { done in
      guard watch(.pairing(done, of: total)) else { throw ParityInterruption() }
    }.match(spill)
    var customers = AccessSamples(tolerance: rules.toleranceOfEnds)
    try book?.finish { change in
      customers.add(change)
      try options.access?(change)
    }
    check(tally.pairs, first, second)
    try options.failing?.list(in: tally)
    standardInput?.rewind()
    let samples = try await samples(tally, (legacy, first.blocks), (server, second.blocks)) { done in
      guard watch(.showing(done, of: 2)) else { throw ParityInterruption() }
    }
    var result = tally.result(
      legacy: ParityResult.Archive(name: options.names.legacy, records: first.total, span: first.span),
      server: ParityResult.Archive(name: options.names.server, records: second.total, span: second.span),
      samples: samples)
    if options.whole != nil {
      (result.coverage.legacy.covers, result.coverage.server.covers) = (covered.legacy, covered.server)
    }
    (result.access, result.accessSamples) = (book?.totals, customers)
    (result.missing.legacy, result.missing.server) = (try missing.first(.legacy), try missing.first(.server))
    (result.unread.legacy, result.unread.server) = (first.unread.legacy, second.unread.server)
    result.origin = origin(first, second)
    result.notes += first.notes("legacy", unit) + second.notes("server", unit) + Self.notes(tally.pairs.repeatDiffers)
    return result
  }

  /// A tally that knows what either archive covers.
  private func tally(
    of first: ScannedArchive, and second: ScannedArchive, _ unit: ParityUnit, _ time: CommonTime
  ) -> ParityTally {
    let tally = ParityTally(rules, options.tally, unit, span: Self.joined(first.span, second.span), time: time)
    tally.locate = { side, record in (side == .legacy ? first : second).places.find(record) }
    tally.serverEnd = second.coverage.answered
    // Of a part the whole archive has the messages.
    let messages = first.coverage.messages.map { options.whole?.legacy ?? $0 }
    tally.messages = messages?.less(rules.window(.margin).milliseconds)
    tally.isOfMessages = first.coverage.messages != nil && first.coverage.isOfMessages
    tally.pairs.rejected = ParityResult.Pairs.Both(legacy: first.notRead, server: second.notRead)
    return tally
  }

  /// The time that each input covers.
  private func covered(
    _ first: ScannedArchive, _ second: ScannedArchive, in spill: SortingSpill
  ) throws -> WholeArchives {
    let (filter, view) = (RepetitionFilter(rules, shapes), RecordView(shapes))
    return WholeArchives(
      legacy: try first.coverage.withoutRepetitions(in: spill, isLegacy: true, filter, view),
      server: try second.coverage.withoutRepetitions(in: spill, isLegacy: false, filter, view))
  }

  /// The same of answers: each lists what was bought until it was given, and of subscriptions all, whenever they began.
  private func answered(
    _ covered: WholeArchives, _ first: ScannedArchive, and second: ScannedArchive, of unit: ParityUnit
  ) -> WholeArchives {
    guard let one = covered.legacy, let two = covered.server else { return covered }
    let start = min(one.lowerBound, two.lowerBound).subtractingReportingOverflow(rules.window(.margin).milliseconds)
    func extended(_ time: ClosedRange<Int64>, by answered: Int64?) -> ClosedRange<Int64> {
      let from = unit == .subscription && !start.overflow ? start.partialValue : time.lowerBound
      return from...max(time.upperBound, answered ?? time.upperBound)
    }
    return WholeArchives(
      legacy: extended(one, by: first.coverage.answered), server: extended(two, by: second.coverage.answered))
  }

  private func commonTime(_ archives: WholeArchives) -> CommonTime {
    CommonTime(
      archives.legacy, archives.server, tolerance: rules.longestGroupingWindow,
      margin: rules.window(.margin).milliseconds, isSameSpan: options.tally.isSameSpan)
  }

  /// Access is judged at the end of the common time, by the records up to there.
  ///
  /// An archive that ends earlier knows nothing of later events. Answers state what was so whenever they were asked for.
  private func accessBook(
    of first: ScannedArchive, and second: ScannedArchive, _ tally: ParityTally, _ time: CommonTime, _ unit: ParityUnit
  ) throws -> AccessBook? {
    let spans = options.whole.map { [$0.legacy, $0.server] } ?? [first.span, second.span]
    let ends = spans.compactMap { $0?.upperBound }
    let isOfEvents = unit == .notification && options.tally.asOf == nil
    guard let moment = options.tally.asOf ?? (isOfEvents ? time.end : nil) ?? ends.min() else {
      if options.access != nil { throw AccessTimeError() }
      return nil
    }
    // What was taken back after that moment is a later event, unless the caller names the moment.
    let customers = CustomerAccess(
      shapes, rules, at: moment, limit: isOfEvents ? time.common?.upperBound : nil,
      looksAhead: options.tally.asOf != nil, followsAnswers: unit != .notification && options.tally.asOf == nil,
      tolerance: rules.toleranceOfEnds)
    return try AccessBook(customers, tally, at: moment, tolerance: rules.toleranceOfEnds)
  }

  private static func notes(_ differing: ParityResult.Pairs.Both) -> [Comparison.Note] {
    guard differing != .init() else { return [] }
    let counts = [(differing.legacy, "legacy"), (differing.server, "server")].filter { $0.0 > 0 }
      .map { "\($0.0) in the \($0.1) archive" }
    return [
      Comparison.Note(
        code: RepeatFinding.repeatDiffers.rawValue, isWarning: true,
        message: "records with the key or notificationUUID of another record have other content "
          + "(\(counts.joined(separator: ", "))): each was compared, and the one that disagrees most was counted")
    ]
  }

  private func read(
    _ sources: [RecordSource], isLegacy: Bool, unit: ParityUnit?, into spill: SortingSpill,
    onReject: @escaping (Reject) throws -> Void,
    watch: @escaping (ParityProgress) -> Bool
  ) async throws -> ScannedArchive {
    let scan = ArchiveScan(
      rules: rules, shapes: shapes, options: isLegacy ? options.legacy : options.server,
      accessTime: options.tally.asOf)
    links.begin()
    let archive = try await scan.read(
      sources, isLegacy ? .legacy : .server, unit, side: isLegacy ? 0 : 1, into: spill, links: links,
      onReject: onReject
    ) { counts, bytes in watch(.reading(records: counts.read, rawBytes: bytes, isLegacy: isLegacy)) }
    if archive.end == .interrupted { throw ParityInterruption() }
    return archive
  }

  private func origin(_ legacy: ScannedArchive, _ server: ScannedArchive) -> ComparisonOrigin {
    ComparisonOrigin(
      legacy: legacy.sources, server: server.sources, options: options.given,
      rules: ComparisonOrigin.Rules(version: Release.version, digest: rules.digest))
  }

  private static func joined(_ one: ClosedRange<Int64>?, _ two: ClosedRange<Int64>?) -> ClosedRange<Int64>? {
    guard let one, let two else { return one ?? two }
    return min(one.lowerBound, two.lowerBound)...max(one.upperBound, two.upperBound)
  }

  /// Every record has ended in exactly one way.
  private func check(_ pairs: ParityResult.Pairs, _ legacy: ScannedArchive, _ server: ScannedArchive) {
    let first =
      pairs.compared + pairs.legacyWithoutServer + pairs.absorbed + pairs.notComparable + pairs.duplicates.legacy
      + pairs.rejected.legacy
    let second =
      pairs.compared + pairs.serverWithoutLegacy + pairs.serverOnlyEvents + pairs.unknownEvents
      + pairs.duplicates.server + pairs.rejected.server
    guard first == legacy.total, second == server.total else {
      fatalError("an event was lost: the counts of the comparison do not add up")
    }
  }

  // MARK: samples

  private func samples(
    _ tally: ParityTally, _ legacy: (sources: [RecordSource], blocks: [Int32]),
    _ server: (sources: [RecordSource], blocks: [Int32]), watch: (Int) throws -> Void
  ) async throws -> SampleBook {
    let plan = tally.plan
    var book = SampleBook(plan, tally)
    try watch(0)
    guard options.showsSamples, !plan.pairs.isEmpty else { return book }
    let first = try await FetchRun(.legacy, rules: rules, options: options.legacy)
      .fetch(Set(plan.pairs.map(\.legacy)), from: legacy.sources, blocks: legacy.blocks)
    try watch(1)
    let second = try await FetchRun(.server, rules: rules, options: options.server)
      .fetch(Set(plan.pairs.map(\.server)), from: server.sources, blocks: server.blocks)
    let prepared = LegacyConverter.PreparedRules(rules: rules)
    let comparer = PairReader(prepared: prepared, options: options.legacy.conversion)
    (comparer.turnsCompanions, comparer.serverEnd) = (false, tally.serverEnd)
    if let settled = options.legacy.settled { comparer.settle { settled.find($0) } }
    for pair in plan.pairs {
      comparer.item = pair.unit
      guard let one = first[pair.legacy], let two = second[pair.server],
        let comparison = try? comparer.compare(
          legacy: one.json, server: two.json, receivedAt: one.receivedAt.map(Timestamp.init(milliseconds:)),
          names: (place(of: one), place(of: two)))
      else { continue }
      book.add(comparison, of: pair, ids: (one.id, two.id))
    }
    return book
  }
}

extension ParityRun {
  /// Where a record stands, for reports.
  fileprivate func place(of record: FetchRun.Record) -> String {
    "\(InputFile.title(record.source)), record \(record.number)"
  }
}

extension ScannedArchive {
  /// What could not be read, or is of another kind.
  fileprivate var notRead: Int { counts.rejected + others.values.reduce(0, +) }

  fileprivate var total: Int { units + notRead }

  fileprivate func notes(_ side: String, _ unit: ParityUnit) -> [Comparison.Note] {
    var notes = others.sorted { $0.key.rawValue < $1.key.rawValue }.map { other, count in
      Comparison.Note(
        code: "otherKind", isWarning: true,
        message: "the \(side) archive also contains \(other.archive) (\(count)), which were not compared: compare them "
          + "separately; here \(unit.archive) are")
    }
    if ownRecords > 0 { notes.append(ownRecordsNote(side)) }
    if ofVersion2 > 0 {
      let words =
        ofVersion2 == 1 ? "1 record of the \(side) archive is" : "\(ofVersion2) records of the \(side) archive are"
      notes.append(
        Comparison.Note(
          code: "serverInLegacy", isWarning: ofVersion2 < units,
          message: "\(words) V2 already, and compared as such: where they agree, nothing is said about V1"))
    }
    if let note = ofOtherKind.note("the \(side) archive") { notes.append(note) }
    guard empty > 0 else { return notes }
    let words = empty == 1 ? "1 answer of the \(side) archive lists" : "\(empty) answers of the \(side) archive list"
    return notes + [Comparison.Note(code: "emptyAnswer", isWarning: false, message: "\(words) nothing")]
  }

  /// Records that Slipcast converted agree with the V1 records that they came from, whatever Apple's server says.
  private func ownRecordsNote(_ side: String) -> Comparison.Note {
    let words =
      ownRecords == 1 ? "1 record of the \(side) archive was" : "\(ownRecords) records of the \(side) archive were"
    return Comparison.Note(
      code: "convertedServer", isWarning: true,
      message: "\(words) made by Slipcast (converted from V1, or signed with a test identity), not by Apple: agreement "
        + "with them does not prove anything about Apple's server data; name V2 records that Apple sent: --server "
        + "ARCHIVE")
  }
}
