import Foundation
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import Testing

@testable import SlipcastBulk
@testable import SlipcastStores
@_spi(Slipcast) @testable import SlipcastWire

/// Records for stores, and places for them that are gone when the test is.
enum Samples {
  /// A notification about one subscription.
  static func notification(
    _ number: Int, subscription: String = "1000000000000001", type: String = "DID_RENEW", extra: String = ""
  ) -> String {
    """
    {"notificationType":"\(type)","notificationUUID":"\(uuid(number))","version":"2.0","signedDate":\(1_600_000_000_000 + number),\
    "data":{"appAppleId":1234567890,"bundleId":"com.example.app","bundleVersion":"312","environment":"Production","status":1,\
    "transactionInfo":{"originalTransactionId":"\(subscription)","transactionId":"\(number)","webOrderLineItemId":"9\(number)",\
    "bundleId":"com.example.app","productId":"premium","purchaseDate":1587090709000,"quantity":1,"isUpgraded":true,\
    "type":"Auto-Renewable Subscription","price":4990,"currency":"EUR"\(extra)},\
    "renewalInfo":{"originalTransactionId":"\(subscription)","autoRenewProductId":"premium","autoRenewStatus":1,\
    "isInBillingRetryPeriod":false}},"migration":{"rule":"type.\(type).any","confidence":"documented","inferred":["signedDate"]}}
    """
  }

  /// A notification with two possible readings.
  static func ambiguous(_ number: Int) -> String {
    """
    {"notificationType":"REFUND","notificationUUID":"\(uuid(number))","version":"2.0","signedDate":1600000000000,\
    "data":{"bundleId":"com.example.app","environment":"Sandbox"},"migration":{"rule":"type.CANCEL","confidence":"ambiguous",\
    "candidates":[{"notificationType":"REFUND","needs":"the time"},{"notificationType":"REVOKE","subtype":"X","needs":"the owner"}],\
    "absorbed":{"into":"DID_CHANGE_RENEWAL_PREF/UPGRADE","rule":"x"}}}
    """
  }

  static let history = """
    {"environment":"Production","bundleId":"com.example.app","appAppleId":7,"hasMore":false,"transactions":[\
    {"transactionId":"11","originalTransactionId":"10","productId":"a"},{"transactionId":"12","originalTransactionId":"10"}]}
    """

  static let statuses = """
    {"environment":"Sandbox","bundleId":"com.example.app","data":[{"subscriptionGroupIdentifier":"g","lastTransactions":[\
    {"status":2,"originalTransactionId":"10","transactionInfo":{"transactionId":"11"},"renewalInfo":{"autoRenewStatus":0}},\
    {"status":1,"originalTransactionId":"20","transactionInfo":{"transactionId":"21"}}]}]}
    """

  static func uuid(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-5000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  static func run(_ fingerprint: String = "f", sources: String = "archive.ndjson") -> RunDescription {
    RunDescription(fingerprint: fingerprint, sources: sources, version: "1.0.0")
  }

  static let remark = RepeatedFinding(
    code: "dateMismatch", severity: "warning", occurrences: 2, path: "latest_receipt_info[0]",
    message: "Two dates differ.")

  static func reject(
    _ record: Int, input: [UInt8] = Array("{".utf8), message: String = "broken", omitted: String? = nil
  ) -> Reject {
    Reject(
      source: "archive.ndjson", record: record, offset: 10, length: 5, line: record, stage: .json, code: "incomplete",
      path: "",
      message: message, input: omitted == nil ? input : [], inputOmitted: omitted)
  }

  /// Runs a body with a separate folder.
  static func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    return try body(folder.path)
  }
}

extension RecordEncoder {
  /// Encodes a decoded V2 record as lines of a store are encoded that is copied.
  @discardableResult
  func encode(_ line: String, _ note: RecordNote) throws -> StoreRefusal? {
    let text = JSONBuffer(line.utf8)
    let reader = JSONReader(names: [])
    defer { withExtendedLifetime((text, reader)) {} }
    let root = JSONElement(tape: try reader.read(text))
    let tree = EventRecord()
    try #require(tree.read(root))
    let bytes = JSONText(base: text.base, count: text.count, isVerbatim: false)
    return encode(
      EncodedRecord(line: bytes, tree: tree, migration: try root["migration"].map { try Migration(element: $0) }), note)
  }
}

extension StoreSink {
  /// Writes lines as one block; those that cannot be laid out are refused too.
  func write(
    _ lines: [String], source: String = "archive.ndjson", before: Int = 0,
    note change: (inout RecordNote) -> Void = { _ in }
  ) throws -> StoreOutcome {
    let encoder = makeEncoder()
    encoder.begin()
    var refused: [StoreOutcome.Refused] = []
    for (index, line) in lines.enumerated() {
      var note = RecordNote()
      (note.source, note.record) = (source, index + 1)
      change(&note)
      guard let refusal = try encoder.encode(line, note) else { continue }
      refused.append(
        StoreOutcome.Refused(
          source: source, record: note.record + before, message: refusal.message, line: Array(line.utf8)))
    }
    var outcome = try write(encoder, before: before)
    outcome.refused += refused
    return outcome
  }

  /// Writes lines and ends the run.
  func fill(_ lines: [String], note change: (inout RecordNote) -> Void = { _ in }) throws -> StoreOutcome {
    var outcome = try write(lines, note: change)
    outcome.add(try flush())
    try finish(.finished, counts: RunCounts())
    return outcome
  }
}

extension RowFeed {
  /// All pages as one.
  func readAll() throws -> RowPage {
    let page = RowPage()
    let part = RowPage()
    while try read(into: part) {
      for row in part.rows {
        let bytes = part.bytes
        page.append(bytes.span.extracting(row.body), id: row.id, receivedAt: row.receivedAt, note: row.note)
        page.rows[page.rows.count - 1].isNull = row.isNull
        page.rows[page.rows.count - 1].isTimeUnreadable = row.isTimeUnreadable
      }
      part.clear()
    }
    return page
  }
}

extension RowPage {
  func body(_ row: Int) -> String { String(decoding: bytes[rows[row].body], as: UTF8.self) }
}
