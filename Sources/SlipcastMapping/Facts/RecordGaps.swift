@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// What the record does not show of its subscriptions, although it has something in that place.
///
/// Facts and derived values ask here, and nowhere else, before they conclude from what the lists show. A value that cannot
/// be read is neither absent nor false, and a list without older periods proves no lapse.
struct RecordGaps {
  /// The rows in which a value cannot be read that shows when a period ran, what it was, or whose it is.
  private var rows: [(row: Int, original: JSONText?, isOrder: Bool, isCancellation: Bool)] = []
  /// A part of a list of transactions cannot be read: it may have been any period.
  private(set) var isListDamaged = false
  /// A renewal entry, or whose it is, cannot be read.
  private(set) var areRenewalsDamaged = false
  /// The environment is there and cannot be read: lengths of time differ between the two.
  private(set) var isEnvironmentUnreadable = false
  /// A value that readings of events depend on is there and cannot be read, wherever it is.
  private(set) var isReadingUnclear = false
  /// What names the event's own transaction or subscription cannot be read.
  private(set) var isNameUnreadable = false
  /// What the body and the renewal entries say of the next renewal, which chooses among subscriptions, cannot be read.
  private(set) var isNextUnreadable = false
  /// The id of a row of the list cannot be read: it may be the row of any transaction elsewhere in the record.
  private(set) var isRepeatUnclear = false
  /// The list has the newest period of each subscription alone (`exclude-old-transactions`).
  private(set) var isListOfNewest = false

  /// Values that show which period is the newest one, and whose it is.
  private static let orderDates: [LegacyInstant] = [.purchase]
  private static let orderKeys: [LegacyKey] = [.original_transaction_id, .is_upgraded]
  /// Values that show what a period was.
  private static let dates: [LegacyInstant] = [.expires, .cancellation, .originalPurchase]
  private static let keys: [LegacyKey] = [.transaction_id, .product_id, .cancellation_reason]

  /// Values that show neither what a record is about nor what happened.
  private static let idleKeys: Set<LegacyKey> = [
    .quantity, .item_id, .app_item_id, .unique_identifier, .unique_vendor_identifier, .version_external_identifier,
    .bid, .bundle_id, .bvrs, .app_account_token, .auto_renew_adam_id, .latest_receipt, .latest_expired_receipt,
    .deprecation, .status, .download_id, .adam_id, .application_version, .original_application_version,
  ]
  private static let keysOfReadings = Set(LegacyKey.allCases).subtracting(idleKeys)

  private static let keysOfNext: [LegacyKey] = [.auto_renew_product_id, .auto_renew_status, .expiration_intent]

  init() {}

  /// - Parameter periods: those of all lists and flat objects.
  init(_ input: RecordInput, _ periods: [Period]) {
    let (record, type) = (input.record, input.type)
    let listLimit = input.compiled.parameters.listLimit
    isListOfNewest = Self.isListOfNewest(record, listLimit)
    if record.form == .verifyReceipt, periods.contains(where: { $0.original != nil }) {
      // What names no subscription may be a period of any.
      for period in periods where period.original == nil && period.expires != Period.none {
        rows.append((period.row, nil, true, false))
      }
    }
    guard !record.unreadable.isEmpty || !record.damagedLists.isEmpty else { return }
    isListDamaged =
      !record.damagedLists.isDisjoint(with: [.transactions, .inApp]) || Self.lacksList(record) || Self.mayRepeat(record)
    areRenewalsDamaged =
      record.damagedLists.contains(.renewals)
      || record.renewals.contains { record.isUnreadable($0, .original_transaction_id) }
    isReadingUnclear =
      isListDamaged || areRenewalsDamaged
      || record.unreadable.contains { Self.keysOfReadings.contains($0.key) && record.isUnreadable($0.row, $0.key) }
    isNameUnreadable =
      record.isUnreadable(record.body, .original_transaction_id)
      || record.isUnreadable(record.body, .web_order_line_item_id)
      || record.text(record.body, .web_order_line_item_id) != nil
        && periods.contains { record.isUnreadable($0.row, .web_order_line_item_id) }
    isRepeatUnclear = record.list.contains { record.isUnreadable($0, .transaction_id) }
    isNextUnreadable =
      areRenewalsDamaged
      || ([record.body] + record.renewals).contains { row in Self.keysOfNext.contains { record.isUnreadable(row, $0) } }
    let holders = [record.body, record.unifiedReceipt, record.receipt].compactMap(\.self)
    isEnvironmentUnreadable = holders.contains {
      record.isUnreadable($0, .environment) || record.isUnreadable($0, .receipt_type)
    }
    // A single period has no order.
    let isOrdered = periods.count > 1 || isListDamaged
    for period in periods {
      let isOrder = isOrdered && isOrderUnreadable(record, period.row, type)
      guard isOrder || Self.isUnreadable(record, period.row) else { continue }
      let isCancellation = !isOrder && !Self.isUnreadable(record, period.row, besides: .cancellation)
      rows.append((period.row, period.original, isOrder, isCancellation))
    }
  }

  private func isOrderUnreadable(_ record: LegacyRecord, _ row: Int, _ type: LegacyType) -> Bool {
    Self.orderDates.contains { record.isUnreadable(row, $0) }
      || Self.orderKeys.contains { record.isUnreadable(row, $0) }
      || type.is(.reversal) && record.isUnreadable(row, .cancellation)
      || record.form == .notification && record.isUnreadable(row, .product_id)
  }

  private static func isUnreadable(
    _ record: LegacyRecord, _ row: Int, besides cancellation: LegacyInstant? = nil
  ) -> Bool {
    (orderDates + dates).contains { $0 != cancellation && record.isUnreadable(row, $0) }
      || (orderKeys + keys).contains { key in
        (key != .cancellation_reason || cancellation == nil) && record.isUnreadable(row, key)
      }
  }

  /// The whole `unified_receipt` cannot be read.
  private static func lacksList(_ record: LegacyRecord) -> Bool { record.isUnreadable(record.body, .unified_receipt) }

  /// Whether the flat object is one of the list cannot be read.
  private static func mayRepeat(_ record: LegacyRecord) -> Bool {
    guard let flat = record.flat, !record.transactions.isEmpty else { return false }
    return record.isUnreadable(flat, .transaction_id)
  }

  /// Whether anything of the transactions cannot be read.
  var isDamaged: Bool { isListDamaged || !rows.isEmpty }

  /// Whether more than the end of a period cannot be read, for which facts are left open where they read it.
  var hidesFacts: Bool { isListDamaged || rows.contains { !$0.isCancellation } }

  /// A row of which the subscription cannot be read, or a part of a list, may be of any subscription.
  var hidesPeriodsOfUnknown: Bool { isListDamaged || rows.contains { $0.original == nil } }

  /// A cancellation is reported, and whose it is cannot be read.
  mutating func hideAll() { isListDamaged = true }

  /// A period of the subscription is there that cannot be read as a whole; `nil` stands for any subscription.
  func hidesPeriods(of original: JSONText?) -> Bool {
    isListDamaged || rows.contains { Self.mayBe($0.original, original) }
  }

  /// Which period of the subscription is the newest one cannot be read.
  func hidesOrder(of original: JSONText?) -> Bool {
    isListDamaged || rows.contains { $0.isOrder && Self.mayBe($0.original, original) }
  }

  private static func mayBe(_ one: JSONText?, _ other: JSONText?) -> Bool {
    guard let one, let other else { return true }
    return one == other
  }

  // MARK: lists without older periods

  /// The list was made with `exclude-old-transactions`: it lacks a period that `in_app` has, or shows one period of each
  /// subscription, and one of these is a renewal.
  private static func isListOfNewest(_ record: LegacyRecord, _ limit: Int) -> Bool {
    let list = record.list
    guard !list.isEmpty, list.count < limit else { return false }
    if isOfSingles(record, list) { return true }
    guard !record.inApp.isEmpty else { return false }
    let ids = Set(list.compactMap { record.text($0, .transaction_id) })
    let originals = Set(list.compactMap { original(record, $0) })
    return record.inApp.contains { row in
      guard let original = original(record, row), let id = record.text(row, .transaction_id) else { return false }
      return originals.contains(original) && !ids.contains(id)
    }
  }

  /// Each subscription has one period in a list, and one of these is a renewal.
  private static func isOfSingles(_ record: LegacyRecord, _ list: some Collection<Int>) -> Bool {
    var originals = TextNumbers()
    var (count, hasRenewal) = (0, false)
    for row in list {
      guard let original = original(record, row) else { continue }
      // Most lists have several periods of one subscription: their first two rows decide.
      guard originals.number(of: original) == count else { return false }
      count += 1
      if let id = record.text(row, .transaction_id), !(id == original) { hasRenewal = true }
    }
    return hasRenewal
  }

  /// The subscription of a period.
  private static func original(_ record: LegacyRecord, _ row: Int) -> JSONText? {
    guard record.rows.instant(row, .expires) != Period.none else { return nil }
    return record.text(row, .original_transaction_id)
  }
}
