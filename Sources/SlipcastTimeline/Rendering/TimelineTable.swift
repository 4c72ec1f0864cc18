package import SlipcastBulk

extension TimelineWriter {
  /// The columns of `--format csv` with their types.
  package static let table = TableDescription(
    "timeline", about: "One row for each event, merged message and gap of timeline --to FILE.csv.",
    columns: [
      TableColumn("originalTransactionId", .text),
      TableColumn("kind", .text, about: "event, companion, gap or transaction"),
      TableColumn("time", .time),
      TableColumn("timeSource", .text),
      TableColumn("notificationType", .text),
      TableColumn("subtype", .text),
      TableColumn("notificationUUID", .text),
      TableColumn("notification_type", .text, about: "V1's type"),
      TableColumn("bundleId", .text),
      TableColumn("environment", .text),
      TableColumn("productId", .text),
      TableColumn("webOrderLineItemId", .text),
      TableColumn("expiresDate", .time),
      TableColumn("autoRenewProductId", .text),
      TableColumn("rule", .text),
      TableColumn("confidence", .text),
      TableColumn("candidates", .list),
      TableColumn("absorbedInto", .text, about: "notificationUUID of the event that the message belongs to"),
      TableColumn("companions", .integer32, about: "how many messages were merged into the event"),
      TableColumn("lead", .text, about: "notificationUUID of the event of a companion"),
      TableColumn("trace", .text, about: "what shows an event that V1 never sent"),
      TableColumn("source", .text),
      TableColumn("meaning", .text),
      TableColumn("comparable", .boolean, about: "V2 existed when it happened"),
      TableColumn("transactionId", .text),
      TableColumn("revocationDate", .time),
      TableColumn("isOfOrder", .boolean, about: "the order of --order holds it"),
    ])
}
