internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

// The objects of a record: each member with a column goes to its cell.

extension StoreEncoder {
  /// The row of a notification, then those of its parts.
  func layOutNotification(_ tree: ConversionTree, _ migration: Migration?) -> Int {
    let parent = buffer.beginRow(.notifications)
    fill(parent, tree.objects[0].row, holdsParts ? .notification : .eventOfNotification)
    if let data = tree.object(.data, in: 0) {
      fill(parent, tree.objects[data].row, holdsParts ? .data : .eventOfData)
      copyIdentifiers(parent, layOutItem(tree, data, item: 1))
    }
    if let migration { layOut(migration, parent) }
    if buffer.cells[parent + 3].kind == .null {
      refusal = StoreRefusal(message: "the notification has no notificationUUID")
    }
    return parent
  }

  /// The transaction and the renewal information of the same object; first cells of their rows.
  @discardableResult
  func layOutItem(_ tree: ConversionTree, _ place: Int, item: Int64) -> (transaction: Int?, renewal: Int?) {
    let holder = tree.objects[place]
    var parts: (transaction: Int?, renewal: Int?) = (nil, nil)
    if let transaction = tree.object(.transaction, in: place) {
      parts.transaction = layOutTransaction(tree.objects[transaction].row, item: item)
    }
    if let renewal = tree.object(.renewal, in: place) {
      let row = buffer.beginRow(.renewalInfos)
      buffer.cells[row + 1] = .integer(item)
      if holdsParts { fill(row, holder.row, holder.part == .data ? .statusOfData : .statusOfItem) }
      fill(row, tree.objects[renewal].row, holdsParts ? .renewal : .eventOfRenewal)
      parts.renewal = row
    }
    return parts
  }

  func layOutTransaction(_ transaction: CellRow, item: Int64) -> Int {
    let row = buffer.beginRow(.transactions)
    buffer.cells[row + 1] = .integer(item)
    fill(row, transaction, holdsParts ? .transaction : .eventOfTransaction)
    return row
  }

  /// A notification is found by the ids of its transaction, or of its renewal information when it has no transaction.
  private func copyIdentifiers(_ parent: Int, _ parts: (transaction: Int?, renewal: Int?)) {
    for ids in Self.identifierColumns {
      if let row = parts.transaction, let column = ids.transaction {
        buffer.cells[parent + ids.parent] = buffer.cells[row + column]
      }
      if buffer.cells[parent + ids.parent].kind == .null, let row = parts.renewal, let column = ids.renewal {
        buffer.cells[parent + ids.parent] = buffer.cells[row + column]
      }
    }
  }

  private func layOut(_ migration: Migration, _ parent: Int) {
    put(migration.rule, parent, .notifications, column: "rule")
    put(migration.confidence?.rawValue, parent, .notifications, column: "confidence")
    put(migration.absorbed?.into, parent, .notifications, column: "absorbedInto")
    for (number, candidate) in (migration.candidates ?? []).enumerated() {
      let row = buffer.beginRow(.candidates)
      buffer.cells[row + 1] = .integer(Int64(number + 1))
      put(candidate.notificationType?.rawValue, row, .candidates, column: "notificationType")
      put(candidate.subtype?.rawValue, row, .candidates, column: "subtype")
      put(candidate.needs, row, .candidates, column: "needs")
    }
  }

  private func put(_ text: String?, _ row: Int, _ table: TableNumber, column: String) {
    guard let text, let column = table.table.index(column) else { return }
    buffer.cells[row + column] = buffer.append(text)
  }

  func fill(_ row: Int, _ members: CellRow, _ columns: EncoderColumns) {
    members.forEach { slot, value in
      let (column, kind) = columns.bySlot[slot]
      guard column >= 0 else { return }
      switch (kind, value.kind) {
      case (.text, .text):
        if let text = value.text { buffer.cells[row + column] = .text(buffer.append(text.buffer.span), text.count) }
      case (.integer, .integer): buffer.cells[row + column] = .integer(value.integer)
      case (.boolean, .boolean): buffer.cells[row + column] = .boolean(value.integer != 0)
      default:
        let table = columns.table.table
        let name = "\(table.name).\(table.columns[column])"
        refusal = StoreRefusal(
          message: "\(name) accepts only another kind of value, or a smaller number", source: value.place)
      }
    }
  }

  /// For each id of a notification: its column there, in its transaction and in its renewal information.
  private static let identifierColumns: [(parent: Int, transaction: Int?, renewal: Int?)] = StoreTable.identifiers
    .compactMap { name in
      guard let parent = StoreTable.notifications.index(name) else { return nil }
      return (parent, StoreTable.transactions.index(name), StoreTable.renewalInfos.index(name))
    }
}

extension ConversionTree {
  func object(_ part: ObjectPart, in place: Int) -> Int? {
    var found: Int?
    objects[place].row.forEach { _, cell in
      if cell.kind == .row, objects[place + Int(cell.integer)].part == part { found = place + Int(cell.integer) }
    }
    return found
  }
}
