internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Timelines for programs: one JSON object a line.
struct JSONTimeline: TimelineForm {
  func begin(_ summary: SubscriptionSummary, to output: JSONWriter) {
    open("subscription", summary.originalTransactionId, to: output)
    output.member("bundleId", ifPresent: summary.bundleId)
    output.member("environment", ifPresent: summary.environment)
    close(output)
  }

  func event(_ group: EventGroup, of id: String?, to output: JSONWriter) {
    open("event", id, to: output)
    output.member("time", ifPresent: group.time)
    output.member("timeSource", group.timeSource.rawValue)
    output.member("after", ifPresent: group.after)
    add(group.event, to: output)
    output.member("notificationUUID", ifPresent: group.facts.notificationUUID)
    output.member("notification_type", ifPresent: group.lead.notification_type)
    let transaction = group.facts.transaction
    output.member("productId", ifPresent: transaction?.productId)
    output.member("webOrderLineItemId", ifPresent: transaction?.webOrderLineItemId)
    output.member("expiresDate", ifPresent: transaction?.expiresDate?.milliseconds)
    output.member("autoRenewProductId", ifPresent: group.facts.renewal?.autoRenewProductId)
    output.member("rule", ifPresent: group.rule)
    output.member("confidence", ifPresent: group.confidence?.rawValue)
    if !group.candidates.isEmpty { output.array("candidates", group.candidates) { $0.write(to: output) } }
    output.member("absorbed", ifPresent: group.absorbedInto)
    if !group.companions.isEmpty { output.member("companions", group.companions.count) }
    close(output)
    for companion in group.companions {
      open("companion", id, to: output)
      output.member("time", ifPresent: companion.time)
      output.member("notificationUUID", ifPresent: companion.notificationUUID)
      output.member("notification_type", ifPresent: companion.event.notification_type)
      output.member("rule", companion.rule)
      output.member("lead", ifPresent: group.facts.notificationUUID)
      close(output)
    }
  }

  func gap(_ gap: Gap, of id: String?, to output: JSONWriter) {
    open("gap", id, to: output)
    output.member("time", ifPresent: gap.time)
    output.member("timeIs", gap.timing.rawValue)
    add(gap.event, to: output)
    if !gap.candidates.isEmpty {
      output.list("candidates", gap.candidates) { add($0, to: output) }
    }
    output.member("productId", ifPresent: gap.productId)
    output.member("expiresDate", ifPresent: gap.expires)
    output.member("trace", gap.trace)
    output.member("rule", gap.rule)
    output.member("confidence", gap.confidence.rawValue)
    output.member("source", gap.source)
    output.member("meaning", gap.meaning)
    output.member("comparable", gap.isComparable)
    close(output)
  }

  func transaction(_ transaction: TimelineTransaction, of id: String?, to output: JSONWriter) {
    open("transaction", id, to: output)
    output.member("time", ifPresent: transaction.purchaseDate)
    output.member("transactionId", ifPresent: transaction.transactionId)
    output.member("webOrderLineItemId", ifPresent: transaction.webOrderLineItemId)
    output.member("productId", ifPresent: transaction.productId)
    output.member("expiresDate", ifPresent: transaction.expiresDate)
    output.member("revocationDate", ifPresent: transaction.revocationDate)
    output.member("isOfOrder", transaction.isOfOrder)
    close(output)
  }

  func end(_ summary: SubscriptionSummary, to output: JSONWriter) {
    open("end", summary.originalTransactionId, to: output)
    output.member("products", summary.products)
    output.member("first", ifPresent: summary.first)
    output.member("last", ifPresent: summary.last)
    output.member("messages", summary.counts.read)
    output.member("events", summary.counts.leads)
    output.member("absorbed", summary.counts.absorbed)
    output.member("duplicate", summary.counts.duplicate)
    output.member("unreadable", summary.counts.unreadable)
    output.member("gaps", summary.gaps)
    close(output)
  }

  func legend(_ events: [ServerEvent], to output: JSONWriter) {
    for event in events {
      open("legend", nil, to: output)
      add(event.event, to: output)
      output.member("rule", event.id)
      output.member("confidence", event.confidence.rawValue)
      output.member("source", event.source)
      output.member("meaning", event.trace)
      close(output)
    }
  }

  // MARK: members

  private func open(_ kind: String, _ id: String?, to output: JSONWriter) {
    output.byte(UInt8(ascii: "{"))
    output.member("originalTransactionId", ifPresent: id)
    output.member("kind", kind)
  }

  private func close(_ output: JSONWriter) { output.raw("}\n") }

  private func add(_ event: EventName?, to output: JSONWriter) {
    output.member("notificationType", ifPresent: event?.notificationType)
    output.member("subtype", ifPresent: event?.subtype)
  }
}
