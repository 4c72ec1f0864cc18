@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

// A prepared record as evidence about the subscriptions that it lists.
extension Converter {
  /// More subscriptions of one record are not looked at.
  private static let mostSubscriptions = 64

  /// What the prepared record shows of each of its subscriptions, with a number that identifies the subscription.
  ///
  /// - Parameter name: called with the original transaction id of each message, in their order.
  package func historyMessages(
    _ witness: Settlement.Witness, name: (String) -> Void
  ) -> [(subscription: Int64, message: HistoryMessage)] {
    historyMessages(witness, original: { name($0.string) })
  }

  /// The same without the names.
  package func historyMessages(_ witness: Settlement.Witness) -> [(subscription: Int64, message: HistoryMessage)] {
    historyMessages(witness, original: { _ in })
  }

  private func historyMessages(
    _ witness: Settlement.Witness, original name: (JSONText) -> Void
  ) -> [(subscription: Int64, message: HistoryMessage)] {
    var messages: [(subscription: Int64, message: HistoryMessage)] = []
    let base = snapshot(witness)
    if record.form == .notification, let original = known.subject.original {
      messages.append((subscription(original), event(base, original)))
      name(original)
    }
    let rivals = messages.first.map { $0.message.scope.contains(.named) } ?? false ? [] : possibleSubjects(base)
    var seen: Set<JSONText> = known.subject.original.map { [$0] } ?? []
    for period in known.periods where !period.repeatsOriginal && seen.count < Self.mostSubscriptions {
      guard let original = period.original, seen.insert(original).inserted else { continue }
      var message = base
      addPeriods(of: original, to: &message)
      addRenewal(renewalEntry(of: original), isSubject: false, to: &message)
      if rivals.contains(original) { addUnclearEvent(to: &message) }
      messages.append((subscription(original), message))
      name(original)
    }
    return messages
  }

  private func subscription(_ original: JSONText) -> Int64 {
    var hash = QuickHash(seed: known.isSandbox ? 1 : 0)
    if let environment = known.input.environment.other { hash.add(environment) }
    hash.add(record.app)
    hash.add(original)
    return Int64(bitPattern: hash.value)
  }

  private func snapshot(_ witness: Settlement.Witness) -> HistoryMessage {
    var message = HistoryMessage(witness: witness)
    if let received = known.receivedAt { message.receivedAt = received }
    if known.isSandbox { message.scope.insert(.sandbox) }
    if !record.list.isEmpty {
      message.scope.insert(.list)
      let isWhole =
        record.list.count < compiled.parameters.listLimit && !known.gaps.isDamaged && !known.gaps.isListOfNewest
      if isWhole { message.scope.insert(.whole) }
    }
    // Apple charges, and dates, a renewal a while before it begins.
    let early = known.length(compiled.parameters.early)
    var latest = HistoryMessage.noTime
    for period in known.periods { latest = max(latest, period.purchase - early, period.cancellation) }
    if let change = record.instant(record.body, .statusChange) { latest = max(latest, change) }
    if record.form == .verifyReceipt, let time = known.eventTime { latest = max(latest, time) }
    message.writtenFrom = latest
    return message
  }

  private func event(_ base: HistoryMessage, _ original: JSONText) -> HistoryMessage {
    var message = base
    _ = builder.identity.uuid(of: known)
    (message.high, message.low) = builder.identity.last
    let trace = self.trace
    (message.kind, message.state, message.content) = (trace.kind, trace.state, trace.content)
    message.type = known.type
    message.rule = builder.decision?.number ?? -1
    message.confidence = builder.reading?.confidence ?? .documented
    if let time = known.eventTime { message.eventTime = time }
    if let reading = builder.reading, reading.isAmbiguous, !reading.alternatives.isEmpty { message.scope.insert(.open) }
    if isSubjectNamed(original, base) { message.scope.insert(.named) }
    if builder.reading?.lacksOnlyName ?? false { message.scope.insert(.lacksName) }
    addPeriods(of: original, to: &message)
    addRenewal(builder.focus.renewalEntry, isSubject: true, to: &message)
    return message
  }

  // MARK: periods

  private func addPeriods(of original: JSONText, to message: inout HistoryMessage) {
    let own = known.periods.filter { $0.original == original }
    let group = own.lazy.compactMap { [record] in record.text($0.row, .subscription_group_identifier) }.first
    let target = known.subject.target
    for (place, period) in known.periods.enumerated() {
      let isOwn = period.original.map { $0 == original } ?? (place == target)
      if !isOwn {
        guard period.expires != Period.none else { continue }
        guard let group, let other = record.text(period.row, .subscription_group_identifier) else {
          message.scope.insert(.groupUnclear)
          continue
        }
        guard group == other else { continue }
      }
      guard period.purchase != Period.none, let id = identity(of: period) else { continue }
      if place == target { message.target = message.periods.count }
      var traits = HistoryMessage.Traits()
      if isOwn { traits.insert(.own) }
      if period.isUpgraded { traits.insert(.upgraded) }
      if known.formHasUpgradeKey(period.row) { traits.insert(.markable) }
      if record.isFamilyShared(period.row) == true { traits.insert(.family) }
      if record.integer(period.row, .cancellation_reason) == 1 { traits.insert(.forApp) }
      if known.hasOffer(period.row) { traits.insert(.offer) }
      message.periods.append(
        HistoryMessage.Period(
          id: id, product: Self.hash(record.text(period.row, .product_id)), purchase: period.purchase,
          expires: period.expires, cancellation: period.cancellation, traits: traits))
    }
  }

  private func identity(of period: Period) -> UInt64? {
    let text = record.text(period.row, .web_order_line_item_id) ?? record.text(period.row, .transaction_id)
    return text.map { Self.hash($0) }
  }

  private static func hash(_ text: JSONText?) -> UInt64 {
    var hash = QuickHash()
    hash.add(text)
    return hash.value
  }

  // MARK: renewal

  private func renewalEntry(of original: JSONText) -> Int {
    record.onlyRenewal(ofOriginal: original) ?? -1
  }

  /// - Parameter isSubject: the top level of the body speaks of this subscription.
  private func addRenewal(_ row: Int, isSubject: Bool, to message: inout HistoryMessage) {
    let stated = isSubject ? record.flag(record.body, .auto_renew_status) : nil
    let entry = row >= 0 ? record.flag(row, .auto_renew_status) : nil
    // Where both state it and differ, the record does not show it.
    if stated == nil || entry == nil || stated == entry { message.autoRenew = stated ?? entry }
    if isSubject, let date = record.instant(record.body, .statusChange) { message.statusChange = date }
    let intent =
      (row >= 0 ? record.integer(row, .expiration_intent) : nil)
      ?? (isSubject ? record.integer(record.body, .expiration_intent) : nil)
    message.intent = intent.flatMap { (1...5).contains($0) ? Int8($0) : nil } ?? 0
    let statedNext = isSubject ? record.text(record.body, .auto_renew_product_id) : nil
    let next = row >= 0 ? record.text(row, .auto_renew_product_id) : nil
    if let product = next ?? statedNext, statedNext.map({ $0 == product }) ?? true {
      message.nextProduct = Self.hash(product)
    }
    guard row >= 0 else { return }
    message.scope.insert(.renewal)
    message.isRetrying = record.flag(row, .is_in_billing_retry_period)
    if let grace = record.instant(row, .grace) { message.grace = grace }
    if known.hasOffer(row) { message.pendingOffer = Self.hash(known.offer(in: row)) }
  }
}
