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
    let old = fields.values.filter { $0.v2Path.hasPrefix(to) }.compactMap { $0.v1Path?.parentPath }
    fields = fields.filter { !$0.key.hasPrefix(to) }
    absences = absences.filter { !$0.key.hasPrefix(to) }
    for var field in account.fields where field.v2Path.hasPrefix(from) {
      field.v2Path = to + field.v2Path.dropFirst(from.count)
      fields[field.v2Path] = field
    }
    for absence in account.absent where absence.v2Path.hasPrefix(from) {
      absences[to + absence.v2Path.dropFirst(from.count)] = absence.reason
    }
    let used = Set(fields.values.compactMap(\.v1Path))
    let row = old.first { $0.hasSuffix("]") }
    losses = account.lost.filter { !used.contains($0.v1Path) && !$0.v1Path.isSecret && !isInside($0.v1Path, row) }
    if let row {
      let reason = "the companion's own transaction; V2's event tells the one that the action led to"
      losses.append(Account.Loss(v1Path: row, rule: nil, reason: reason))
    }
  }

  private func isInside(_ path: String, _ object: String?) -> Bool {
    object.map { path == $0 || path.hasPrefix($0 + ".") } ?? false
  }
}
