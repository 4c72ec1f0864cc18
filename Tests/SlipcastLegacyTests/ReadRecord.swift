import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire

@_spi(Slipcast) @testable import SlipcastLegacy

/// A legacy record that was read: keeps text, tape and rows alive together.
final class ReadRecord {
  private let text: ReadText
  private let reader = LegacyReader()
  var record: LegacyRecord { reader.record }

  /// Reads the record at the value behind some keys; without keys at the root.
  init(_ json: String, under keys: [String] = []) throws {
    text = try ReadText(json, names: LegacyKey.names)
    var root = text.root
    for key in keys { root = root[key] ?? root }
    try reader.read(text.tape, root: root.index)
  }

  /// All findings as `drift path`.
  var findings: [String] { record.findings.map { "\($0.drift) \(record.path(Int($0.index)))" } }

  /// The first row of `latest_receipt_info`.
  var transaction: Int { record.transactions.lowerBound }
  var renewal: Int { record.renewals.lowerBound }

  func string(_ row: Int, _ key: LegacyKey) -> String? { record.text(row, key)?.string }

  /// The dotted path of the value that an instant was read from.
  func source(_ row: Int, _ date: LegacyInstant) -> String {
    record.path(record.rows.source(row, date)).description
  }
}

/// Bodies as Apple sends them today: nothing in them drifts.
enum Body {
  static let secret = "SECRET-SLIPCAST-0123456789abcdef"

  static let transaction =
    #"{"quantity":"1","product_id":"com.example.monthly","transaction_id":"730001200471022","#
    + #""purchase_date":"2023-03-20 17:30:00 Etc/GMT","purchase_date_ms":"1679333400000","#
    + #""purchase_date_pst":"2023-03-20 10:30:00 America/Los_Angeles","#
    + #""original_purchase_date":"2023-01-20 18:30:01 Etc/GMT","original_purchase_date_ms":"1674239401000","#
    + #""original_purchase_date_pst":"2023-01-20 10:30:01 America/Los_Angeles","#
    + #""expires_date":"2023-04-20 17:30:00 Etc/GMT","expires_date_ms":"1682011800000","#
    + #""expires_date_pst":"2023-04-20 10:30:00 America/Los_Angeles","web_order_line_item_id":"730000550471006","#
    + #""is_trial_period":"false","is_in_intro_offer_period":"false","original_transaction_id":"730001200471000","#
    + #""in_app_ownership_type":"PURCHASED","subscription_group_identifier":"21740510"}"#

  static let renewal =
    #"{"auto_renew_product_id":"com.example.monthly","original_transaction_id":"730001200471000","#
    + #""product_id":"com.example.monthly","auto_renew_status":"1"}"#

  static let notification =
    #"{"notification_type":"DID_RENEW","password":"\#(secret)","environment":"PROD","#
    + #""auto_renew_product_id":"com.example.monthly","auto_renew_status":"true","unified_receipt":{"status":0,"#
    + #""environment":"Production","latest_receipt_info":[\#(transaction)],"latest_receipt":"c2xpcA==","#
    + #""pending_renewal_info":[\#(renewal)]},"bid":"com.example","bvrs":"412","#
    + #""original_transaction_id":730001200471000,"deprecation":"Mon, 1 Jan 2030 00:00:00 GMT"}"#

  static let receipt =
    #"{"receipt_type":"Production","adam_id":1,"app_item_id":1,"bundle_id":"com.example","#
    + #""application_version":"7","download_id":null,"version_external_identifier":0,"#
    + #""receipt_creation_date":"2022-11-01 09:15:38 Etc/GMT","receipt_creation_date_ms":"1667294138000","#
    + #""receipt_creation_date_pst":"2022-11-01 02:15:38 America/Los_Angeles","in_app":[\#(transaction)]}"#

  static let answer =
    #"{"status":0,"environment":"Production","receipt":\#(receipt),"latest_receipt_info":[\#(transaction)],"#
    + #""latest_receipt":"c2xpcA==","pending_renewal_info":[\#(renewal)]}"#

  /// An iOS 6 style answer, and the object that was `latest_receipt_info` in old notifications.
  static let flat =
    #"{"original_purchase_date_pst":"2023-01-20 10:30:01 America/Los_Angeles","quantity":"1","#
    + #""original_purchase_date_ms":"1674239401000","#
    + #""unique_vendor_identifier":"7E3FB20B-4CDB-47CC-936D-99D65F608138","bvrs":"7","#
    + #""expires_date_formatted":"2023-04-20 17:30:00 Etc/GMT","is_in_intro_offer_period":"false","#
    + #""purchase_date_ms":"1679333400000","expires_date_formatted_pst":"2023-04-20 10:30:00 America/Los_Angeles","#
    + #""is_trial_period":"false","item_id":"1","unique_identifier":"00008020-0011223344556677","#
    + #""original_transaction_id":"730001200471000","app_item_id":"2","expires_date":"1682011800000","#
    + #""transaction_id":"730001200471022","web_order_line_item_id":"3","version_external_identifier":"4","#
    + #""product_id":"com.example.monthly","bid":"com.example"}"#

  static let oldAnswer =
    #"{"auto_renew_status":1,"status":0,"auto_renew_product_id":"com.example.monthly","receipt":\#(flat),"#
    + #""latest_receipt_info":\#(flat),"latest_receipt":"c2xpcA=="}"#
}

extension String {
  /// The text with one piece replaced, which must be there.
  func with(_ piece: String, as other: String) -> String {
    precondition(contains(piece), "nothing to replace: \(piece)")
    guard let range = firstRange(of: piece) else { return self }
    return replacingCharacters(range, other)
  }

  private func replacingCharacters(_ range: Range<Index>, _ other: String) -> String {
    String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
  }
}
