import SlipcastMapping
import SlipcastV2
import SlipcastWire
import Testing

/// The end of a window or limit: a record so far apart, and what is read one second inside, at and outside of it.
struct WindowEdge: CustomTestStringConvertible, Sendable {
  let window: String
  /// A record with so many milliseconds between what the window compares.
  let record: @Sendable (_ distance: Int64, _ isSandbox: Bool) -> String
  /// The word that shows which side was read.
  let read: @Sendable (Conversion) -> String?
  /// Milliseconds after the length of the window, and the word that is read there; it depends on the tolerance.
  let points: @Sendable (_ tolerance: Int64) -> [Point]
  typealias Point = (offset: Int64, word: String?)
  /// When the record is received, after `Lines.start`; `nil` for not known.
  var received: (@Sendable (_ distance: Int64, _ isSandbox: Bool) -> Int64)?
  var emission = Emission.auto

  var testDescription: String { window }

  private static let second: Int64 = 1000

  /// A window without a tolerance.
  static func sharp(
    _ window: String, _ inside: String?, _ outside: String?, read: @escaping @Sendable (Conversion) -> String?,
    received: (@Sendable (Int64, Bool) -> Int64)? = nil, record: @escaping @Sendable (Int64, Bool) -> String
  ) -> WindowEdge {
    let points: [Point] = [(-second, inside), (0, inside), (second, outside)]
    return WindowEdge(
      window: "decision.window." + window, record: record, read: read, points: { _ in points }, received: received)
  }

  static func confidence(_ conversion: Conversion) -> String? { conversion.confidence.rawValue }
  static func type(_ conversion: Conversion) -> String? { conversion.notification?.notificationType?.rawValue }
  static func transaction(_ conversion: Conversion) -> JWSTransactionDecodedPayload? {
    conversion.notification?.data?.transactionInfo
  }
  static func reason(_ conversion: Conversion) -> String? { transaction(conversion)?.transactionReason?.rawValue }
  static func status(_ conversion: Conversion) -> String? {
    conversion.notification?.data?.status.map { "\($0.rawValue)" }
  }
  /// When the series began: at the first listed purchase, or later.
  static func start(_ conversion: Conversion) -> String? {
    let item = conversion.statuses?.data?.first?.lastTransactions?.first
    let renewal = conversion.notification?.data?.renewalInfo ?? item?.renewalInfo
    return renewal?.recentSubscriptionStartDate.map { $0.milliseconds == Lines.start ? "first" : "later" }
  }

  // MARK: what happened

  static let all = purchases + cancellations + changes

  private static let purchases: [WindowEdge] = [
    sharp("early", "RENEWAL", nil, read: reason) { Lines.second(-$0, $1, periods: 4) },
    sharp("gap", "RENEWAL", nil, read: reason) { Lines.second($0, $1) },
    sharp("first", "documented", "ambiguous", read: confidence) {
      Lines.note("INITIAL_BUY", [Lines.row(1, at: 0, $1, original: -$0)], $1)
    },
    sharp("original", "first", nil, read: start) {
      Lines.note("DID_CHANGE_RENEWAL_PREF", [Lines.row(2, at: 0, $1, original: $0)], $1)
    },
    WindowEdge(
      window: "decision.window.retry", record: { Lines.second($0, $1) }, read: start,
      points: { around in
        [
          (-around - second, "first"), (-around, nil), (0, nil), (around, nil), (around + second, "later"),
        ]
      }, emission: .statuses),
    // The upgraded period ended long before the other product was bought.
    WindowEdge(
      window: "decision.window.grace",
      record: { Lines.second($0, $1, "INTERACTIVE_RENEWAL", product: "yearly", ended: #","is_upgraded":"true""#) },
      read: confidence,
      points: { around in
        [(-around - second, "documented"), (-around, "inferred"), (0, "inferred"), (around + second, "inferred")]
      }),
  ]

  private static let cancellations: [WindowEdge] = [
    sharp("action", "inferred", "documented", read: confidence) { Lines.cancel($0, $1) },
    sharp("upgrade", "DID_CHANGE_RENEWAL_PREF", "REFUND", read: type) {
      Lines.cancel($0, $1, more: #","is_upgraded":"true""#)
    },
    sharp("refund", "REFUND", "DID_CHANGE_RENEWAL_STATUS", read: type) { distance, isSandbox in
      let half = Lines.month(isSandbox) / 2
      let row = Lines.row(1, at: 0, isSandbox, Lines.cancelled(half))
      return Lines.status(false, at: half + distance, [row], isSandbox)
    },
    sharp("delivery", "73000160001", "73000160002", read: { transaction($0)?.transactionId }) { distance, isSandbox in
      let half = Lines.month(isSandbox) / 2
      return Lines.note(
        "CANCEL",
        [
          Lines.row(2, at: half + distance, isSandbox), Lines.row(1, at: 0, isSandbox, Lines.cancelled(half)),
        ], isSandbox)
    },
  ]

  private static let changes: [WindowEdge] = [
    sharp("companion", "documented", "inferred", read: confidence) { distance, isSandbox in
      let later = 4 * Lines.month(isSandbox)
      let rows = [Lines.row(2, at: later, isSandbox), Lines.row(1, at: 0, isSandbox)]
      return Lines.status(true, at: later + distance, rows, isSandbox)
    },
    WindowEdge(
      window: "decision.window.retryEnd.from", record: Lines.retryEnd, read: confidence,
      points: { around in
        [
          (-around - second, "ambiguous"), (-around, "inferred"), (-second, "inferred"), (0, "documented"),
        ]
      }),
    WindowEdge(
      window: "decision.window.retryEnd.until", record: Lines.retryEnd, read: confidence,
      points: { around in
        let within: [Point] = around > 0 ? [(second, "inferred"), (around, "inferred")] : []
        return [(0, "documented")] + within + [(around + second, "ambiguous")]
      }),
    // A delivery that comes later is a repeated one: its status is that of the event.
    sharp(
      "server", "3", "4", read: status, received: { Lines.month($1) + $0 },
      record: { _, isSandbox in
        let grace = Lines.start + Lines.month(isSandbox) + 1_800_000
        let entry =
          #","is_in_billing_retry_period":"1","expiration_intent":"2","grace_period_expires_date_ms":"\#(grace)""#
        return Lines.note("DID_FAIL_TO_RENEW", [Lines.row(1, at: 0, isSandbox)], isSandbox, entry: entry)
      }),
  ]
}

/// Records of one subscription, with dates after a start.
enum Lines {
  static let start: Int64 = 1_656_633_600_000

  /// Sandbox periods are shorter, and longer than each of its windows.
  static func month(_ isSandbox: Bool) -> Int64 { (isSandbox ? 24 : 30 * 24) * 3_600_000 }

  /// - Parameters:
  ///   - at: the purchase date.
  ///   - original: the date of the original purchase.
  static func row(
    _ number: Int, at date: Int64, _ isSandbox: Bool, _ more: String = "", product: String = "monthly",
    original: Int64 = 0, periods: Int64 = 1
  ) -> String {
    """
    {"product_id":"com.example.slipcast.\(product)","transaction_id":"7300016000\(number)",\
    "original_transaction_id":"73000160001","web_order_line_item_id":"7390016000\(number)","quantity":"1",\
    "purchase_date_ms":"\(start + date)","original_purchase_date_ms":"\(start + original)",\
    "expires_date_ms":"\(start + date + periods * month(isSandbox))","in_app_ownership_type":"PURCHASED",\
    "subscription_group_identifier":"21740510"\(more)}
    """
  }

  static func cancelled(_ date: Int64) -> String {
    #","cancellation_date_ms":"\#(start + date)","cancellation_reason":"0""#
  }

  static func note(
    _ type: String, _ rows: [String], _ isSandbox: Bool, entry: String = "", isOn: Bool = true, body: String = ""
  ) -> String {
    """
    {"notification_type":"\(type)","environment":"\(isSandbox ? "Sandbox" : "PROD")","bid":"com.example.slipcast",\
    "auto_renew_product_id":"com.example.slipcast.monthly","auto_renew_status":"\(isOn)",\
    "original_transaction_id":73000160001\(body),"unified_receipt":{"status":0,\
    "environment":"\(isSandbox ? "Sandbox" : "Production")","latest_receipt_info":[\(rows.joined(separator: ","))],\
    "pending_renewal_info":[{"auto_renew_product_id":"com.example.slipcast.monthly",\
    "product_id":"com.example.slipcast.monthly","original_transaction_id":"73000160001",\
    "auto_renew_status":"\(isOn ? 1 : 0)"\(entry)}]}}
    """
  }

  /// A second purchase, so long after the end of the first period.
  static func second(
    _ distance: Int64, _ isSandbox: Bool, _ type: String = "DID_CHANGE_RENEWAL_PREF", product: String = "monthly",
    ended: String = "", periods: Int64 = 1
  ) -> String {
    let end = periods * month(isSandbox)
    let rows = [
      row(2, at: end + distance, isSandbox, product: product), row(1, at: 0, isSandbox, ended, periods: periods),
    ]
    return note(type, rows, isSandbox)
  }

  /// A CANCEL so long after another product was bought.
  static func cancel(_ distance: Int64, _ isSandbox: Bool, more: String = "") -> String {
    let half = month(isSandbox) / 2
    let rows = [
      row(2, at: half, isSandbox, product: "yearly"), row(1, at: 0, isSandbox, cancelled(half + distance) + more),
    ]
    return note("CANCEL", rows, isSandbox, body: #","web_order_line_item_id":"73900160001""#)
  }

  static func status(
    _ isOn: Bool, at date: Int64, _ rows: [String], _ isSandbox: Bool, entry: String = ""
  ) -> String {
    note(
      "DID_CHANGE_RENEWAL_STATUS", rows, isSandbox, entry: entry, isOn: isOn,
      body: #","auto_renew_status_change_date_ms":"\#(start + date)""#)
  }

  /// Auto-renew off so long after the expiry, in a body that says why it expired.
  @Sendable static func retryEnd(_ distance: Int64, _ isSandbox: Bool) -> String {
    status(
      false, at: month(isSandbox) + distance, [row(1, at: 0, isSandbox)], isSandbox,
      entry: #","expiration_intent":"2","is_in_billing_retry_period":"0""#)
  }
}
