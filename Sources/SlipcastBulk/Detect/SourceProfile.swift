@_spi(Slipcast) internal import SlipcastWire

/// What the first rows of a source have, place by place.
package struct SourceProfile: Sendable {
  /// Rows and records that were looked at.
  package fileprivate(set) var rows = 0
  /// Texts that are neither.
  package internal(set) var unreadable = 0
  /// Rows that are lines of `--rejects`.
  fileprivate(set) var rejects = 0
  /// The last text was unreadable; where only the beginning was read, it was cut off.
  var endsUnreadable = false
  /// Why the source cannot be read, or not to its end.
  fileprivate(set) var damage: String?
  /// Lines of a log without a record.
  package internal(set) var skippedLines = 0
  /// Only the beginning of the source was read.
  package internal(set) var isCut = false
  /// What is there in place of a row: a record, a text, a number.
  package fileprivate(set) var whole = ColumnProfile(JSONPointer(tokens: []))
  /// The places in rows, in the order in which they were found.
  package fileprivate(set) var columns: [ColumnProfile] = []
  fileprivate var places: [JSONPointer: Int] = [:]
  /// More places were found than are kept, or such whose names look like values.
  package fileprivate(set) var hasMoreColumns = false

  init() {}

  /// Puts the columns of a table together, each of which was looked at by itself.
  init(rows: Int, columns: [ColumnProfile]) { (self.rows, self.columns) = (rows, columns) }

  /// Adds what another file of the same form has.
  mutating func add(_ other: SourceProfile) {
    rows += other.rows
    unreadable += other.unreadable
    rejects += other.rejects
    skippedLines += other.skippedLines
    isCut = isCut || other.isCut
    whole.add(other.whole)
    for column in other.columns {
      if let place = columns.firstIndex(where: { $0.pointer == column.pointer }) {
        columns[place].add(column)
      } else {
        columns.append(column)
      }
    }
  }

  /// All of the source was looked at.
  package var isWhole: Bool { !isCut && looked < ProfileTask.mostRows }
  /// All rows are lines of `--rejects`, which slipcast wrote.
  package var isOfRejects: Bool { rejects > 0 && rejects == rows }
  /// Rows and other texts.
  package var looked: Int { rows + unreadable }
  /// Rows that are, or have, a record.
  package var recognized: Int { max(whole.recordCount, columns.map(\.recordCount).max() ?? 0) }
}

/// Looks at the first rows of a source.
final class ProfileTask: RecordTask {
  static let mostRows = 1000
  private static let mostColumns = 200
  private static let deepest = 4
  let reader: JSONReader
  let output = JSONWriter(capacity: 64)
  var book = BlockBook()
  private(set) var profile = SourceProfile()
  private let finder: RecordFinder
  private let plain: NestedReader
  private let inner: NestedReader

  init(_ limits: JSONLimits) {
    reader = JSONReader(names: [], limits: limits)
    (finder, plain, inner) = (RecordFinder(limits), NestedReader(limits, names: []), NestedReader(limits, names: []))
  }

  // MARK: records

  func take(_ tape: JSONTape, at range: Range<Int>, in block: Block) {
    guard isWanted() else { return }
    if RowReader.isReject(tape) { profile.rejects += 1 }
    // A line of --rejects has its row inside.
    if let kept = RowReader.recordOfReject(tape) {
      if let row = try? inner.read(kept.span) { look(row) }
    } else if !RowReader.isReject(tape) {
      look(tape)
    }
  }

  func take(_ text: TextRecord, at range: Range<Int>, in block: Block) {
    guard isWanted() else { return }
    if let content = finder.content(of: text.bytes, inside: { walk(JSONElement(tape: $0), []) }) {
      profile.whole.note(content)
    }
  }

  func refuse(_ fault: RecordFault, at range: Range<Int>, in block: Block) {
    // A row of a database without a value there.
    guard isWanted(), fault.code != "bodyMissing" else { return }
    if fault.code == "damaged" { profile.damage = fault.message }
    profile.rows -= 1
    profile.unreadable += 1
    profile.endsUnreadable = true
    // The value of a column that is not JSON.
    if range.count <= 200, !range.isEmpty { profile.whole.note(scalar: block.text(range).string) }
  }

  /// Counts a record, and says whether it is one of the first.
  private func isWanted() -> Bool {
    book.counts.read += 1
    book.counts.converted += 1
    guard profile.looked < Self.mostRows else { return false }
    profile.rows += 1
    profile.endsUnreadable = false
    return true
  }

  // MARK: places

  private func look(_ stored: JSONTape) {
    let row = JSONElement(tape: TypedRow.plain(stored, 0).flatMap { try? plain.read($0.span) } ?? stored)
    guard row.kind == .object else { return note(scalar: row, in: \.whole) }
    guard let own = finder.content(of: row.tape, 0, as: .object) else { return walk(row, []) }
    profile.whole.note(own)
    // A row may have parts of its record in other columns, and so look like one.
    for child in row.children where !(own.form == .signed && child.name == "signedPayload") {
      walk(child, [child.name], entersObjects: false)
    }
  }

  private func walk(_ value: JSONElement, _ path: [String], entersObjects: Bool = true) {
    switch value.kind {
    case .object:
      if !path.isEmpty, let found = finder.content(of: value.tape, value.index, as: .object) {
        return note(path) { $0.note(found) }
      }
      if path.count == 1 { note(path) { $0.noteOther() } }
      guard entersObjects, path.count < Self.deepest else { return }
      for child in value.children { walk(child, path + [child.name]) }
    case .string:
      let text = value.tape.text(value.index)
      var isObject = false
      let found = finder.content(of: text) { inner in
        isObject = true
        if entersObjects, path.count < Self.deepest {
          for child in JSONElement(tape: inner).children { walk(child, path + [child.name]) }
        }
      }
      note(path) { column in
        if let found {
          column.note(found)
        } else if isObject {
          column.noteOther()
        } else {
          column.note(scalar: text.string)
        }
      }
    case .number: note(path) { $0.note(scalar: value.tape.text(value.index).string) }
    case .array, .true, .false: note(path) { $0.noteOther() }
    case .null: note(path) { _ in }
    }
  }

  private func note(scalar value: JSONElement, in place: WritableKeyPath<SourceProfile, ColumnProfile>) {
    guard value.kind == .string || value.kind == .number else { return profile[keyPath: place].noteOther() }
    // A tape does not hold the content of a root string.
    profile[keyPath: place].note(scalar: value.json)
  }

  private func note(_ path: [String], _ change: (inout ColumnProfile) -> Void) {
    guard !path.isEmpty else { return change(&profile.whole) }
    let pointer = JSONPointer(tokens: path)
    if let place = profile.places[pointer] { return change(&profile.columns[place]) }
    guard profile.columns.count < Self.mostColumns, pointer.isShown else {
      profile.hasMoreColumns = true
      return
    }
    profile.places[pointer] = profile.columns.count
    var column = ColumnProfile(pointer)
    change(&column)
    profile.columns.append(column)
  }
}
