package import SlipcastV2

/// The V2 objects of one record, converted from V1 or read as Apple made it: outputs are written from them.
///
/// Objects come in document order, each before the objects inside it. It is filled again for every record, and its texts
/// are views of what it was made from.
package final class EventRecord {
  package enum Form: Int, CaseIterable, Sendable {
    case notification, history, statuses, appTransaction
  }

  package struct Object {
    package let part: ObjectPart
    package let row: CellRow
    /// The place behind its last descendant.
    package fileprivate(set) var end: Int
    /// The V1 rows that its rules read; `nil` for a notification, whose rows the converter still holds.
    let reading: RecordBuilder.Focus?
  }

  private struct Content {
    var form = Form.notification
    var objects: [Object] = []
  }

  // Unchecked exclusivity: every member of every record is written by way of it.
  @exclusivity(unchecked) private var content = Content()
  package var form: Form { content.form }
  package var objects: [Object] { content.objects }
  /// What of a V2 record that was read is text instead of a number or boolean, or the reverse.
  package internal(set) var ofOtherKind = ValuesOfOtherKind()
  /// Where objects of a V2 record stood, by their places.
  var origins: [Int: Origin] = [:]
  /// Rows of earlier records, for reuse.
  private var spare = [[CellRow]](repeating: [], count: ObjectPart.allCases.count)
  /// A record of more transactions does not keep its memory for the records that follow.
  private static let mostSpare = 256

  package init() {}

  package func children(of object: Int) -> some Sequence<Int> {
    sequence(state: object + 1) { [objects] next in
      guard next < objects[object].end else { return nil }
      defer { next = objects[next].end }
      return next
    }
  }

  // MARK: filling

  /// Begins a notification, which always has the same four objects: itself, its data, a transaction and a renewal.
  ///
  /// Objects that stay empty are not members of their parents.
  func beginNotification(_ rows: [CellRow]) {
    clear()
    content.form = .notification
    for (place, (part, row)) in zip(ObjectPart.allCases, rows).enumerated() {
      let end = place < 2 ? rows.count : place + 1
      content.objects.append(Object(part: part, row: row, end: end, reading: nil))
    }
  }

  var isNotification: Bool { form == .notification && !objects.isEmpty }

  func begin(_ form: Form) {
    clear()
    content.form = form
  }

  /// Appends an object; it ends before the next one unless `close` says otherwise.
  func append(_ part: ObjectPart, _ reading: RecordBuilder.Focus) -> CellRow {
    let row = spare[Int(part.rawValue)].popLast() ?? CellRow(part.schema)
    row.clear()
    content.objects.append(Object(part: part, row: row, end: objects.count + 1, reading: reading))
    return row
  }

  /// All objects from one on are inside it.
  func close(_ object: Int) { content.objects[object].end = objects.count }

  private func clear() {
    if ofOtherKind.count > 0 { ofOtherKind = ValuesOfOtherKind() }
    if !origins.isEmpty { origins = [:] }
    for object in objects where object.reading != nil && spare[Int(object.part.rawValue)].count < Self.mostSpare {
      spare[Int(object.part.rawValue)].append(object.row)
    }
    content.objects.removeAll(keepingCapacity: objects.count <= Self.mostSpare)
  }
}
