@_spi(Slipcast) internal import SlipcastWire

/// The work of one worker on the records of blocks, one block after another; one instance per worker.
///
/// Records arrive in their order, one call per record.
protocol RecordTask: AnyObject, SendableMetatype {
  /// Counts and rejects of the last block.
  var book: BlockBook { get set }
  /// The lines of the block.
  var output: JSONWriter { get }
  var reader: JSONReader { get }
  /// Forgets the results of the block before.
  ///
  /// - Returns: false when no record of the next block is wanted.
  func begin() -> Bool
  /// Works on the records of a block.
  ///
  /// - Parameter place: how far an earlier run took the block, and counted it; `nil`: not at all.
  /// - Returns: where the block continues; `nil` when all of it was read.
  func work(on block: Block, source: String, from place: WalkerPlace?) -> WalkerPlace?
  /// Works on further records of the same block, the lines so far forgotten.
  func goOn(with block: Block, from place: WalkerPlace) -> WalkerPlace?
  /// The last record was rejected, by the walker or by the task itself.
  var hasRejectedLast: Bool { get }
  /// A line that cannot start a record is a separate reject; otherwise it belongs to the lines around it.
  var takesLinesApart: Bool { get }
  /// The results so far must be taken before the next record: one block can hold a million records.
  var isFull: Bool { get }
  /// The rows of the next block have what these lead to.
  func turn(to pointers: RowPointers)
  /// The next record is the body of a database row.
  func turn(to row: RowPage.Row)
  /// A JSON record; the tape is valid until the next record.
  func take(_ tape: JSONTape, at range: Range<Int>, in block: Block)
  /// A row that contains its record unescaped; false, with nothing noted, where it cannot be taken.
  func attempt(_ tape: JSONTape, at range: Range<Int>, in block: Block) -> Bool
  /// A record that is not JSON; in a JSON string, the range is that of the string.
  func take(_ text: TextRecord, at range: Range<Int>, in block: Block)
  /// A position where a record should be, and none can be read.
  func refuse(_ fault: RecordFault, at range: Range<Int>, in block: Block)
}

extension RecordTask {
  func begin() -> Bool { true }

  @discardableResult
  func work(on block: Block, source: String, from place: WalkerPlace? = nil) -> WalkerPlace? {
    book.begin(block, source: source)
    if place != nil { book.beginPart() }
    output.clear()
    turn(to: block.pointers)
    return begin() ? walk(block, from: place ?? WalkerPlace()) : nil
  }

  func goOn(with block: Block, from place: WalkerPlace) -> WalkerPlace? {
    book.beginPart()
    output.clear()
    return walk(block, from: place)
  }

  private func walk(_ block: Block, from place: WalkerPlace) -> WalkerPlace? {
    var walker = RecordWalker(block, reader: reader, handler: self, from: place)
    return walker.walk()
  }

  var isStopped: Bool { book.isStopped }
  var hasRejectedLast: Bool { book.hasRejectedLast }
  var takesLinesApart: Bool { false }
  var isFull: Bool { false }
  /// Large enough to write at once, small enough for many workers.
  static var partBytes: Int { 2 << 20 }
  func turn(to pointers: RowPointers) {}
  func turn(to row: RowPage.Row) {}
  func attempt(_ tape: JSONTape, at range: Range<Int>, in block: Block) -> Bool { false }
  func refuse(_ fault: RecordFault, at range: Range<Int>, in block: Block) { book.reject(fault, at: range, in: block) }
}

/// A task that finds its records inside rows.
protocol RowTask: RecordTask {
  var rows: RowReader { get }
}

extension RowTask {
  func turn(to pointers: RowPointers) { rows.pointers = pointers }

  func turn(to row: RowPage.Row) { rows.row = row }

  func refuse(_ fault: RecordFault, at range: Range<Int>, in block: Block) {
    rows.begin()
    reject(fault, range, block)
  }

  func reject(_ fault: RecordFault, _ range: Range<Int>, _ block: Block) {
    book.reject(fault, at: range, in: block, id: rows.id)
  }
}
