import SlipcastBulk
import SlipcastComparison
import SlipcastMapping
import SlipcastReports
import SlipcastTimeline
import SlipcastV2
import SlipcastWire

/// Collects the history of one subscription for its page (`timeline --report`).
struct LifeBook {
  /// More events would make a page that no browser shows well.
  private static let limit = 5000

  private(set) var subscriptions: Set<StoredEvent.Subscription?> = []
  private var rows: [LifeReport.Row] = []
  private var periods: [String: LifeReport.Period] = [:]
  /// Purchases that do not end by themselves, because they are not of subscriptions.
  private var purchases: [String: EventFacts.Transaction] = [:]
  private var renewal: EventFacts.Renewal?
  private var newest: EventFacts.Transaction?
  private var newestReason = ""
  private var newestRevocation: AccessReason?
  /// Why periods ended before their end, by period; and why purchases were taken back.
  private var revocations: [String: AccessReason] = [:]
  private let rules: RuleSet
  /// Events that the page has no room for.
  private(set) var omitted = 0

  init(_ rules: RuleSet) { self.rules = rules }

  mutating func add(_ entry: TimelineEntry, of subscription: StoredEvent.Subscription?) {
    subscriptions.insert(subscription)
    guard rows.count < Self.limit else {
      omitted += 1
      return
    }
    switch entry {
    case .gap(let gap):
      rows.append(
        LifeReport.Row(
          time: gap.time, event: gap.event.description, messages: [gap.isSent ? "no message" : "never sent by V1"],
          reading: gap.confidence.rawValue,
          reasons: [gap.meaning, "shown by \(gap.trace)"], tone: .ended))
    case .event(let group): add(group)
    case .transaction(let transaction): add(transaction)
    }
  }

  /// A transaction of V2: a row, and its period where no event shows it.
  private mutating func add(_ transaction: TimelineTransaction) {
    rows.append(
      LifeReport.Row(
        time: transaction.purchaseDate, event: "transaction \(transaction.transactionId ?? "")", messages: ["V2"],
        reading: "stated by Apple", reasons: [transaction.isOfOrder ? "of the order" : nil].compactMap(\.self),
        tone: transaction.revocationDate == nil ? .plain : .refunded))
    guard let from = transaction.purchaseDate, let until = transaction.expiresDate,
      let id = transaction.webOrderLineItemId ?? transaction.transactionId, periods[id] == nil
    else { return }
    let end = transaction.revocationDate.map { min($0, until) } ?? until
    periods[id] = LifeReport.Period(
      from: from, until: max(from, end), label: transaction.productId ?? "unknown product",
      tone: transaction.revocationDate == nil ? .paid : .refunded)
  }

  private mutating func add(_ group: EventGroup) {
    let event = group.event?.description ?? "(no type)"
    var reasons = [group.rule].compactMap(\.self)
    if let rule = rules.types.first(where: { $0.id == group.rule }) {
      reasons = [rule.meaning.v1, "rule \(rule.id)"].compactMap(\.self)
    }
    for candidate in group.candidates {
      let name = [candidate.notificationType?.rawValue, candidate.subtype?.rawValue].compactMap(\.self)
      reasons.append("\(name.joined(separator: "/")) needs: \(candidate.needs ?? "not in V1")")
    }
    reasons += group.facts.support
    let isOpen = !group.candidates.isEmpty
    let isRefund = group.notificationType == NotificationType.refund.rawValue
    rows.append(
      LifeReport.Row(
        time: group.time, event: event,
        messages: [group.lead.notification_type ?? "V2"] + group.companions.map { $0.event.notification_type ?? "V2" },
        reading: isOpen ? "more than one reading" : group.confidence?.rawValue ?? "not stated", reasons: reasons,
        tone: isOpen ? .open : isRefund ? .refunded : .plain))
    renewal = group.facts.renewal ?? renewal
    if let transaction = group.facts.transaction { add(transaction, of: group) }
  }

  private mutating func add(_ transaction: EventFacts.Transaction, of group: EventGroup) {
    let id =
      transaction.webOrderLineItemId ?? transaction.transactionId
      ?? "\(transaction.purchaseDate?.milliseconds ?? group.time ?? 0)"
    let isReplaced = transaction.isUpgraded == true
    // A consumable that is no longer listed has no date of its refund.
    let isTold = transaction.expiresDate == nil && group.candidates.isEmpty && Self.takesBack(group)
    if transaction.revocationDate != nil || isTold {
      revocations[id] = .ofRevocation(
        isUpgraded: isReplaced, revocationType: transaction.revocationType?.rawValue,
        notificationType: group.notificationType)
    } else {
      revocations[id] = nil
    }
    guard let until = transaction.expiresDate?.milliseconds else {
      purchases[id] = transaction
      return
    }
    guard let from = transaction.purchaseDate?.milliseconds else { return }
    if group.candidates.isEmpty, group.subtype == Subtype.upgrade.rawValue, !isReplaced { end(at: from) }
    let isEnded = isReplaced || revocations[id] != nil
    let tone: LifeReport.Tone =
      revocations[id] == .refunded ? .refunded : isEnded ? .ended : transaction.offerType != nil ? .free : .paid
    periods[id] = LifeReport.Period(
      from: from, until: max(from, until), label: transaction.productId ?? "unknown product", tone: tone)
    guard !isReplaced, (newest?.purchaseDate?.milliseconds ?? .min) <= from else { return }
    (newest, newestReason) = (transaction, group.event?.description ?? "(no type)")
    newestRevocation = revocations[id]
  }

  private static func takesBack(_ group: EventGroup) -> Bool {
    group.notificationType == NotificationType.refund.rawValue
      || group.notificationType == NotificationType.revoke.rawValue
  }

  /// An upgrade ended the period that ran: Apple cancels it and pays the rest back.
  private mutating func end(at time: Int64) {
    for (id, period) in periods where period.from < time && period.until > time {
      periods[id]?.until = time
      if period.tone != .refunded { periods[id]?.tone = .ended }
    }
  }

  private var periodsInOrder: [LifeReport.Period] {
    Self.replaced(periods.values.sorted { ($0.from, $0.until) < ($1.from, $1.until) })
  }

  /// A period that a later purchase cuts short was replaced by it.
  private static func replaced(_ periods: [LifeReport.Period]) -> [LifeReport.Period] {
    let day: Int64 = 86_400_000
    var periods = periods
    for place in periods.indices.dropLast() where periods[place].until > periods[place + 1].from + day {
      periods[place].until = periods[place + 1].from
      if periods[place].tone != .refunded { periods[place].tone = .ended }
    }
    return periods
  }

  private func access(_ newest: EventFacts.Transaction) -> (String, String, String) {
    let grace = renewal?.gracePeriodExpiresDate?.milliseconds
    let paid = newest.expiresDate?.milliseconds ?? 0
    let until = newest.revocationDate?.milliseconds ?? max(paid, grace ?? paid)
    // A renewal that was charged early may be taken back while the period before it runs.
    let running = periodsInOrder.filter { period in
      newest.revocationDate != nil && (period.tone == .paid || period.tone == .free) && period.from <= until
        && period.until > until
    }
    if let end = running.map(\.until).max() {
      let why = "The newest period was taken back; the period before it was not, and ends then."
      return ("Access until", Words.moment(end), "\(why) Last event: \(newestReason).")
    }
    let why =
      newestRevocation.map { "The period ended early (\($0.words))." }
      ?? (until > paid ? "The grace period ends then (\(AccessReason.grace.words))." : "The paid period ends then.")
    return ("Access until", Words.moment(until), "\(why) Last event: \(newestReason).")
  }

  /// Of a purchase that does not end by itself.
  private func access(_ id: String, _ purchase: EventFacts.Transaction) -> (String, String, String) {
    guard let reason = revocations[id] else { return ("Access until", "no end", "The purchase does not expire.") }
    let end = purchase.revocationDate.map { Words.moment($0.milliseconds) }
    let why = end == nil ? "V1 does not state when the purchase was taken back" : "The purchase was taken back"
    return ("Access until", end ?? "unknown", "\(why) (\(reason.words)).")
  }

  func report(_ title: String) -> LifeReport {
    var report = LifeReport(title: title)
    report.rows = rows
    report.periods = periodsInOrder
    if let newest { report.answers.append(access(newest)) }
    if newest == nil, let (id, purchase) = purchases.max(by: { $0.key < $1.key }) {
      report.answers.append(access(id, purchase))
    }
    let bought = periods.count + purchases.count
    let total = "\(bought) " + (purchases.isEmpty ? "periods" : bought == 1 ? "purchase" : "purchases")
    for (reason, question) in [(AccessReason.refunded, "Refunded"), (.revoked, "Revoked")] {
      let count = revocations.values.count { $0 == reason }
      if count == 0, reason != .refunded { continue }
      report.answers.append((question, count == 0 ? "nothing" : "\(count) of \(total)", ""))
    }
    if let status = renewal?.autoRenewStatus {
      report.answers.append(
        (
          "Auto-renew", status.known == .on ? "on" : "off",
          "As the last message states it. "
            + (renewal?.autoRenewProductId.map { "Next product: \($0)." } ?? "")
        ))
    }
    let open = rows.count { $0.tone == .open }
    report.answers.append(
      (
        "Uncertain", open == 0 ? "no event" : "\(open) of \(rows.count) events",
        omitted > 0 ? "\(omitted) later events are not shown." : ""
      ))
    return report
  }
}
