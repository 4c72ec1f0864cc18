@_spi(Slipcast) package import SlipcastWire

/// Reads legacy records from tapes, tolerantly: every drift becomes a finding, only unusable records are rejected.
///
/// Use a reader on one thread only; it refills its record each time.
package final class LegacyReader {
  package let record: LegacyRecord
  private let objects: LegacyObjectReader

  package init() {
    record = LegacyRecord(tape: JSONTape.empty)
    objects = LegacyObjectReader()
  }

  /// Reads the record whose object is at `root` on the tape.
  ///
  /// - Throws: `LegacyError` when the value is not a legacy record or has no usable content.
  package func read(_ tape: JSONTape, root: Int = 0) throws(LegacyError) {
    record.tape = tape
    record.root = root
    record.rows.clear()
    record.findings.removeAll(keepingCapacity: true)
    (record.transactions, record.inApp, record.renewals) = (0..<0, 0..<0, 0..<0)
    (record.unifiedReceipt, record.receipt, record.flat, record.flatIsExpired) = (nil, nil, nil, false)
    guard tape[root].kind == .object else {
      throw fault(.wrongKind(expected: "a JSON object", found: tape[root].kind.description), root)
    }
    record.form = try form(root)
    switch record.form {
    case .notification: try readNotification(root)
    case .verifyReceipt: try readAnswer(root)
    }
  }

  private func fault(_ reason: LegacyError.Reason, _ index: Int) -> LegacyError {
    LegacyError(reason: reason, path: record.path(index), offset: record.tape.range(index).lowerBound)
  }

  // MARK: recognizing

  private func form(_ root: Int) throws(LegacyError) -> LegacyForm {
    var isNotification = false
    var isAnswer = false
    var unified: Int?
    let end = Int(record.tape[root].nextOrSide)
    var child = root + 1
    while child < end {
      switch LegacyKey(rawValue: UInt8(truncatingIfNeeded: record.tape[child].key)) {
      case .notification_type where record.tape[child].key != JSONEntry.unknownKey: isNotification = true
      case .receipt, .status, .in_app, .latest_receipt_info, .latest_expired_receipt_info, .receipt_type:
        isAnswer = true
      case .unified_receipt: unified = child
      case .signedPayload, .notificationType, .signedTransactionInfo, .signedTransactions:
        // The order of keys has no meaning.
        guard has(.notification_type, from: child, to: end) else {
          throw fault(.otherFormat(found: "a version 2 object"), child)
        }
        isNotification = true
      default: break
      }
      if isNotification { return .notification }
      child = record.tape.after(child)
    }
    if unified != nil { throw fault(.missing(expected: "notification_type next to unified_receipt"), root) }
    guard isAnswer else { throw fault(.unknownRecord, root) }
    return .verifyReceipt
  }

  private func has(_ key: LegacyKey, from start: Int, to end: Int) -> Bool {
    var child = start
    while child < end {
      if record.tape[child].key == UInt16(key.rawValue) { return true }
      child = record.tape.after(child)
    }
    return false
  }

  // MARK: notification

  private func readNotification(_ root: Int) throws(LegacyError) {
    record.body = objects.read(record, root, .responseBodyV1)
    let type = record.rows.slot(record.body, .notification_type)
    guard type != 0, record.tape[type].kind == .string else {
      guard type != 0 else { throw fault(.missing(expected: "a string in notification_type"), root) }
      throw fault(.wrongKind(expected: "a string", found: record.tape[type].kind.description), type)
    }
    readFlat(record.body)
    let unified = record.rows.slot(record.body, .unified_receipt)
    if unified != 0 {
      if record.tape[unified].kind == .object {
        let row = objects.read(record, unified, .unified_receipt)
        record.unifiedReceipt = row
        record.transactions = objects.readList(of: record, row, .latest_receipt_info, as: .latest_receipt_info)
        record.renewals = objects.readList(of: record, row, .pending_renewal_info, as: .pending_renewal_info)
      } else if record.flat == nil {
        throw fault(.wrongKind(expected: "an object", found: record.tape[unified].kind.description), unified)
      }
    }
    if record.renewals.isEmpty {
      record.renewals = objects.readList(of: record, record.body, .pending_renewal_info, as: .pending_renewal_info)
      if !record.renewals.isEmpty {
        record.findings.append(LegacyFinding(.misplacedKey, record.rows.slot(record.body, .pending_renewal_info)))
      }
    }
    let hasName = [LegacyKey.original_transaction_id, .web_order_line_item_id].contains {
      record.rows.slot(record.body, $0) != 0
    }
    if record.unifiedReceipt == nil, record.flat == nil, record.transactions.isEmpty, !hasName, record.renewals.isEmpty
    {
      throw fault(.noContent, root)
    }
  }

  /// The flat object of old bodies: `latest_receipt_info`, or `latest_expired_receipt_info` after it expired.
  private func readFlat(_ body: Int) {
    for key in [LegacyKey.latest_receipt_info, .latest_expired_receipt_info] {
      let list = objects.readList(of: record, body, key, as: .latest_receipt_info, expectsObject: true)
      guard let first = list.first else { continue }
      if list.count > 1 {
        record.transactions = list
      } else {
        record.flat = first
      }
      record.flatIsExpired = key == .latest_expired_receipt_info
      return
    }
  }

  // MARK: verifyReceipt

  private func readAnswer(_ root: Int) throws(LegacyError) {
    record.body = objects.read(record, root, .verifyReceipt)
    let receipt = record.rows.slot(record.body, .receipt)
    if receipt != 0, record.tape[receipt].kind == .object {
      if isTransaction(receipt) {
        record.flat = objects.read(record, receipt, .latest_receipt_info)
      } else {
        let row = objects.read(record, receipt, .receipt)
        record.receipt = row
        record.inApp = objects.readList(of: record, row, .in_app, as: .latest_receipt_info)
      }
    } else if receipt != 0 {
      throw fault(.wrongKind(expected: "an object", found: record.tape[receipt].kind.description), receipt)
    }
    record.transactions = objects.readList(
      of: record, record.body, .latest_receipt_info, as: .latest_receipt_info, allowsObject: record.receipt == nil)
    if record.transactions.isEmpty {
      record.transactions = objects.readList(
        of: record, record.body, .latest_expired_receipt_info, as: .latest_receipt_info, allowsObject: true)
    }
    record.renewals = objects.readList(of: record, record.body, .pending_renewal_info, as: .pending_renewal_info)
    try requireContent(root)
  }

  /// Any object may have a `status`: an answer carries a receipt or transactions, or one of verifyReceipt's error codes.
  private func requireContent(_ root: Int) throws(LegacyError) {
    if let status = record.integer(record.body, .status), status >= 21000, status < 21200 { return }
    let hasReceipt = record.receipt.map { record.tape[record.rows.origin($0)].length > 0 } ?? false
    guard hasReceipt || record.flat != nil || !record.transactions.isEmpty else { throw fault(.unknownRecord, root) }
  }

  /// An iOS 6 style `receipt` is itself one transaction; an iOS 7 one contains `in_app`, whatever else it contains.
  private func isTransaction(_ receipt: Int) -> Bool {
    let end = Int(record.tape[receipt].nextOrSide)
    var (child, hasID) = (receipt + 1, false)
    while child < end {
      switch LegacyKey(rawValue: UInt8(truncatingIfNeeded: record.tape[child].key)) {
      case .transaction_id, .product_id, .original_transaction_id: hasID = true
      case .in_app: return false
      default: break
      }
      child = record.tape.after(child)
    }
    return hasID
  }
}
