@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) package import SlipcastWire

extension Caster {
  // MARK: notification

  /// Writes the decoded notification, its account (`migration`) unless told not to, and no line feed.
  package func writeNotification(to writer: JSONWriter, plain: Bool) {
    writer.byte(UInt8(ascii: "{"))
    writeMembers(of: state.notification, to: writer)
    if !plain {
      writer.raw(",\"migration\":{")
      writeReading(to: writer)
      writer.raw(",\"inferred\":[")
      writeInferred(state.notification, "", to: writer)
      writeInferred(state.data, "data.", to: writer)
      writeInferred(state.transaction, "data.transactionInfo.", to: writer)
      writeInferred(state.renewal, "data.renewalInfo.", to: writer)
      writer.raw("]}")
    }
    writer.byte(UInt8(ascii: "}"))
  }

  /// What the event is read as, how sure that is, and which other events stay possible.
  private func writeReading(to writer: JSONWriter) {
    guard let reading = state.reading, let text = reading.decision.migration(reading.confidence) else { return }
    writer.raw(text.buffer)
    writeOtherReadings(to: writer)
    guard let start = state.autoRenewOnSince else { return }
    writer.raw(",\"autoRenewOnSince\":")
    writer.integer(start)
  }

  private func writeOtherReadings(to writer: JSONWriter) {
    let others = otherReadings
    guard !others.isEmpty else { return }
    writer.raw(",\"accepts\":[")
    for (place, event) in others.enumerated() {
      writer.raw(place == 0 ? "{" : ",{")
      writer.member("notificationType", event.notificationType)
      if let subtype = event.subtype { writer.member("subtype", subtype) }
      writer.byte(UInt8(ascii: "}"))
    }
    writer.byte(UInt8(ascii: "]"))
  }

  /// Members in Apple's order; the first one without a comma.
  private func writeMembers(of row: CellRow, to writer: JSONWriter) {
    var isFirst = true
    row.forEach { slot, cell in
      if isFirst { isFirst = false } else { writer.byte(UInt8(ascii: ",")) }
      row.layout.writeKey(slot, to: writer)
      switch cell.kind {
      case .text: if let text = cell.text { writer.text(text) }
      case .integer: writer.integer(cell.integer)
      case .boolean: writer.boolean(cell.integer != 0)
      case .row:
        writer.byte(UInt8(ascii: "{"))
        writeMembers(of: nested(cell.integer), to: writer)
        writer.byte(UInt8(ascii: "}"))
      case .list: writer.raw("[]")
      }
    }
  }

  private func nested(_ number: Int64) -> CellRow {
    switch number {
    case 1: state.data
    case 2: state.transaction
    default: state.renewal
    }
  }

  private func writeInferred(_ row: CellRow, _ prefix: StaticString, to writer: JSONWriter) {
    var rest = row.inferredMask
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      rest &= rest - 1
      writer.comma()
      writer.byte(UInt8(ascii: "\""))
      writer.raw(prefix)
      writer.raw(row.layout.names[slot])
      writer.byte(UInt8(ascii: "\""))
    }
  }

  private func writeInferred(_ row: CellRow, _ prefix: String, to paths: inout [String]) {
    row.forEach { slot, cell in if cell.certainty == .inferred { paths.append(prefix + row.layout.names[slot]) } }
  }

  // MARK: history

  /// Writes the decoded history; `account` is told about every transaction after its cells are filled.
  package func writeHistory(to writer: JSONWriter, plain: Bool, account: ((String) -> Void)? = nil) {
    state.index = PeriodIndex(state.record, state.periods)
    apply(compiled.history, to: state.history)
    fillEnvelope(state.history)
    var inferred: [String] = []
    writeInferred(state.history, "", to: &inferred)
    writer.byte(UInt8(ascii: "{"))
    writeEnvelope(state.history, to: writer) {
      for (place, index) in chronological().enumerated() {
        writer.comma()
        castTransaction(index)
        writer.byte(UInt8(ascii: "{"))
        writeMembers(of: state.transaction, to: writer)
        writer.byte(UInt8(ascii: "}"))
        writeInferred(state.transaction, "transactions[\(place)].", to: &inferred)
        account?("transactions[\(place)].")
      }
    }
    if !plain { writeMigration("receipt.history", inferred, to: writer) }
    writer.byte(UInt8(ascii: "}"))
  }

  /// Histories and statuses of a notification take the app and environment from the body.
  func fillEnvelope(_ row: CellRow) {
    guard state.record.form == .notification else { return }
    apply(compiled.data, to: state.data)
    for name in ["environment", "bundleId", "appAppleId"] {
      guard let from = CompiledRules.dataLayout.slot(name), let to = row.layout.slot(name), let cell = state.data[from]
      else { continue }
      row.set(to, cell)
    }
  }

  private func writeEnvelope(_ row: CellRow, to writer: JSONWriter, list: () -> Void) {
    row.forEach { slot, cell in
      writer.comma()
      row.layout.writeKey(slot, to: writer)
      switch cell.kind {
      case .text: if let text = cell.text { writer.text(text) }
      case .integer: writer.integer(cell.integer)
      case .boolean: writer.boolean(cell.integer != 0)
      case .row: writer.raw("{}")
      case .list:
        writer.byte(UInt8(ascii: "["))
        list()
        writer.byte(UInt8(ascii: "]"))
      }
    }
  }

  private func writeMigration(_ rule: String, _ inferred: [String], to writer: JSONWriter) {
    writer.raw(",\"migration\":{")
    writer.member("rule", rule)
    writer.member("confidence", "documented")
    writer.key("inferred")
    writer.byte(UInt8(ascii: "["))
    for path in inferred {
      writer.comma()
      writer.text(path)
    }
    writer.raw("]}")
  }

  // MARK: statuses

  /// One subscription as a status answer lists it: its newest period that is not upgraded.
  private struct Subscription {
    var original: JSONText
    var newest: Int
  }

  /// The subscriptions of one group.
  private struct Group {
    var name: JSONText?
    /// The period that names the group, else the first one.
    var period: Int
    var members: [Subscription]
  }

  /// What the account of statuses is told about after cells are filled, with the path in front of their names.
  package enum StatusPart {
    case group, subscription
  }

  /// Writes the decoded statuses: groups in the order of their first appearance, one entry per original transaction.
  package func writeStatuses(
    to writer: JSONWriter, plain: Bool, account: ((StatusPart, String) -> Void)? = nil
  ) {
    state.index = PeriodIndex(state.record, state.periods)
    apply(compiled.statuses, to: state.statuses)
    fillEnvelope(state.statuses)
    var inferred: [String] = []
    writeInferred(state.statuses, "", to: &inferred)
    writer.byte(UInt8(ascii: "{"))
    writeEnvelope(state.statuses, to: writer) {
      for (place, group) in groups().enumerated() {
        let prefix = "data[\(place)]."
        writer.comma()
        writer.byte(UInt8(ascii: "{"))
        state.current = group.period
        apply(compiled.statusGroup, to: state.statusGroup)
        account?(.group, prefix)
        writeEnvelope(state.statusGroup, to: writer) {
          for (item, subscription) in group.members.enumerated() {
            let prefix = prefix + "lastTransactions[\(item)]."
            writer.comma()
            cast(subscription)
            writer.byte(UInt8(ascii: "{"))
            writeMembers(of: state.lastTransaction, to: writer)
            writer.byte(UInt8(ascii: "}"))
            writeInferred(state.lastTransaction, prefix, to: &inferred)
            writeInferred(state.transaction, prefix + "transactionInfo.", to: &inferred)
            writeInferred(state.renewal, prefix + "renewalInfo.", to: &inferred)
            account?(.subscription, prefix)
          }
        }
        writer.byte(UInt8(ascii: "}"))
      }
    }
    if !plain { writeMigration("receipt.statuses", inferred, to: writer) }
    writer.byte(UInt8(ascii: "}"))
  }

  /// Fills the cells for each subscription in turn and hands out its newest period.
  func forEachSubscription(_ use: (Int) -> Void) {
    state.index = PeriodIndex(state.record, state.periods)
    for group in groups() {
      state.current = group.period
      apply(compiled.statusGroup, to: state.statusGroup)
      for subscription in group.members {
        cast(subscription)
        use(subscription.newest)
      }
    }
  }

  /// Fills the cells for one subscription.
  private func cast(_ subscription: Subscription) {
    castRenewal(subscription.original, newest: subscription.newest)
    castTransaction(subscription.newest)
    apply(compiled.lastTransaction, to: state.lastTransaction)
  }

  /// The subscriptions of the record by group; a subscription stays in the group in which it appears first.
  private func groups() -> [Group] {
    let record = state.record
    var groups: [Group] = []
    var groupOfName: [JSONText?: Int] = [:]
    var places: [JSONText: (group: Int, member: Int)] = [:]
    for index in state.periods.indices where state.isSubscription(state.periods[index].row) {
      let row = state.periods[index].row
      guard let original = record.text(row, .original_transaction_id) else { continue }
      let name = record.text(row, .subscription_group_identifier)
      if let place = places[original] {
        update(&groups[place.group], place.member, index)
        if groups[place.group].name == nil, let name {
          (groups[place.group].name, groups[place.group].period) = (name, index)
          groupOfName[name] = min(groupOfName[name] ?? place.group, place.group)
          // What has a name takes in no more subscriptions without one.
          if groupOfName[nil] == place.group { groupOfName.removeValue(forKey: nil) }
        }
        continue
      }
      let group = groupOfName[name] ?? groups.count
      if group == groups.count {
        groups.append(Group(name: name, period: index, members: []))
        groupOfName[name] = group
      }
      places[original] = (group, groups[group].members.count)
      groups[group].members.append(Subscription(original: original, newest: index))
    }
    return groups
  }

  /// The newest period of a subscription speaks for it; an upgraded one only while there is no other.
  private func update(_ group: inout Group, _ member: Int, _ index: Int) {
    let known = state.periods[group.members[member].newest]
    let own = state.periods[index]
    if own.isUpgraded != known.isUpgraded ? known.isUpgraded : own.isNewer(than: known) {
      group.members[member].newest = index
    }
  }
}
