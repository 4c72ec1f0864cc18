import SlipcastBulk
import SlipcastComparison
import SlipcastMapping

/// The columns of `--access`: one row for each subscription or purchase whose access differs.
enum AccessTable {
  static let columns: [RowColumn<AccessChange>] = [
    RowColumn("originalTransactionId", .text) { .text($0.originalTransactionId ?? "") },
    RowColumn("productId", .text) { $0.productId.map(RowValue.text) },
    RowColumn("v1Access", .text) { .text($0.legacy.access.rawValue) },
    RowColumn("v2Access", .text) { .text($0.server.access.rawValue) },
    RowColumn("v1Until", .time, about: "when access ends or ended") { $0.legacy.until.map(RowValue.time) },
    RowColumn("v2Until", .time, about: "when access ends or ended") { $0.server.until.map(RowValue.time) },
    RowColumn("v1Reason", .text) { .text($0.legacy.reason.rawValue) },
    RowColumn("v2Reason", .text) { .text($0.server.reason.rawValue) },
    RowColumn("v1Record", .integer64) { $0.legacy.record.map(RowValue.integer) },
    RowColumn("v2Record", .integer64) { $0.server.record.map(RowValue.integer) },
    RowColumn("v1Id", .text, about: "the id of V1's row") { $0.legacy.id.map(RowValue.text) },
    RowColumn("v2Id", .text, about: "the id of V2's row") { $0.server.id.map(RowValue.text) },
  ]

  static let description = TableDescription(
    "access", about: "One row for each subscription or purchase whose access differs (parity --access FILE).",
    columns: columns.map(\.description))
}
