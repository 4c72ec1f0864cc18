internal import SlipcastBulk
internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastStores
@_spi(Slipcast) internal import SlipcastWire

/// What reading an archive gave, besides its events.
struct ScannedArchive {
  var counts = ScanCounts()
  var end = RunEnd.finished
  /// How many records each of its blocks has.
  var blocks: [Int32] = []
  /// First and last time of its events, milliseconds since 1970 UTC.
  var span: ClosedRange<Int64>?
}

/// Reads one archive and hands its events to the spill.
struct ArchiveScan {
  let rules: RuleSet
  let shapes: ShapeTable
  let options: ConvertOptions

  /// - Parameters:
  ///   - kind: what the archive is expected to hold.
  ///   - side: 0 for the legacy archive, 1 for the server's.
  func read(
    _ sources: [RecordSource], _ kind: ArchiveKind, side: UInt8, into spill: SortingSpill,
    onReject: @escaping (Reject) throws -> Void, watch: (ScanCounts, Int) -> Bool
  ) async throws -> ScannedArchive {
    let limits = JSONLimits(depth: options.depth, recordBytes: options.recordBytes)
    let run = ScanRun(kind, rules: rules, options: options) { [rules, shapes] in
      EventScanner(shapes, rules, limits: limits)
    }
    var archive = ScannedArchive()
    let body = JSONWriter(capacity: 4096)
    (archive.end, archive.counts, archive.blocks) = try await run.scan(
      sources, onReject: onReject,
      deliver: { scanner, before in
        for mark in scanner.marks {
          body.clear()
          body.byte(side)
          body.raw(UnsafeBufferPointer(rebasing: scanner.images.buffer[mark.range]))
          EventSide.addToRecord(Int64(before), of: body, at: 1)
          try spill.add(SortingSpill.Key(partition: mark.partition, rank: mark.time ?? 0), body.buffer)
          if let time = mark.time {
            archive.span = min(archive.span?.lowerBound ?? time, time)...max(archive.span?.upperBound ?? time, time)
          }
        }
      },
      watch: watch)
    return archive
  }
}
