internal import SlipcastBulk
internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastStores
@_spi(Slipcast) internal import SlipcastWire

/// What reading an archive gave, besides its events.
struct ScannedArchive {
  var counts = RunCounts()
  var end = RunEnd.finished
  /// What it holds; `nil` when nothing in it could be read.
  var unit: ParityUnit?
  var units = 0
  var empty = 0
  /// Records that Slipcast made, in the place of Apple's.
  var ownRecords = 0
  /// V2 records among those of version 1.
  var ofVersion2 = 0
  /// What its V2 records have as text.
  var ofOtherKind = ValuesOfOtherKind()
  /// Records of another kind than the first one.
  var others: [ParityUnit: Int] = [:]
  /// The first records that were not compared.
  var unread = UnreadRecords()
  /// How many records each of its blocks has.
  var blocks: [Int32] = []
  /// First and last time of its events, milliseconds since 1970 UTC.
  var span: ClosedRange<Int64>?
  /// The time that it covers, by its events as they came.
  var coverage = ArchiveCoverage()
  var places = RecordPlaces()
  var sources: [ComparisonOrigin.Source] = []
}

extension ScannedArchive {
  /// Counts what a block has besides its events.
  fileprivate mutating func add(_ scanner: EventScanner, at place: BlockLocation, after before: Int) {
    sources[place.source].records += place.records
    places.add(place, before: before)
    empty += scanner.empty
    ownRecords += scanner.ownRecords
    ofVersion2 += scanner.ofVersion2
    ofOtherKind.add(scanner.ofOtherKind)
  }

  /// Counts an event.
  fileprivate mutating func add(_ mark: EventScanner.Mark, at place: BlockLocation) {
    units += 1
    span.extend(to: mark.time)
    coverage.add(mark.coveredTime, in: mark.partition, answered: mark.answered)
    if mark.unit != .notification { coverage.add(listedBy: mark.time, isMessage: mark.isOfMessage) }
    sources[place.source].span.extend(to: mark.time)
  }

  /// Counts a record of another kind, and keeps where it stands.
  ///
  /// - Parameter before: records before its block.
  fileprivate mutating func passOver(_ view: RecordView, id: String?, after before: Int, of side: MissingEvent.Side) {
    others[view.head.unit, default: 0] += 1
    guard unread.wants(side), let unit else { return }
    let found = places.find(before + Int(view.head.record))
    let place = RecordPlace(source: found.source, record: found.record, id: id)
    unread.add(UnreadRecord(view, at: place, side, besides: unit))
  }
}

/// Reads one archive and hands its events to the spill.
struct ArchiveScan {
  let rules: RuleSet
  let shapes: ShapeTable
  let options: ConvertOptions
  /// When access will be judged, where that is known before the archives are read.
  let accessTime: Int64?

  /// - Parameters:
  ///   - unit: what the other archive holds; `nil` while that is not known.
  ///   - kind: what the archive is expected to hold.
  ///   - side: 0 for the legacy archive, 1 for the server's.
  func read(
    _ sources: [RecordSource], _ kind: ArchiveKind, _ unit: ParityUnit?, side: UInt8, into spill: SortingSpill,
    links: CustomerLinks, onReject: @escaping (Reject) throws -> Void, watch: (RunCounts, Int) -> Bool
  ) async throws -> ScannedArchive {
    let (limits, digests) = (options.limits, SourceDigests())
    let run = ScanRun(kind, rules: rules, options: options, digests: digests) { [rules, shapes, accessTime] in
      EventScanner(shapes, rules, unit, limits: limits, accessTime: accessTime)
    }
    var archive = ScannedArchive()
    (archive.unit, archive.sources) = (unit, sources.map { ComparisonOrigin.Source($0) })
    let (body, view) = (JSONWriter(capacity: 4096), RecordView(shapes))
    let name = side == 0 ? MissingEvent.Side.legacy : .server
    (archive.end, archive.counts, archive.blocks) = try await run.scan(
      sources,
      onReject: { reject in
        if archive.unread.wants(name) { archive.unread.add(UnreadRecord(reject, name)) }
        try onReject(reject)
      },
      deliver: { scanner, before, place in
        if let record = scanner.converted {
          throw ConvertedLegacyError(source: InputFile.title(place.name), record: place.before + record)
        }
        archive.add(scanner, at: place, after: before)
        try scanner.keepSightings(in: spill, after: before)
        for mark in scanner.marks {
          let unit = archive.unit ?? mark.unit
          archive.unit = unit
          guard mark.unit == unit else {
            view.read(scanner.images.buffer.span.extracting(mark.range))
            archive.passOver(view, id: mark.id, after: before, of: name)
            continue
          }
          archive.add(mark, at: place)
          if unit != .notification { links.add(mark, after: before) }
          body.clear()
          PairEvent.writeStart(side, mark.id, mark.listed, to: body)
          let start = body.count
          body.raw(scanner.images.buffer.span.extracting(mark.range))
          RecordView.addToRecord(Int64(before), of: body, at: start)
          try spill.add(SortingSpill.Key(partition: mark.partition, rank: mark.rank), body.buffer.span)
        }
      },
      watch: watch)
    for (place, digest) in digests.all {
      (archive.sources[place].bytes, archive.sources[place].sha256) = (digest.bytes, digest.sha256)
    }
    return archive
  }
}

extension EventScanner {
  /// Keeps what records of a block show of other subscriptions.
  ///
  /// - Parameter before: records before the block.
  fileprivate func keepSightings(in spill: SortingSpill, after before: Int) throws {
    guard !sightings.isEmpty else { return }
    let body = JSONWriter(capacity: 256)
    for (partition, sighting) in sightings {
      body.clear()
      sighting.store(after: Int64(before), to: body)
      try spill.add(SortingSpill.Key(partition: partition, rank: sighting.time ?? 0), body.buffer.span)
    }
  }
}

extension EventScanner.Mark {
  /// Events come in their order; of an answer's items the newest word counts.
  fileprivate var rank: Int64 { unit == .notification ? time ?? 0 : 0 &- (time ?? 0) }
}

extension ClosedRange<Int64>? {
  /// Extends the range so that it contains a time.
  mutating func extend(to time: Int64?) {
    guard let time else { return }
    self = Swift.min(self?.lowerBound ?? time, time)...Swift.max(self?.upperBound ?? time, time)
  }
}

extension ComparisonOrigin.Source {
  fileprivate init(_ source: RecordSource) {
    switch source {
    case .file(let file, _):
      self.init(name: InputFile.title(file.path), kind: file == .standardInput ? .stream : .file, records: 0)
    case .rows(let feed, _): self.init(name: feed.name, kind: .database, records: 0)
    }
  }
}
