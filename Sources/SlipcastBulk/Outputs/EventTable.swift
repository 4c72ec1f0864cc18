internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Converted records as rows of CSV: one for each event; of an answer one for each transaction or subscription.
package enum EventTable {
  /// The header row with its line end.
  package static let header = CSVText.row(columns.map(\.name) + accountNames)

  /// One column, and where its value is: the first of these objects that has it counts.
  private struct Column: Sendable {
    let name: String
    let places: [(part: ObjectPart, slot: Int)]
    let isDate: Bool

    init(_ name: String, _ member: String? = nil, _ parts: ObjectPart...) {
      let member = member ?? name
      self.name = name
      places = parts.compactMap { part in part.layout.slot(member).map { (part, $0) } }
      isDate = places.first.map { $0.part.layout.kinds[$0.slot] == .milliseconds } ?? false
    }
  }

  private static let accountNames = ["rule", "confidence", "candidates", "absorbedInto"]

  // The id comes first: some ids are decided when the row is written already, and replaced in it.
  private static let columns: [Column] =
    ["notificationUUID", "notificationType", "subtype", "signedDate"].map { Column($0, nil, .notification) }
    + ["environment", "bundleId", "appAppleId"].map { Column($0, nil, .data, .history, .statuses, .transaction) }
    + [
      Column("status", nil, .data, .item), Column("originalTransactionId", nil, .transaction, .renewal, .item),
      Column("subscriptionGroupIdentifier", nil, .transaction, .group),
    ]
    + [
      "transactionId", "webOrderLineItemId", "productId", "type", "inAppOwnershipType", "purchaseDate",
      "originalPurchaseDate", "expiresDate", "quantity", "appAccountToken", "transactionReason", "isUpgraded",
      "revocationDate", "revocationReason", "offerType", "offerIdentifier", "offerDiscountType", "storefront", "price",
      "currency",
    ].map { Column($0, nil, .transaction) }
    + [
      "autoRenewStatus", "autoRenewProductId", "expirationIntent", "isInBillingRetryPeriod", "gracePeriodExpiresDate",
      "priceIncreaseStatus", "renewalDate", "recentSubscriptionStartDate",
    ].map { Column($0, nil, .renewal) }
    + [
      Column("renewalOfferType", "offerType", .renewal), Column("renewalOfferIdentifier", "offerIdentifier", .renewal),
    ]

  /// Appends the rows of a record; the last one ends before its line feed, and a record without rows appends nothing.
  static func write(_ tree: ConversionTree, _ migration: Migration?, to writer: JSONWriter) {
    let account = cells(of: migration)
    var isFirst = true
    forEachRow(of: tree) { rows in
      if !isFirst { writer.raw("\n") }
      isFirst = false
      let values = columns.map { column in
        for (part, slot) in column.places {
          if let cell = rows[part]?[slot] { return text(cell, isDate: column.isDate) }
        }
        return ""
      }
      let row = CSVText.row(values + account)
      writer.raw(String(row.unicodeScalars.dropLast()))
    }
  }

  private static func forEachRow(of tree: ConversionTree, _ use: ([ObjectPart: CellRow]) -> Void) {
    var rows: [ObjectPart: CellRow] = [:]
    var isOpen = false
    func close() {
      if isOpen { use(rows) }
      isOpen = false
    }
    for object in tree.objects where !object.row.isEmpty || object.part == .notification {
      switch (tree.form, object.part) {
      case (.history, .transaction), (.statuses, .item), (_, .notification):
        close()
        rows[.transaction] = nil
        rows[.renewal] = nil
        isOpen = true
      case (.statuses, .group): close()
      default: break
      }
      rows[object.part] = object.row
    }
    close()
  }

  private static func text(_ cell: Cell, isDate: Bool) -> String {
    switch cell.kind {
    case .text: cell.text?.string ?? ""
    case .integer: isDate ? Timestamp(milliseconds: cell.integer).description : String(cell.integer)
    case .boolean: cell.integer != 0 ? "true" : "false"
    case .row, .list, .mismatched: ""
    }
  }

  private static func cells(of migration: Migration?) -> [String] {
    let candidates = (migration?.candidates ?? []).map { candidate in
      [candidate.notificationType?.rawValue, candidate.subtype?.rawValue].compactMap(\.self).joined(separator: "/")
    }
    return [
      migration?.rule ?? "", migration?.confidence?.rawValue ?? "", candidates.joined(separator: " "),
      migration?.absorbed?.into ?? "",
    ]
  }
}

/// Decoded lines as rows of CSV, for lines that are made of several records.
package final class EventTableLines {
  private let reader = NestedReader(JSONLimits())
  private let tree = ConversionTree()
  private let writer = JSONWriter(capacity: 4096)

  package init() {}

  /// The row of a line, without its line feed.
  ///
  /// - Throws: `JSONError` for a line that is no JSON.
  package func row(_ line: [UInt8]) throws -> [UInt8] {
    let root = JSONElement(tape: try reader.read(held: line))
    guard tree.read(root) else { return [] }
    writer.clear()
    EventTable.write(tree, root["migration"].flatMap { try? Migration(element: $0) }, to: writer)
    return writer.bytes
  }
}
