internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

// The objects of a record: each member with a column goes to its cell.

extension StoreEncoder {
  /// The row of a notification, then those of its parts.
  func layOutNotification(_ tree: EventRecord, _ migration: Migration?) -> RowBuffer.Row {
    let parent = buffer.beginRow(.notifications)
    fill(parent, tree.objects[0].row, .notification)
    if let data = tree.object(.data, in: 0) {
      fill(parent, tree.objects[data].row, .data)
      copyIdentifiers(parent, layOutItem(tree, data, item: 1))
    }
    if let migration { layOut(migration, parent) }
    if buffer[parent, .notificationUUID].kind == .null {
      refusal = StoreRefusal(message: "the notification has no notificationUUID")
    }
    return parent
  }

  /// The rows of the transaction and the renewal information of the same object.
  typealias ItemRows = (transaction: RowBuffer.Row?, renewal: RowBuffer.Row?)

  @discardableResult
  func layOutItem(_ tree: EventRecord, _ place: Int, item: Int64) -> ItemRows {
    let holder = tree.objects[place]
    var parts: ItemRows = (nil, nil)
    if let transaction = tree.object(.transaction, in: place) {
      parts.transaction = layOutTransaction(tree.objects[transaction].row, item: item)
    }
    if let renewal = tree.object(.renewal, in: place) {
      let row = buffer.beginRow(.renewalInfos)
      buffer[row, .item] = .integer(item)
      fill(row, holder.row, holder.part == .data ? .statusOfData : .statusOfItem)
      fill(row, tree.objects[renewal].row, .renewal)
      parts.renewal = row
    }
    return parts
  }

  func layOutTransaction(_ transaction: CellRow, item: Int64) -> RowBuffer.Row {
    let row = buffer.beginRow(.transactions)
    buffer[row, .item] = .integer(item)
    fill(row, transaction, .transaction)
    return row
  }

  /// A notification is found by the ids of its transaction, or of its renewal information when it has no transaction.
  private func copyIdentifiers(_ parent: RowBuffer.Row, _ parts: ItemRows) {
    for ids in EncoderColumns.identifiers {
      let place = parent.firstCell + ids.parent
      if let row = parts.transaction { buffer.cells[place] = buffer.cells[row.firstCell + ids.transaction] }
      if buffer.cells[place].kind == .null, let row = parts.renewal, let column = ids.renewal {
        buffer.cells[place] = buffer.cells[row.firstCell + column]
      }
    }
  }

  private func layOut(_ migration: Migration, _ parent: RowBuffer.Row) {
    put(migration.rule, parent, .rule)
    put(migration.confidence?.rawValue, parent, .confidence)
    put(migration.absorbed?.into, parent, .absorbedInto)
    for (number, candidate) in (migration.candidates ?? []).enumerated() {
      let row = buffer.beginRow(.candidates)
      buffer[row, .item] = .integer(Int64(number + 1))
      put(candidate.notificationType?.rawValue, row, .notificationType)
      put(candidate.subtype?.rawValue, row, .subtype)
      put(candidate.needs, row, .needs)
    }
  }

  private func put(_ text: String?, _ row: RowBuffer.Row, _ column: StoreColumn) {
    if let text { buffer[row, column] = buffer.append(text) }
  }

  func fill(_ row: RowBuffer.Row, _ members: CellRow, _ columns: EncoderColumns) {
    members.forEach { slot, value in
      let (column, kind) = columns.bySlot[slot]
      guard column >= 0 else { return }
      switch (kind, value.kind) {
      case (.text, .text):
        if let text = value.text {
          buffer.cells[row.firstCell + column] = .text(buffer.append(text.buffer.span), text.count)
        }
      case (.integer, .integer): buffer.cells[row.firstCell + column] = .integer(value.integer)
      case (.boolean, .boolean): buffer.cells[row.firstCell + column] = .boolean(value.integer != 0)
      default:
        let table = columns.table.table
        let name = "\(table.name).\(table.columns[column])"
        refusal = StoreRefusal(
          message: "\(name) accepts only another kind of value, or a smaller number", source: value.place)
      }
    }
  }
}

extension EventRecord {
  func object(_ part: ObjectPart, in place: Int) -> Int? {
    var found: Int?
    objects[place].row.forEach { _, cell in
      if cell.kind == .row, objects[place + Int(cell.integer)].part == part { found = place + Int(cell.integer) }
    }
    return found
  }
}
