internal import SlipcastBulk
internal import SlipcastMapping
import SlipcastSystem
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Which texts a database can hold in its columns.
package enum StorableTexts: Sendable {
  /// All.
  case sqlite
  /// None with U+0000, and none that is too long for an index.
  case postgreSQL

  /// How many bytes a text in an index may have: PostgreSQL limits a row of one, with at most two texts, to 2,704.
  private static let longestInIndex = 1000

  /// Why the rows of a record cannot be stored; `nil` when they can.
  ///
  /// - Parameters:
  ///   - row: its first row.
  ///   - start: where its texts begin in the buffer.
  func refusal(of tree: EventRecord, in buffer: RowBuffer, from row: Int, _ start: Int) -> StoreRefusal? {
    guard self == .postgreSQL else { return nil }
    for row in buffer.rows[row...] {
      for column in row.table.table.indexedTexts {
        let length = Int(buffer.cells[row.firstCell + column].length)
        guard length > Self.longestInIndex else { continue }
        let reason = "has \(length) bytes, more than the \(Self.longestInIndex) that an index of PostgreSQL can hold"
        return tree.refusal(row.table, column, reason) { $0.count == length }
      }
    }
    guard buffer.bytes.span.extracting(start...).contains(0) else { return nil }
    for row in buffer.rows[row...] {
      for column in 0..<StoreTable.widths[row.table.rawValue] {
        let cell = buffer.cells[row.firstCell + column]
        guard cell.kind == .text, buffer.content(cell).contains(0) else { continue }
        return tree.refusal(row.table, column, "contains U+0000, which PostgreSQL cannot store") { $0.contains(0) }
      }
    }
    return nil
  }
}

extension Span<UInt8> {
  fileprivate func contains(_ byte: UInt8) -> Bool { Platform.find(byte, in: self, from: 0) != nil }
}

extension EventRecord {
  /// - Parameter fits: recognizes the text at fault, whose legacy value is named.
  fileprivate func refusal(
    _ table: TableNumber, _ column: Int, _ reason: String, where fits: (Span<UInt8>) -> Bool
  ) -> StoreRefusal {
    let name = table.table.columns[column]
    var refusal = StoreRefusal(message: "\(table.table.name).\(name) \(reason)")
    for object in objects {
      object.row.forEach { slot, cell in
        guard refusal.source == 0, object.part.schema.fields[slot].name == name, let text = cell.text,
          fits(text.buffer.span)
        else { return }
        refusal.source = cell.place
      }
    }
    return refusal
  }
}
