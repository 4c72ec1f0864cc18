@_spi(Slipcast) package import SlipcastWire

/// Reads legacy records from tapes, tolerantly: every drift becomes a finding, only unusable records are rejected.
///
/// Use a reader on one thread only; it refills its record each time.
package final class LegacyReader {
  package let record: LegacyRecord
  private let objects: LegacyObjectReader
  private let texts = NestedTexts()
  private let parts = PartialAnswers()

  package init() {
    record = LegacyRecord(tape: JSONTape.empty)
    objects = LegacyObjectReader(record)
  }

  /// Reads the record whose object is at `root` on the tape.
  ///
  /// - Throws: `LegacyError` when the value is not a legacy record or has no usable content.
  package func read(_ tape: JSONTape, root: Int = 0) throws(LegacyError) {
    do throws(LegacyError) {
      try readWholeOrPart(tape, root)
    } catch {
      // Positions in a text that was written again are not those of the record.
      guard record.tape.bytes != tape.bytes else { throw error }
      throw LegacyError(reason: error.reason, path: error.path, offset: tape.start(root))
    }
  }

  private func readWholeOrPart(_ tape: JSONTape, _ root: Int) throws(LegacyError) {
    do throws(LegacyError) {
      try readWhole(tape, root)
    } catch {
      guard error.reason == .unknownRecord || tape[root].kind == .array, let (answer, open) = parts.open(tape, root)
      else {
        throw error
      }
      try readWhole(answer, 0)
      record.parts.damagedLists.formUnion(open)
      record.note(.partialAnswer, record.root)
    }
  }

  private func readWhole(_ tape: JSONTape, _ root: Int) throws(LegacyError) {
    let opened = tape[root].kind == .object ? texts.open(tape, root) : nil
    let root = opened == nil ? root : 0
    let tape = opened ?? tape
    record.parts.tape = tape
    record.parts.root = root
    record.rows.clear()
    record.parts.findings.removeAll(keepingCapacity: true)
    if opened != nil { record.note(.textForContainer, root) }
    record.parts.unreadable.removeAll(keepingCapacity: true)
    record.parts.damagedLists = []
    (record.parts.transactions, record.parts.inApp, record.parts.renewals) = (0..<0, 0..<0, 0..<0)
    (record.parts.unifiedReceipt, record.parts.receipt) = (nil, nil)
    (record.parts.flat, record.parts.flatIsExpired, record.parts.isListFlat) = (nil, false, false)
    record.parts.isExpiredUnused = false
    guard tape[root].kind == .object else {
      throw fault(.wrongKind(expected: "a JSON object", found: tape[root].kind.description), root)
    }
    record.parts.form = try form(root)
    switch record.form {
    case .notification: try readNotification(root)
    case .verifyReceipt: try readAnswer(root)
    }
  }

  private func fault(_ reason: LegacyError.Reason, _ index: Int) -> LegacyError {
    LegacyError(reason: reason, path: record.path(index), offset: record.tape.start(index))
  }

  // MARK: recognizing

  private func form(_ root: Int) throws(LegacyError) -> LegacyForm {
    var isNotification = false
    var isAnswer = false
    var unified: Int?
    for child in record.tape.children(of: root) {
      switch key(child) {
      case .notification_type: isNotification = true
      case .receipt, .status, .in_app, .latest_receipt_info, .latest_expired_receipt_info, .receipt_type:
        isAnswer = true
      case .unified_receipt: unified = child
      case .signedPayload, .notificationType, .signedTransactionInfo, .signedTransactions:
        // The order of keys has no meaning.
        guard record.tape.children(of: root).contains(where: { key($0) == .notification_type }) else {
          throw fault(foreign(root) ?? .otherFormat(found: "a version 2 object"), child)
        }
        isNotification = true
      default: break
      }
      if isNotification { return .notification }
    }
    if unified != nil { throw fault(.missing(expected: "notification_type next to unified_receipt"), root) }
    guard isAnswer else { throw fault(foreign(root) ?? .unknownRecord, root) }
    return .verifyReceipt
  }

  private func foreign(_ root: Int) -> LegacyError.Reason? {
    ForeignEnvelope(record.tape, root).map { .foreignRecord(found: $0.words) }
  }

  /// An unknown key, 0xFFFF, is beyond all cases.
  private func key(_ index: Int) -> LegacyKey? {
    LegacyKey(record.parts.tape[index])
  }

  // MARK: notification

  private func readNotification(_ root: Int) throws(LegacyError) {
    record.parts.body = objects.read(root, .responseBodyV1)
    let type = record.rows.slot(record.body, .notification_type)
    guard type != 0, record.tape[type].kind == .string else {
      guard type != 0 else { throw fault(.missing(expected: "a string in notification_type"), root) }
      throw fault(.wrongKind(expected: "a string", found: record.tape[type].kind.description), type)
    }
    readFlat(record.body)
    let unified = record.rows.slot(record.body, .unified_receipt)
    if unified != 0 {
      if record.tape[unified].kind == .object {
        let row = objects.read(unified, .unified_receipt)
        record.parts.unifiedReceipt = row
        record.parts.transactions = objects.readList(of: row, .latest_receipt_info, as: .latest_receipt_info)
        record.parts.isListFlat = isListFlat(row, .latest_receipt_info)
        record.parts.renewals = objects.readList(of: row, .pending_renewal_info, as: .pending_renewal_info)
      } else if record.flat == nil {
        throw fault(.wrongKind(expected: "an object", found: record.tape[unified].kind.description), unified)
      }
    }
    if record.renewals.isEmpty {
      record.parts.renewals = objects.readList(of: record.body, .pending_renewal_info, as: .pending_renewal_info)
      if !record.renewals.isEmpty {
        record.note(.misplacedKey, record.rows.slot(record.body, .pending_renewal_info))
      }
    }
    let hasName = [LegacyKey.original_transaction_id, .web_order_line_item_id].contains {
      record.rows.slot(record.body, $0) != 0
    }
    if record.unifiedReceipt == nil, record.flat == nil, record.transactions.isEmpty, !hasName, record.renewals.isEmpty
    {
      // V2 has this name too, where a warehouse writes its names with underscores.
      let isServer = record.tape.children(of: root).contains {
        let name = record.tape.key($0)
        return name == "notification_uuid" || name == "signed_date"
      }
      throw fault(isServer ? .otherFormat(found: "a version 2 notification with underscores") : .noContent, root)
    }
  }

  /// One object in the place of the list is flat, unless it has a key that flat objects never have.
  private func isListFlat(_ row: Int, _ key: LegacyKey) -> Bool {
    guard let only = record.transactions.first, record.tape[record.rows.slot(row, key)].kind == .object else {
      return false
    }
    return record.rows.slot(only, .in_app_ownership_type) == 0 && record.rows.slot(only, .is_upgraded) == 0
  }

  /// The flat object of old bodies: `latest_receipt_info`, or `latest_expired_receipt_info` after it expired.
  private func readFlat(_ body: Int) {
    for key in [LegacyKey.latest_receipt_info, .latest_expired_receipt_info] {
      let list = objects.readList(of: body, key, as: .latest_receipt_info, expectsObject: true)
      guard let first = list.first else { continue }
      if list.count > 1 {
        record.parts.transactions = list
      } else {
        record.parts.flat = first
      }
      record.parts.flatIsExpired = key == .latest_expired_receipt_info
      if !record.flatIsExpired { noteUnusedExpired(body) }
      return
    }
  }

  /// Of two objects in the place of one the record does not say which counts; the other one is named.
  private func noteUnusedExpired(_ body: Int) {
    let index = record.rows.slot(body, .latest_expired_receipt_info)
    guard index != 0, record.tape[index].length > 0 else { return }
    record.parts.isExpiredUnused = true
    record.note(.expiredInfoUnused, index)
  }

  // MARK: verifyReceipt

  private func readAnswer(_ root: Int) throws(LegacyError) {
    record.parts.body = objects.read(root, .verifyReceipt)
    let receipt = record.rows.slot(record.body, .receipt)
    if receipt != 0, record.tape[receipt].kind == .object {
      if isTransaction(receipt) {
        record.parts.flat = objects.read(receipt, .latest_receipt_info)
      } else {
        let row = objects.read(receipt, .receipt)
        record.parts.receipt = row
        record.parts.inApp = objects.readList(of: row, .in_app, as: .latest_receipt_info)
      }
    } else if receipt != 0 {
      throw fault(.wrongKind(expected: "an object", found: record.tape[receipt].kind.description), receipt)
    }
    record.parts.transactions = objects.readList(
      of: record.body, .latest_receipt_info, as: .latest_receipt_info, allowsObject: record.receipt == nil)
    if record.transactions.isEmpty {
      record.parts.transactions = objects.readList(
        of: record.body, .latest_expired_receipt_info, as: .latest_receipt_info, allowsObject: true)
      record.parts.isListFlat = isListFlat(record.body, .latest_expired_receipt_info)
    } else {
      record.parts.isListFlat = isListFlat(record.body, .latest_receipt_info)
      noteUnusedExpired(record.body)
    }
    record.parts.renewals = objects.readList(of: record.body, .pending_renewal_info, as: .pending_renewal_info)
    try requireContent(root)
  }

  /// Any object may have a `status`: an answer carries a receipt or transactions, or one of verifyReceipt's error codes
  /// without data, which all are except 21006.
  ///
  /// An empty history says that the customer bought nothing, so an answer whose only purchases cannot be read has none.
  private func requireContent(_ root: Int) throws(LegacyError) {
    let status = record.integer(record.body, .status)
    if let status, status >= 21000, status < 21200, status != 21006 { return }
    guard record.flat == nil, record.transactions.isEmpty else { return }
    let receipt = record.receipt
    let isKnown = receipt.map { row in LegacyKey.allCases.contains { record.rows.slot(row, $0) != 0 } } ?? false
    guard isKnown else {
      let purchases = "receipt, latest_receipt_info or latest_expired_receipt_info with a purchase next to status 21006"
      throw fault(status == 21006 ? .missing(expected: purchases) : .unknownRecord, root)
    }
    guard record.inApp.isEmpty else { return }
    let lists = [(record.body, LegacyKey.latest_receipt_info), (record.body, .latest_expired_receipt_info)]
    for (row, key) in lists + (receipt.map { [($0, .in_app)] } ?? []) {
      if let index = unreadable(record.rows.slot(row, key)) {
        let expected = index == record.rows.slot(row, key) ? "an array of objects" : "an object"
        throw fault(.wrongKind(expected: expected, found: record.tape[index].kind.description), index)
      }
    }
  }

  /// A value that is not a list, or the first element that is not an object.
  private func unreadable(_ list: Int) -> Int? {
    guard list != 0, record.tape[list].kind != .object else { return nil }
    guard record.tape[list].kind == .array else { return list }
    return record.tape.children(of: list).first { record.tape[$0].kind != .object && record.tape[$0].kind != .null }
  }

  /// An iOS 6 style `receipt` is itself one transaction; an iOS 7 one contains `in_app`, whatever else it contains.
  private func isTransaction(_ receipt: Int) -> Bool {
    var hasID = false
    for child in record.tape.children(of: receipt) {
      switch key(child) {
      case .transaction_id, .product_id, .original_transaction_id: hasID = true
      case .in_app: return false
      default: break
      }
    }
    return hasID
  }
}
