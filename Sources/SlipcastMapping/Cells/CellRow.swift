// Unsafe on purpose, and only here: cells that this class alone owns, one for each line of the field table. A cell is read
// only where `mask` says that it was written, and slots are positions in a field table of at most 64 lines (checked when
// the rules are compiled).
@_spi(Slipcast) package import SlipcastWire

/// The members of one V2 object, by their position in its field table.
package final class CellRow {
  private let cells: UnsafeMutablePointer<Cell>
  // Unchecked exclusivity: a row belongs to one thread and hands out no reference into itself.
  @exclusivity(unchecked) private var masks = (filled: UInt64(0), inferred: UInt64(0))
  package var mask: UInt64 { masks.filled }
  package let layout: CellLayout

  init(layout: CellLayout) {
    self.layout = layout
    cells = .allocate(capacity: layout.names.count)
  }

  deinit { cells.deallocate() }

  package var isEmpty: Bool { mask == 0 }

  func clear() { masks = (0, 0) }

  func set(_ slot: Int, _ cell: Cell) {
    precondition(slot >= 0 && slot < layout.names.count, "slot out of range")
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
  func forEachInferred(_ visit: (Int) -> Void) {
    var rest = masks.inferred
    while rest != 0 {
      visit(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }
}

struct TextTable: Sendable {
  private let bytes: [UInt8]
  private let bounds: [Int]

  init(_ texts: [String]) {
    var bytes: [UInt8] = []
    bounds =
      [0]
      + texts.map { text in
        bytes.append(contentsOf: text.utf8)
        return bytes.count
      }
    self.bytes = bytes
  }

  @inline(__always)
  func write(_ number: Int, to writer: JSONWriter) {
    bytes.withUnsafeBufferPointer { buffer in
      writer.raw(UnsafeBufferPointer(rebasing: buffer[bounds[number]..<bounds[number + 1]]))
    }
  }
}

/// How an object's members are written: their names in Apple's order, ready to copy.
package final class CellLayout: Sendable {
  package let names: [String]
  package let kinds: [FieldKind]
  /// `"name":` of every slot.
  private let keys: TextTable
  private let bareNames: TextTable

  init<Model: FieldModel>(_ model: Model.Type) {
    let names = model.fields.map(\.name)
    precondition(names.count <= OpenSlot.first, "a row has 64 cells, and the last ones belong to no field")
    (self.names, kinds) = (names, model.fields.map(\.kind))
    keys = TextTable(names.map { "\"\($0)\":" })
    bareNames = TextTable(names)
  }

  package func slot(_ name: String) -> Int? { names.firstIndex(of: name) }

  @inline(__always)
  package func writeKey(_ slot: Int, to writer: JSONWriter) { keys.write(slot, to: writer) }

  /// The member's name without quotes.
  @inline(__always)
  func writeName(_ slot: Int, to writer: JSONWriter) { bareNames.write(slot, to: writer) }
}
