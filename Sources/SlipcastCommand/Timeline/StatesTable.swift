import SlipcastBulk
import SlipcastMapping
import SlipcastTimeline
import SlipcastV2

/// The columns of `--states`: one row for each interval of a subscription.
enum StatesTable {
  struct Row {
    var interval: LifeInterval
    var originalTransactionId: String?
  }

  static let columns: [RowColumn<Row>] = [
    RowColumn("originalTransactionId", .text) { $0.originalTransactionId.map(RowValue.text) },
    RowColumn("validFrom", .time) { .time($0.interval.from) },
    RowColumn("validTo", .time, about: "exclusive; empty while nothing is known to end the state") {
      $0.interval.until.map(RowValue.time)
    },
    RowColumn("status", .integer32, about: "V2's status, 1 to 5") { code($0.interval.status) },
    RowColumn("access", .text, about: "yes, no or unknown") { .text($0.interval.access.rawValue) },
    RowColumn("reason", .text) { .text($0.interval.reason.rawValue) },
    RowColumn("productId", .text) { $0.interval.productId.map(RowValue.text) },
    RowColumn("autoRenewStatus", .integer32) { code($0.interval.autoRenewStatus) },
    RowColumn("expiresDate", .time) { $0.interval.expiresDate.map(RowValue.time) },
    RowColumn("offerType", .integer32) { code($0.interval.offerType) },
    RowColumn("confidence", .text) { .text($0.interval.confidence.rawValue) },
    RowColumn("evidence", .list, about: "the rows of the messages that show it") { .list($0.interval.evidence) },
  ]

  static let description = TableDescription(
    "states", about: "One row for each interval of a subscription (timeline --states FILE).",
    columns: columns.map(\.description))

  private static func code<Word: RawRepresentable<Int32>>(_ word: Word?) -> RowValue? {
    word.map { .integer(Int64($0.rawValue)) }
  }
}

extension RowFile<StatesTable.Row> {
  func write(_ intervals: [LifeInterval], of originalTransactionId: String?) throws {
    for interval in intervals {
      try write(Row(interval: interval, originalTransactionId: originalTransactionId))
    }
  }
}
