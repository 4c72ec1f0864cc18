package import SlipcastMapping
package import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

/// Converted records as rows of CSV: one for each event; of an answer one for each transaction or subscription.
package enum EventTable {
  package static let header = CSVText.row(columns.map(\.name) + accountNames)

  /// - Parameter line: without its end.
  static func isHeader(_ line: [UInt8]) -> Bool { line.elementsEqual(header.utf8.prefix { $0 != 0x0D }) }

  /// Appends the rows of a record; the last one ends before its line feed, and a record without rows appends nothing.
  ///
  /// - Parameters:
  ///   - record: the V2 record that the tree was read from; `nil` for a conversion.
  ///   - event: replaces the type and subtype of the record.
  static func write(
    _ tree: EventRecord, _ migration: Migration?, of record: JSONElement? = nil, as event: EventName? = nil,
    to writer: JSONWriter
  ) {
    let account = cells(of: migration)
    var isFirst = true
    forEachRow(of: tree) { rows in
      if !isFirst { writer.byte(0x0A) }
      isFirst = false
      for (number, column) in columns.enumerated() {
        if number > 0 { writer.byte(UInt8(ascii: ",")) }
        switch (event, number) {
        case (let event?, typeColumn): CSVText.write(Array(event.notificationType.utf8).span, to: writer)
        case (let event?, subtypeColumn): CSVText.write(Array((event.subtype ?? "").utf8).span, to: writer)
        default: column.write(rows, record, to: writer)
        }
      }
      for cell in account {
        writer.byte(UInt8(ascii: ","))
        CSVText.write(Array(cell.utf8).span, to: writer)
      }
      writer.byte(0x0D)
    }
  }

  private static let typeColumn = columns.firstIndex { $0.name == "notificationType" }
  private static let subtypeColumn = columns.firstIndex { $0.name == "subtype" }

  /// - Parameter use: gets the objects of the row, by their parts.
  private static func forEachRow(of tree: EventRecord, _ use: ([CellRow?]) -> Void) {
    var rows = [CellRow?](repeating: nil, count: ObjectPart.allCases.count)
    var isOpen = false
    func close() {
      if isOpen { use(rows) }
      isOpen = false
    }
    for object in tree.objects where !object.row.isEmpty || object.part == .notification {
      switch (tree.form, object.part) {
      case (.history, .transaction), (.statuses, .item), (_, .notification):
        close()
        rows[Int(ObjectPart.transaction.rawValue)] = nil
        rows[Int(ObjectPart.renewal.rawValue)] = nil
        isOpen = true
      case (.statuses, .group): close()
      default: break
      }
      rows[Int(object.part.rawValue)] = object.row
    }
    close()
  }

  private static func cells(of migration: Migration?) -> [String] {
    let candidates = (migration?.candidates ?? []).map { candidate in
      [candidate.notificationType?.rawValue, candidate.subtype?.rawValue].compactMap(\.self).joined(separator: "/")
    }
    return [
      migration?.rule ?? "", migration?.confidence?.rawValue ?? "", candidates.joined(separator: " "),
      migration?.absorbed?.into ?? "", (migration?.settled ?? migration?.narrowed)?.from?.rawValue ?? "",
      migration?.autoRenewOnSince?.description ?? "",
    ]
  }
}

/// Rows of CSV for decoded notifications whose event others decide.
package final class EventTableRows {
  private let tree = EventRecord()

  package init() {}

  /// Appends the row of a notification, without its line feed.
  package func write(
    _ record: JSONElement, _ migration: Migration?, as event: EventName?, to writer: JSONWriter
  ) {
    if tree.read(record) { EventTable.write(tree, migration, of: record, as: event, to: writer) }
  }
}
