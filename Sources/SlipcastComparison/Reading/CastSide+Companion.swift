internal import SlipcastMapping
internal import SlipcastV2

extension CastSide {
  /// Turns a companion message to the purchase that V2's event tells.
  ///
  /// A companion (the CANCEL of an upgraded period) names the period it ended; V2 sends one event for the whole action,
  /// with the period that it led to. The legacy record lists both.
  ///
  /// - Parameters:
  ///   - transaction: the one that V2's event tells.
  ///   - history: casts all transactions of the legacy record.
  mutating func turn(to transaction: JWSTransactionDecodedPayload?, _ history: () throws -> Cast) rethrows {
    guard case .notification(var notification) = content, let own = notification.data?.transactionInfo,
      let lineItem = transaction?.webOrderLineItemId, own.webOrderLineItemId != lineItem
    else { return }
    let cast = try history()
    guard let list = cast.history?.transactions,
      let place = list.firstIndex(where: { $0.webOrderLineItemId == lineItem })
    else { return }
    notification.data?.transactionInfo = list[place]
    content = .notification(notification)
    take(cast.account, "transactions[\(place)].", "data.transactionInfo.")
  }

  /// Replaces the account of one object by that of another.
  private mutating func take(_ account: Account, _ from: String, _ to: String) {
    let row = row(of: String(to.dropLast()))
    fields = fields.filter { !$0.key.hasPrefix(to) }
    for var field in account.fields where field.v2Path.hasPrefix(from) {
      field.v2Path = to + field.v2Path.dropFirst(from.count)
      fields[field.v2Path] = field
    }
    absences[String(to.dropLast())] = Self.byObject(account.absent)[String(from.dropLast())]
    let used = Set(fields.values.compactMap(\.v1Path))
    let new = self.row(of: String(to.dropLast()))
    // The other rows stay as they were; of the new one what gave no value, of the old one itself.
    losses = losses.filter { !isInside($0.v1Path, new) && !isInside($0.v1Path, row) && !used.contains($0.v1Path) }
    losses += account.unmapped.filter { isInside($0.v1Path, new) && !used.contains($0.v1Path) }.map { value in
      var value = value
      if let path = value.heldBy, path.hasPrefix(from) { value.heldBy = to + path.dropFirst(from.count) }
      return value
    }
    if let row, row != new {
      let reason = "the companion's own transaction; V2's event tells the one that the action led to"
      losses.append(Account.Unmapped(v1Path: row, isContainer: true, rule: nil, reason: reason, fate: .elsewhere))
    }
  }

  /// The cast of a companion message tells the purchase that the message names, and V2's event another one: without the
  /// legacy record that other one is not at hand, so none is compared.
  mutating func dropCompanion(_ migration: Migration?) {
    guard case .cast = origin, migration?.absorbed != nil, case .notification(var notification) = content else {
      return
    }
    notification.data?.transactionInfo = nil
    content = .notification(notification)
  }

  private func isInside(_ path: String, _ object: String?) -> Bool {
    object.map { path == $0 || path.hasPrefix($0 + ".") } ?? false
  }
}
