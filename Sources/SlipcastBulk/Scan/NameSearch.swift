@_spi(Slipcast) internal import SlipcastWire

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
    package var names: [String]
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
    // Standard input can be read only once, and what a pipe holds is not known; databases say it themselves.
    let files = sources.filter { source in
      if case .file(let file, _) = source { !file.isStream && !file.table.isLog && file.journal == nil } else { false }
    }
    guard !wanted.isEmpty, !files.isEmpty else { return nil }
    let (wanted, limits) = (wanted, limits)
    let run = BulkRun(options: BulkOptions(recordBytes: limits.recordBytes)) { NameTask(wanted, limits) }
    var (found, names, rows) = (Set<Int>(), [String](), 0)
    var sink = RejectSink { _ in }
    // A later file may have what an earlier one does not have yet.
    for file in files where found.count < wanted.count {
      var rowsOfFile = 0
      _ = try await run.run(
        [file], to: &sink,
        deliver: { task, _, _ in
          found.formUnion(task.found)
          names += task.names.filter { !names.contains($0) }
          rowsOfFile += task.rows
          return task.book.counts
        },
        pause: { _, _ in found.count < wanted.count && rowsOfFile < Self.mostRows })
      rows += rowsOfFile
    }
    guard rows > 0, let first = wanted.indices.first(where: { !found.contains($0) }) else { return nil }
    return Missing(wanted: wanted[first], names: names)
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
  private(set) var names: [String] = []
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
    for name in row.children.map(\.name) where !names.contains(name) && names.count < Self.mostNames {
      names.append(name)
    }
  }

  /// Text without members does not show names.
  func take(_ text: TextRecord, at range: Range<Int>, in block: Block) {
    book.counts.read += 1
    book.counts.converted += 1
  }
}
