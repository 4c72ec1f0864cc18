// Unsafe on purpose, and only here: cells that this class alone owns, one for each line of the field table. A cell is read
// only where `mask` says that it was written, and slots are positions in a field table of at most 64 lines (`ObjectPart`
// checks it).
package import SlipcastWire

/// The members of one V2 object, by their position in its field table.
package final class CellRow {
  private let cells: UnsafeMutablePointer<Cell>
  // Unchecked exclusivity: a row belongs to one thread and hands out no reference into itself.
  @exclusivity(unchecked) private var masks = (filled: UInt64(0), inferred: UInt64(0))
  package var mask: UInt64 { masks.filled }
  package let schema: ObjectSchema

  init(_ schema: ObjectSchema) {
    self.schema = schema
    cells = .allocate(capacity: schema.fields.count)
  }

  deinit { cells.deallocate() }

  package var isEmpty: Bool { mask == 0 }

  func clear() { masks = (0, 0) }

  func set(_ slot: Int, _ cell: Cell) {
    precondition(slot >= 0 && slot < schema.fields.count, "slot out of range")
    (cells + slot).initialize(to: cell)
    masks.filled |= 1 << UInt64(slot)
    if cell.certainty == .inferred { masks.inferred |= 1 << UInt64(slot) }
  }

  func holds(_ slot: Int) -> Bool { mask & (1 << UInt64(slot)) != 0 }

  package subscript(slot: Int) -> Cell? { slot < 64 && mask & (1 << UInt64(slot)) != 0 ? cells[slot] : nil }

  /// Visits the filled slots in Apple's order.
  ///
  /// - Parameter choice: the bits of the slots to visit.
  @inline(__always)
  package func forEach<Failure: Error>(
    in choice: UInt64 = .max, _ visit: (Int, Cell) throws(Failure) -> Void
  ) throws(Failure) {
    var rest = mask & choice
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      rest &= rest - 1
      try visit(slot, cells[slot])
    }
  }

  @inline(__always)
  package func forEachInferred(_ visit: (Int) -> Void) {
    var rest = masks.inferred
    while rest != 0 {
      visit(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }
}
