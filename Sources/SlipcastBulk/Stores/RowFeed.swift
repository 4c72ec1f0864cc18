package import SlipcastMapping
internal import SlipcastWire

/// Rows of a database, page by page, in constant memory.
package protocol RowFeed: AnyObject {
  /// The name of the source in rejects and reports: never a password.
  var name: String { get }
  /// The rows are V2 lines of a Slipcast store, with their notes; otherwise they are legacy bodies.
  var holdsConverted: Bool { get }
  /// A run can resume between its rows.
  var isOrdered: Bool { get }
  /// The position after the page that was read last; `nil` when rows have no order to resume in.
  var position: String? { get }
  /// Resumes after a position that `position` returned.
  func resume(at position: String) throws
  /// Goes back to the first row of the same snapshot; to be called when all rows were read.
  func rewind() throws
  /// Adds the next rows to a page; false when there are no more.
  func read(into page: RowPage) throws -> Bool
  /// The first rows, which are read again afterwards: at least so many, unless there are fewer or they are long.
  func look(at rows: Int) throws -> [RowPage]
}

/// A settlement of one record, decided before the record is converted, and the place of the deciding row in
/// `RuleSet.types`.
package typealias DecidedSettlement = (settlement: Settlement, rule: Int)

/// Some rows: their bodies one after another, and the columns next to each.
package final class RowPage {
  /// One row.
  package struct Row: Sendable {
    /// The range of its body in the page.
    package var body: Range<Int>
    /// The row's own key, as text.
    package var id: String?
    /// The position of its feed after it; `nil` for a row without one.
    package var position: String?
    /// When it was received, in milliseconds since 1970 UTC.
    package var receivedAt: Int64?
    /// A time was requested, and the row has no readable one.
    package var isTimeUnreadable = false
    package var isNull = false
    var fault: RecordFault?
    /// What a Slipcast store knows about it.
    package var note: RecordNote?
    /// The id of its event, where it was decided when the record was received.
    package var event: KnownIDs.ID?
    /// How earlier messages settle its reading, where that was decided when the record was received.
    package var settled: DecidedSettlement?

    /// Where its text stands, when it is part of a file.
    var place: Place?
    /// Its text in the source, where its body was made of it; a range of the block's `rowTexts`.
    var text: Range<Int>?
    /// The record, where the row has it as it is and not in a string.
    var inlined: Range<Int>?

    package init(body: Range<Int>, id: String? = nil) { (self.body, self.id) = (body, id) }
  }

  /// Where the text of a row begins in its source.
  struct Place: Sendable {
    /// Bytes before it.
    var offset: Int
    /// Line feeds before it.
    var line: Int
    /// The body of the row is this text; otherwise it was made of it.
    var isVerbatim: Bool
  }

  package var bytes: [UInt8] = []
  package var rows: [Row] = []

  package init() {}

  package func clear() {
    bytes.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
  }

  package func append(
    _ body: Span<UInt8>, id: String? = nil, receivedAt: Int64? = nil, note: RecordNote? = nil
  ) {
    let start = bytes.count
    bytes.append(contentsOf: body)
    var row = Row(body: start..<bytes.count, id: id)
    (row.receivedAt, row.note) = (receivedAt, note)
    rows.append(row)
  }
}
