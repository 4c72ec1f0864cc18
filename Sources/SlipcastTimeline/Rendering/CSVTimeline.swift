internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Timelines as CSV: one row for each event, merged message and gap.
struct CSVTimeline: TimelineForm {
  private static let columns = TimelineWriter.table.columns.map(\.name)

  func open(_ output: JSONWriter) { output.raw(CSVText.row(Self.columns)) }

  func begin(_ summary: SubscriptionSummary, to output: JSONWriter) {}
  func end(_ summary: SubscriptionSummary, to output: JSONWriter) {}
  func legend(_ events: [ServerEvent], to output: JSONWriter) {}

  func event(_ group: EventGroup, of id: String?, to output: JSONWriter) {
    let (facts, transaction) = (group.facts, group.facts.transaction)
    let candidates = group.candidates.map { candidate in
      [candidate.notificationType?.rawValue, candidate.subtype?.rawValue].compactMap(\.self).joined(separator: "/")
    }
    write(
      [
        "originalTransactionId": id, "kind": "event", "time": date(group.time), "timeSource": group.timeSource.rawValue,
        "notificationType": group.event?.notificationType, "subtype": group.event?.subtype,
        "notificationUUID": facts.notificationUUID, "notification_type": group.lead.notification_type,
        "bundleId": facts.bundleId, "environment": facts.environment, "productId": transaction?.productId,
        "webOrderLineItemId": transaction?.webOrderLineItemId,
        "expiresDate": date(transaction?.expiresDate?.milliseconds),
        "autoRenewProductId": facts.renewal?.autoRenewProductId, "rule": group.rule,
        "confidence": group.confidence?.rawValue, "candidates": candidates.joined(separator: " "),
        "absorbedInto": group.absorbedInto, "companions": String(group.companions.count),
      ], to: output)
    for companion in group.companions {
      write(
        [
          "originalTransactionId": id, "kind": "companion", "time": date(companion.time),
          "notificationUUID": companion.notificationUUID, "notification_type": companion.event.notification_type,
          "rule": companion.rule, "lead": facts.notificationUUID,
        ], to: output)
    }
  }

  func gap(_ gap: Gap, of id: String?, to output: JSONWriter) {
    write(
      [
        "originalTransactionId": id, "kind": "gap", "time": date(gap.time),
        "timeSource": gap.timing.rawValue, "notificationType": gap.event.notificationType,
        "subtype": gap.event.subtype, "productId": gap.productId, "expiresDate": date(gap.expires),
        "candidates": gap.candidates.map(\.description).joined(separator: " "), "rule": gap.rule,
        "confidence": gap.confidence.rawValue, "trace": gap.trace,
        "source": gap.source, "meaning": gap.meaning, "comparable": gap.isComparable ? "true" : "false",
      ], to: output)
  }

  func transaction(_ transaction: TimelineTransaction, of id: String?, to output: JSONWriter) {
    write(
      [
        "originalTransactionId": id, "kind": "transaction", "time": date(transaction.purchaseDate),
        "bundleId": transaction.bundleId, "environment": transaction.environment, "productId": transaction.productId,
        "webOrderLineItemId": transaction.webOrderLineItemId, "expiresDate": date(transaction.expiresDate),
        "transactionId": transaction.transactionId, "revocationDate": date(transaction.revocationDate),
        "isOfOrder": transaction.isOfOrder ? "true" : "false",
      ], to: output)
  }

  private func write(_ cells: [String: String?], to output: JSONWriter) {
    output.raw(CSVText.row(Self.columns.map { (cells[$0] ?? nil) ?? "" }))
  }

  private func date(_ milliseconds: Int64?) -> String? {
    milliseconds.map { Timestamp(milliseconds: $0).description }
  }
}
