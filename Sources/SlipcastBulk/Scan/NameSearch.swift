@_spi(Slipcast) package import SlipcastWire

/// Finds out whether the members that options name are in the rows of sources, before anything is written.
package struct NameSearch: Sendable {
  /// An option that names a place in each row.
  package struct Wanted: Sendable {
    package var option: String
    package var pointer: JSONPointer

    package init(option: String, pointer: JSONPointer) { (self.option, self.pointer) = (option, pointer) }
  }

  /// A place that no row has, with the names that rows have.
  package struct Missing: Sendable {
    package var wanted: Wanted
    package var names: [ShownName]
  }

  /// A member that only some rows of a file have is in one of its first thousand.
  fileprivate static let mostRows = 1000
  private let wanted: [Wanted]
  private let limits: JSONLimits

  package init(_ wanted: [Wanted], recordBytes: Int) {
    self.wanted = wanted.filter { !$0.pointer.tokens.isEmpty }
    limits = JSONLimits(recordBytes: recordBytes)
  }

  /// The first place that none of the first rows of any file has; `nil` where all are found, and where there are no rows.
  package func search(_ sources: [RecordSource]) async throws -> Missing? {
    guard !wanted.isEmpty else { return nil }
    var seen = Seen()
    // A later source may have what an earlier one does not have yet. Nobody waits for a stream before files.
    let isStream = { (source: RecordSource) in if case .file(let file, _) = source { file.isStream } else { false } }
    for source in sources.filter({ !isStream($0) }) + sources.filter(isStream) where !isDone(seen) {
      switch source {
      case .file(let file, let patterns) where file.isStream: try await search(file, patterns, &seen)
      case .file: try await search(source, &seen)
      case .rows(let feed, _): if !feed.holdsConverted { try await search(feed, &seen) }
      }
    }
    guard seen.rows > 0, !seen.isOpen, let first = wanted.indices.first(where: { !seen.found.contains($0) }) else {
      return nil
    }
    return Missing(wanted: wanted[first], names: seen.names)
  }

  /// What was seen in the rows so far.
  private struct Seen {
    var found: Set<Int> = []
    var names: [ShownName] = []
    var rows = 0
    /// A source has more rows than could be looked at, and fewer than have to be.
    var isOpen = false
  }

  private func isDone(_ seen: Seen) -> Bool { seen.found.count == wanted.count }

  private func search(_ source: RecordSource, _ seen: inout Seen) async throws {
    let (wanted, limits) = (wanted, limits)
    let run = BulkRun(options: BulkOptions(recordBytes: limits.recordBytes)) { NameTask(wanted, limits) }
    var sink = RejectSink { _ in }
    let before = seen.rows
    var now = seen
    _ = try await run.run(
      [source], to: &sink,
      deliver: { task, _, _ in
        now.found.formUnion(task.found)
        now.names += task.names.filter { !now.names.contains($0) }
        now.rows += task.rows
        return task.book.counts
      },
      pause: { _, _ in now.found.count < wanted.count && now.rows - before < Self.mostRows })
    seen = now
  }

  /// Rows of a database are looked at, and read again by the run.
  private func search(_ feed: any RowFeed, _ seen: inout Seen) async throws {
    let pages = try feed.look(at: Self.mostRows)
    try await search(.rows(HeldRows(pages, of: feed)), &seen)
  }

  /// How much of a stream is read until its names are found: most have them in their first row.
  private static let mostBytes = 32 << 20

  /// A stream is looked at as it comes, because it may come slowly.
  private func search(_ file: InputFile, _ patterns: [String], _ seen: inout Seen) async throws {
    var count = 1
    while true {
      let head = try StreamHeads.look(at: file, for: count)
      let isLast = head.isAtEnd || head.bytes.count >= Self.mostBytes
      var start = file
      start.sample = SourceSample(held: head.bytes)
      var now = seen
      do {
        try await search(.file(start, patterns: patterns), &now)
      } catch let error as FileError where error.number == 0 && !isLast {
        // What was cut off may be read wrongly.
      }
      let isEnough = isDone(now) || now.rows - seen.rows >= Self.mostRows
      if isLast || isEnough {
        now.isOpen = now.isOpen || !isEnough && !head.isAtEnd
        seen = now
        return
      }
      count = 2 * head.bytes.count
    }
  }
}

/// The first rows of a database once more.
private final class HeldRows: RowFeed {
  private var pages: ArraySlice<RowPage>
  let name: String
  let holdsConverted = false
  let isOrdered = false
  let position: String? = nil

  init(_ pages: [RowPage], of feed: any RowFeed) { (self.pages, name) = (pages[...], feed.name) }

  func resume(at position: String) {}
  func rewind() {}
  func look(at rows: Int) -> [RowPage] { Array(pages) }

  func read(into page: RowPage) -> Bool {
    guard let next = pages.popFirst() else { return false }
    (page.bytes, page.rows) = (next.bytes, next.rows)
    return true
  }
}

private final class NameTask: RecordTask {
  private static let mostNames = 40
  private let wanted: [NameSearch.Wanted]
  private let pointers: PointerReader
  private let plain: NestedReader
  private let inner: NestedReader
  let reader: JSONReader
  let output = JSONWriter(capacity: 64)
  var book = BlockBook()
  private(set) var found: Set<Int> = []
  private(set) var names: [ShownName] = []
  private(set) var rows = 0

  init(_ wanted: [NameSearch.Wanted], _ limits: JSONLimits) {
    self.wanted = wanted
    (pointers, reader) = (PointerReader(limits), JSONReader(names: [], limits: limits))
    (plain, inner) = (NestedReader(limits, names: []), NestedReader(limits, names: []))
  }

  func begin() -> Bool {
    found = []
    names = []
    rows = 0
    return true
  }

  func take(_ tape: JSONTape, at range: Range<Int>, in block: Block) {
    book.counts.read += 1
    book.counts.converted += 1
    guard rows < NameSearch.mostRows else { return }
    // A line of --rejects has its row inside.
    if let kept = RowReader.recordOfReject(tape) {
      if let row = try? inner.read(kept.span) { look(row) }
    } else if !RowReader.isReject(tape) {
      look(tape)
    }
  }

  private func look(_ stored: JSONTape) {
    guard stored[0].kind == .object else { return }
    rows += 1
    let plain = TypedRow.plain(stored, 0).flatMap { try? self.plain.read($0.span) }
    for (place, wanted) in wanted.enumerated() where !found.contains(place) {
      if pointers.value(wanted.pointer, in: plain, or: stored) != nil { found.insert(place) }
    }
    guard names.count < Self.mostNames, found.count < wanted.count else { return }
    let row = JSONElement(tape: plain ?? stored)
    for name in row.children.map({ ShownName($0.name) }) where !names.contains(name) && names.count < Self.mostNames {
      names.append(name)
    }
  }

  /// A record without a row around it has none of the members that options name.
  func take(_ text: TextRecord, at range: Range<Int>, in block: Block) {
    book.counts.read += 1
    book.counts.converted += 1
    rows += 1
  }
}
