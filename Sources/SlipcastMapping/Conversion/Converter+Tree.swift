@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

// Filling the tree: the rules are applied once for each V2 object that the record becomes.

extension Converter {
  package var tree: EventRecord { builder.tree }

  /// Converts the prepared record.
  ///
  /// - Throws: `ConversionError` for a record that cannot become what is asked for.
  package func convert(into emission: Emission) throws(ConversionError) {
    try refuseErrorAnswer()
    switch (emission, record.form) {
    case (.auto, .notification), (.notification, .notification): convertToNotification()
    case (.notification, .verifyReceipt): throw ConversionError(reason: .noEvent)
    case (.auto, .verifyReceipt), (.history, _): convertToHistory()
    case (.statuses, _): convertToStatuses()
    case (.appTransaction, .verifyReceipt) where record.receipt != nil || record.flat != nil:
      try convertToAppTransaction()
    case (.appTransaction, _): throw ConversionError(reason: .noAppReceipt)
    }
  }

  package func convertToNotification() {
    builder.beginNotification()
    let original = known.subject.isTied ? known.subject.named : known.subject.original
    let isNamed = original != nil || known.subject.isUnlisted
    apply(.transaction, to: builder.transaction, if: builder.focus.period != nil || isNamed)
    // Which of the two ids V2 has is a conclusion.
    if builder.notes.contains(where: { $0 == .lineItemRepeated }),
      let slot = ObjectPart.transaction.schema.slot("transactionId"), let cell = builder.transaction[slot]
    {
      builder.transaction.set(slot, cell.inferred)
    }
    apply(.renewal, to: builder.renewal, if: hasRenewal)
    apply(.data, to: builder.data)
    apply(.notification, to: builder.notification)
    if !builder.data.isEmpty, let slot = ObjectPart.notification.schema.slot("data") {
      builder.notification.set(slot, Cell(kind: .row, integer: 1))
    }
    if let current = builder.focus.period, known.periods[current].isUpgraded, known.periods[current].isCancelled,
      !known.isRefundedUpgrade(current)
    {
      builder.note(.cancellationDropped, record.rows.source(known.periods[current].row, .cancellation))
    }
  }

  /// Fills an app transaction; the purchases of the receipt are left to a history.
  ///
  /// - Throws: `ConversionError` for a receipt without values of the app.
  private func convertToAppTransaction() throws(ConversionError) {
    builder.focus = RecordBuilder.Focus()
    tree.begin(.appTransaction)
    if record.receipt == nil { builder.note(.appOfPurchase, 0) }
    let app = tree.append(.appTransaction, builder.focus)
    apply(.appTransaction, to: app)
    tree.close(0)
    if app.isEmpty { throw ConversionError(reason: .noAppReceipt) }
  }

  /// Fills a history and its transactions, oldest first.
  private func convertToHistory() {
    let listed = periodsListedOnce()
    builder.index(listed)
    tree.begin(.history)
    let history = tree.append(.history, builder.focus)
    apply(.history, to: history)
    fillEnvelope(history)
    // Oldest purchase first, ties in the order of the record.
    for index in listed.sorted(by: { (known.periods[$0].purchase, $0) < (known.periods[$1].purchase, $1) }) {
      builder.focus.period = index
      builder.appendTransaction()
      if index != known.subject.target { noteDates(of: index) }
      apply(.transaction, to: builder.transaction)
    }
    tree.close(0)
  }

  /// Histories and statuses of a notification take the app and environment from the body.
  private func fillEnvelope(_ row: CellRow) {
    guard record.form == .notification else { return }
    apply(.data, to: builder.data)
    for name in ["environment", "bundleId", "appAppleId"] {
      guard let from = ObjectPart.data.schema.slot(name), let to = row.schema.slot(name), let cell = builder.data[from]
      else { continue }
      row.set(to, cell)
    }
  }

  /// Fills statuses: groups in the order of their first appearance, one item per original transaction.
  private func convertToStatuses() {
    let listed = periodsListedOnce()
    builder.index(listed)
    tree.begin(.statuses)
    let statuses = tree.append(.statuses, builder.focus)
    apply(.statuses, to: statuses)
    fillEnvelope(statuses)
    var groups = groups(of: listed)
    assignRenewals(&groups)
    // A renewal at the top level is that of the only subscription; of several, the record does not say whose it is.
    let isOne = groups.count == 1 && groups[0].members.count == 1
    for group in groups {
      builder.focus.period = group.period
      let place = tree.objects.count
      apply(.group, to: tree.append(.group, builder.focus))
      for subscription in group.members { convert(subscription, isOne: isOne) }
      tree.close(place)
    }
    tree.close(0)
  }

  /// One subscription as a status answer lists it: its newest period that is not upgraded.
  private struct Subscription {
    var original: JSONText
    var newest: Int
    var renewal: RenewalFinder.Match?
  }

  /// Gives each subscription its renewal entry; one that could be that of several stays with none.
  private func assignRenewals(_ groups: inout [Group]) {
    var finder = RenewalFinder(record, asOf: builder.statusTime)
    let all = groups.flatMap(\.members).map { member in
      let period = known.periods[member.newest]
      let isClear = !period.isUpgraded && !known.gaps.hidesOrder(of: member.original)
      return RenewalFinder.Subscription(
        original: member.original, product: record.text(period.row, .product_id),
        expires: isClear ? period.expires : Period.none)
    }
    var matches = finder.match(all).makeIterator()
    for group in groups.indices {
      for member in groups[group].members.indices {
        guard let match = matches.next() else { break }
        groups[group].members[member].renewal = match
        builder.assign(match?.entry, to: groups[group].members[member].original)
      }
    }
    builder.noteUnassigned(finder.unassigned)
  }

  private struct Group {
    var name: JSONText?
    /// The period that names the group, else the first one.
    var period: Int
    var members: [Subscription]
  }

  private func convert(_ subscription: Subscription, isOne: Bool) {
    // An upgraded period does not show the state of the subscription.
    let isUpgraded = known.periods[subscription.newest].isUpgraded
    let isHidden = known.gaps.hidesOrder(of: subscription.original)
    (builder.focus.period, builder.focus.newestPeriod) = (
      subscription.newest, isUpgraded || isHidden ? nil : subscription.newest
    )
    let product = record.text(known.periods[subscription.newest].row, .product_id)
    builder.focus.renewalEntry = subscription.renewal?.entry ?? (isOne ? onlyRenewal(of: product) : nil) ?? -1
    builder.focus.isRenewalByExclusion = subscription.renewal?.isByExclusion ?? false
    if builder.focus.isRenewalByExclusion {
      builder.note(.renewalByExclusion, record.rows.origin(builder.focus.renewalEntry))
    }
    if builder.focus.renewalEntry >= 0 { noteRenewals(of: builder.focus.renewalEntry) }
    if known.gaps.hidesPeriods(of: subscription.original) { builder.note(.listUnreadable, 0) }
    builder.focus.isRenewalOfBody = isOne && known.statesRenewal
    let place = tree.objects.count
    let item = tree.append(.item, builder.focus)
    builder.appendTransaction()
    builder.appendRenewal()
    apply(.renewal, to: builder.renewal, if: builder.focus.renewalEntry >= 0 || builder.focus.isRenewalOfBody)
    if subscription.newest != known.subject.target { noteDates(of: subscription.newest) }
    // Which transaction is the last one is then unknown.
    apply(.transaction, to: builder.transaction, if: !isHidden)
    apply(.item, to: item)
    tree.close(place)
  }

  /// The only renewal entry has the product of the only subscription, and another original id, which can differ.
  private func onlyRenewal(of product: JSONText?) -> Int? {
    guard let entry = record.renewals.first, record.renewals.count == 1, let product,
      record.text(entry, .product_id) == product
    else { return nil }
    builder.note(.originalIdDiffers, record.rows.slot(entry, .original_transaction_id))
    return entry
  }

  /// The subscriptions of the record by group; a subscription stays in the group in which it appears first.
  private func groups(of listed: [Int]) -> [Group] {
    var groups: [Group] = []
    var groupOfName: [JSONText?: Int] = [:]
    var places: [JSONText: (group: Int, member: Int)] = [:]
    for index in listed where known.isSubscription(known.periods[index].row) {
      let row = known.periods[index].row
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

  /// The newest period of a subscription speaks for it; an upgraded one only without another one.
  private func update(_ group: inout Group, _ member: Int, _ index: Int) {
    let (newest, own) = (known.periods[group.members[member].newest], known.periods[index])
    if own.isUpgraded != newest.isUpgraded ? newest.isUpgraded : own.isNewer(than: newest) {
      group.members[member].newest = index
    }
  }
}
