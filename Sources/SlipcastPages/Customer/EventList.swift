internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastStores
internal import SlipcastTimeline
internal import SlipcastV2
internal import SlipcastWire

/// One event of a life as its page lists it.
struct EventRow: Sendable {
  var time: Int64?
  var sentence: String
  /// V2's event: `DID_RENEW`.
  var name: String
  /// V1's messages, the deciding one first; empty for what no message reports.
  var messages: [String] = []
  /// How certain it is.
  var reading: String
  var reasons: [String] = []
  var rule: String?
  /// The id of the V1 event, and of V2's notification.
  var uuid: String?
  var counterpart: String?
  /// Where V2 has no notification of it.
  var remark = ""
  var tone = "plain"
  var product: String?

  /// Rows with equal keys that follow each other are one; `nil` for rows that always show.
  var foldKey: String? {
    tone == "plain" && Self.regular.contains(name) ? "\(name) \(product ?? "") \(reading) \(remark)" : nil
  }

  private static let regular: Set<String> = ["DID_RENEW"]
}

/// Rows of one kind that follow each other.
struct EventRun: Sendable {
  var rows: [EventRow]

  var first: EventRow { rows[0] }
  var isFolded: Bool { rows.count >= Self.least }

  /// Fewer rows are not folded.
  private static let least = 3

  static func runs(_ rows: [EventRow]) -> [EventRun] {
    var runs: [EventRun] = []
    for row in rows {
      if let key = row.foldKey, let last = runs.last, last.rows.last?.foldKey == key {
        runs[runs.count - 1].rows.append(row)
      } else {
        runs.append(EventRun(rows: [row]))
      }
    }
    return runs
  }
}

/// Makes the rows of a customer's events.
struct EventList: Sendable {
  let rules: RuleSet
  let redactor: Redactor
  private let sentences: EventSentences
  /// Events that V1 never sends, whatever they are about.
  private let neverSent: Set<String>

  init(rules: RuleSet, redactor: Redactor) {
    (self.rules, self.redactor, sentences) = (rules, redactor, EventSentences(rules))
    neverSent = Set(rules.serverEvents.filter(\.isUnconditional).map(\.event.description))
  }

  func rows(_ customer: Customer) -> [EventRow] {
    let legacy = customer.legacy.life.entries.compactMap { row($0, customer) }
    let hasServer = customer.server != nil
    let server = customer.serverOnly.map { notice -> EventRow in
      let name = [notice.notificationType ?? "(no type)", notice.subtype].compactMap(\.self).joined(separator: "/")
      let isNever = neverSent.contains(name)
      return EventRow(
        time: notice.time, sentence: sentences.sentence(of: name, product: notice.productId, next: nil), name: name,
        reading: "stated by Apple", uuid: nil, counterpart: notice.notificationUUID,
        remark: customer.legacy.isEmpty ? "" : isNever ? "never sent by V1" : "not in V1",
        tone: customer.legacy.isEmpty ? "plain" : isNever ? "ended" : "serverOnly", product: notice.productId)
    }
    guard hasServer, !server.isEmpty else { return legacy }
    // Both are in the order of time; an event without a time stays after the one before it.
    var merged: [EventRow] = []
    var rest = server.sorted { ($0.time ?? 0) < ($1.time ?? 0) }[...]
    for row in legacy {
      while let next = rest.first, let time = row.time, (next.time ?? 0) < time {
        merged.append(next)
        rest.removeFirst()
      }
      merged.append(row)
    }
    return merged + rest
  }

  private func row(_ entry: TimelineEntry, _ customer: Customer) -> EventRow? {
    switch entry {
    case .event(let group): return row(group, customer)
    case .gap(let gap):
      let counterpart = EventPairing.Event(entry).flatMap { customer.counterparts[$0.key] }
      return EventRow(
        time: gap.time, sentence: sentences.sentence(of: gap.event.description, product: gap.productId, next: nil),
        name: gap.event.description, reading: gap.confidence.rawValue,
        reasons: [gap.meaning, "shown by \(gap.trace)"], rule: gap.rule,
        counterpart: counterpart?.notice.notificationUUID,
        remark: gap.isSent ? "no V1 message" : "never sent by V1", tone: "ended", product: gap.productId)
    case .transaction(let transaction):
      let id = redactor.shown(transaction.transactionId ?? "")
      return EventRow(
        time: transaction.purchaseDate, sentence: "Transaction \(id) in Apple's records", name: "transaction",
        reading: "stated by Apple", reasons: transaction.isOfOrder ? ["It belongs to the order."] : [],
        tone: transaction.revocationDate == nil ? "plain" : "refunded", product: transaction.productId)
    }
  }

  private func row(_ group: EventGroup, _ customer: Customer) -> EventRow {
    let name = group.event?.description ?? "(no type)"
    let isOpen = !group.candidates.isEmpty
    let uuid = group.facts.notificationUUID
    let counterpart = uuid.flatMap { customer.counterparts[$0] }
    var row = EventRow(
      time: group.time,
      sentence: sentences.sentence(
        of: name, product: group.facts.transaction?.productId, next: group.facts.renewal?.autoRenewProductId),
      name: name,
      messages: [group.lead.notification_type].compactMap(\.self)
        + group.companions.compactMap(\.event.notification_type),
      reading: isOpen ? "more than one reading" : group.confidence?.rawValue ?? "not stated", rule: group.rule,
      uuid: uuid, counterpart: counterpart?.notice.notificationUUID, product: group.facts.transaction?.productId)
    row.reasons = reasons(group)
    if customer.server != nil, group.absorbedInto == nil {
      row.remark = counterpart.map { $0.differs ? Self.difference(name, $0.notice) : "" } ?? "not in V2"
    }
    let isRefund = group.notificationType == NotificationType.refund.rawValue
    row.tone = isOpen ? "open" : isRefund ? "refunded" : row.remark == "not in V2" ? "legacyOnly" : "plain"
    return row
  }

  private static func difference(_ name: String, _ notice: StoredNotice) -> String {
    let isSameType = notice.notificationType.map { name == $0 || name.hasPrefix("\($0)/") } ?? false
    return isSameType ? "V2 has another subtype" : "V2 has another type"
  }

  private func reasons(_ group: EventGroup) -> [String] {
    var reasons: [String] = []
    if let rule = rules.types.first(where: { $0.id == group.rule }), let meaning = rule.meaning.v1 {
      reasons.append(meaning)
    }
    for candidate in group.candidates {
      let name = [candidate.notificationType?.rawValue, candidate.subtype?.rawValue].compactMap(\.self)
      reasons.append("\(name.joined(separator: "/")) needs: \(candidate.needs ?? "not in V1")")
    }
    // These name records by their sources.
    if !redactor.isOn { reasons += group.facts.support }
    if let into = group.absorbedInto { reasons.append("A part of the event \(redactor.shown(into)).") }
    return reasons
  }
}
