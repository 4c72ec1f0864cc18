@_spi(Slipcast) internal import SlipcastWire

// The objects inside a line: each member that a column can hold goes to its cell.

extension StoreEncoder {
  /// The row of a notification, then those of its parts.
  func layOutNotification(_ line: V2Line, _ shape: Shape) -> Int {
    let parent = buffer.beginRow(.notifications, columns: Self.notificationColumns)
    fill(parent, line, 0, keys.notification)
    if shape.data > 0 {
      fill(parent, line, shape.data, keys.data)
      let parts = layOutItem(line, shape.data, 1, statusAt: shape.data)
      copyIdentifiers(parent, parts)
    }
    if shape.migration > 0 { layOutMigration(parent, line, shape.migration) }
    if buffer[parent + 3].kind == .null { refusal = "the notification has no notificationUUID" }
    return parent
  }

  /// The transaction and the renewal information that stand side by side in an object; first cells of their rows.
  @discardableResult
  func layOutItem(
    _ line: V2Line, _ index: Int, _ item: Int64, statusAt status: Int
  ) -> (transaction: Int?, renewal: Int?) {
    var parts: (transaction: Int?, renewal: Int?) = (nil, nil)
    if let place = line.child(of: index, keys.transactionInfoKey) {
      parts.transaction = layOutTransaction(line, place, item)
    }
    if let place = line.child(of: index, keys.renewalInfoKey) {
      let row = buffer.beginRow(.renewalInfos, columns: keys.renewal.kinds.count)
      buffer[row + 1] = .integer(item)
      fill(row, line, status, keys.status)
      fill(row, line, place, keys.renewal)
      parts.renewal = row
    }
    return parts
  }

  func layOutTransaction(_ line: V2Line, _ index: Int, _ item: Int64) -> Int {
    let row = buffer.beginRow(.transactions, columns: keys.transaction.kinds.count)
    buffer[row + 1] = .integer(item)
    fill(row, line, index, keys.transaction)
    return row
  }

  /// A notification is asked for by the ids of its transaction, or of its renewal information when it has none.
  private func copyIdentifiers(_ parent: Int, _ parts: (transaction: Int?, renewal: Int?)) {
    for ids in Self.identifierColumns {
      if let row = parts.transaction, let column = ids.transaction {
        buffer[parent + ids.parent] = buffer[row + column]
      }
      if buffer[parent + ids.parent].kind == .null, let row = parts.renewal, let column = ids.renewal {
        buffer[parent + ids.parent] = buffer[row + column]
      }
    }
  }

  private func layOutMigration(_ parent: Int, _ line: V2Line, _ index: Int) {
    fill(parent, line, index, keys.migration)
    if let absorbed = line.child(of: index, keys.absorbedKey) { fill(parent, line, absorbed, keys.absorbed) }
    guard let candidates = line.child(of: index, keys.candidatesKey) else { return }
    var item: Int64 = 0
    line.forEachChild(of: candidates) { candidate in
      item += 1
      let row = buffer.beginRow(.candidates, columns: keys.candidate.kinds.count)
      buffer[row + 1] = .integer(item)
      fill(row, line, candidate, keys.candidate)
    }
  }

  /// Puts the members of an object into the cells of a row.
  func fill(_ row: Int, _ line: V2Line, _ index: Int, _ columns: EncoderKeys.Columns) {
    line.forEachChild(of: index) { child in
      let entry = line.tape[child]
      guard entry.key != JSONEntry.unknownKey else { return }
      let column = Int(columns.byKey[Int(entry.key)])
      guard column >= 0 else { return }
      if let cell = cell(columns.kinds[column], line, child, entry) {
        buffer[row + column] = cell
      } else if entry.kind != .null {
        let name = columns.table.table.columns[column].name
        refusal = "\(columns.table.table.name).\(name) takes another kind of value, or a smaller number"
      }
    }
  }

  @inline(__always)
  private func cell(_ kind: StoreTable.Kind, _ line: V2Line, _ index: Int, _ entry: JSONEntry) -> StoreCell? {
    switch (kind, entry.kind) {
    case (.text, .string):
      guard entry.isEscaped else {
        return .text(line.start + Int(entry.start), Int(entry.length))
      }
      let text = line.tape.text(of: entry)
      return .text(buffer.append(text.buffer), text.count)
    case (.integer, .number): return line.tape.integer(index).map { .integer($0) }
    case (.boolean, .true): return .boolean(true)
    case (.boolean, .false): return .boolean(false)
    default: return nil
    }
  }

  /// For each id of a notification its column there, in its transaction and in its renewal information.
  private static let identifierColumns: [(parent: Int, transaction: Int?, renewal: Int?)] = StoreTable.identifiers
    .compactMap { name in
      guard let parent = StoreTable.notifications.index(name) else { return nil }
      return (parent, StoreTable.transactions.index(name), StoreTable.renewalInfos.index(name))
    }
}
