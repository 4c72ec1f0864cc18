internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Timelines for programs: one JSON object a line.
struct JSONTimeline: TimelineForm {
  func begin(_ summary: SubscriptionSummary, to output: JSONWriter) {
    open("subscription", summary.originalTransactionId, to: output)
    add("bundleId", summary.bundleId, to: output)
    add("environment", summary.environment, to: output)
    close(output)
  }

  func event(_ group: EventGroup, of id: String?, to output: JSONWriter) {
    open("event", id, to: output)
    add("time", group.time, to: output)
    output.member("timeSource", group.timeSource.rawValue)
    add(group.event, to: output)
    add("notificationUUID", group.facts.notificationUUID, to: output)
    add("notification_type", group.lead.notification_type, to: output)
    let transaction = group.facts.transaction
    add("productId", transaction?.productId, to: output)
    add("webOrderLineItemId", transaction?.webOrderLineItemId, to: output)
    add("expiresDate", transaction?.expiresDate?.milliseconds, to: output)
    add("rule", group.rule, to: output)
    add("confidence", group.confidence?.rawValue, to: output)
    addCandidates(group.candidates, to: output)
    add("absorbed", group.absorbedInto, to: output)
    if !group.companions.isEmpty { output.member("companions", group.companions.count) }
    close(output)
    for companion in group.companions {
      open("companion", id, to: output)
      add("time", companion.time, to: output)
      add("notificationUUID", companion.notificationUUID, to: output)
      add("notification_type", companion.event.notification_type, to: output)
      output.member("rule", companion.rule)
      add("lead", group.facts.notificationUUID, to: output)
      close(output)
    }
  }

  func gap(_ gap: Gap, of id: String?, to output: JSONWriter) {
    open("gap", id, to: output)
    add("time", gap.time, to: output)
    output.member("timeIs", gap.isLatest ? "latest" : "exact")
    add(gap.event, to: output)
    output.member("trace", gap.trace)
    output.member("rule", gap.rule)
    output.member("confidence", gap.confidence.rawValue)
    output.member("source", gap.source)
    output.member("meaning", gap.meaning)
    output.key("comparable")
    output.boolean(gap.isComparable)
    close(output)
  }

  func end(_ summary: SubscriptionSummary, to output: JSONWriter) {
    open("end", summary.originalTransactionId, to: output)
    output.key("products")
    output.byte(UInt8(ascii: "["))
    for product in summary.products {
      output.comma()
      output.text(product)
    }
    output.byte(UInt8(ascii: "]"))
    add("first", summary.first, to: output)
    add("last", summary.last, to: output)
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
    add("originalTransactionId", id, to: output)
    output.member("kind", kind)
  }

  private func close(_ output: JSONWriter) { output.raw("}\n") }

  private func add(_ name: String, _ text: String?, to output: JSONWriter) {
    if let text { output.member(name, text) }
  }

  private func add(_ name: String, _ number: Int64?, to output: JSONWriter) {
    guard let number else { return }
    output.key(name)
    output.integer(number)
  }

  private func add(_ event: EventName?, to output: JSONWriter) {
    add("notificationType", event?.notificationType, to: output)
    add("subtype", event?.subtype, to: output)
  }

  private func addCandidates(_ candidates: [MigrationCandidate], to output: JSONWriter) {
    guard !candidates.isEmpty else { return }
    output.key("candidates")
    output.byte(UInt8(ascii: "["))
    for candidate in candidates {
      output.comma()
      candidate.write(to: output)
    }
    output.byte(UInt8(ascii: "]"))
  }
}
