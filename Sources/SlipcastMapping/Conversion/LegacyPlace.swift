@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// A place in legacy records, without list indexes: an object and a key in it.
package struct LegacyPlace: Hashable, Sendable {
  /// The object: its path with `[*]` for places of lists.
  package enum Object: UInt8, CaseIterable, Sendable {
    case body, unifiedReceipt, listed, renewal, loneListed, loneRenewal
    case flat, expiredFlat, answerListed, answerRenewal, receipt, inApp

    /// Its dotted path; empty for the record itself.
    package var path: String { Self.paths[Int(rawValue)] }

    private static let paths = [
      "", "unified_receipt", "unified_receipt.latest_receipt_info[*]", "unified_receipt.pending_renewal_info[*]",
      "unified_receipt.latest_receipt_info", "unified_receipt.pending_renewal_info", "latest_receipt_info",
      "latest_expired_receipt_info", "latest_receipt_info[*]", "pending_renewal_info[*]", "receipt",
      "receipt.in_app[*]",
    ]
  }

  /// Object and key in one number; fits into 16 bits.
  package let code: UInt16

  /// Neither an object nor a key.
  package static let none = LegacyPlace(code: .max)
  /// Stands for the object itself.
  private static let noKey: UInt16 = 0xFF

  package init(code: UInt16) { self.code = code }

  init(_ object: Object, key: Int) { code = UInt16(object.rawValue) << 8 | UInt16(key & 0xFF) }
  init(_ object: Object) { code = UInt16(object.rawValue) << 8 | Self.noKey }

  package var object: Object? { Object(rawValue: UInt8(code >> 8)) }

  /// The dotted path; empty for `none`.
  package var path: String {
    guard let object else { return "" }
    let number = code & 0xFF
    guard number != Self.noKey, Int(number) < LegacyKey.count else { return object.path }
    return Self.join(object.path, LegacyKey.names[Int(number)])
  }

  package static func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : path + "." + name }
}

extension RecordBuilder {
  /// What kind of object a row is, without list indexes.
  func object(of row: Int) -> LegacyPlace.Object {
    if row == record.body { return .body }
    if row == record.unifiedReceipt { return .unifiedReceipt }
    if record.inApp.contains(row) { return .inApp }
    if row == record.flat { return flatObject(record.tape.key(record.rows.origin(row))) }
    if row == record.receipt { return .receipt }
    let key = record.renewals.contains(row) ? LegacyKey.pending_renewal_info : .latest_receipt_info
    let isRenewal = key == .pending_renewal_info
    // An object by itself in the place of a list has that place's name.
    let isLone = record.tape.key(record.rows.origin(row)).count > 0
    guard let receipt = record.unifiedReceipt, holds(receipt, row, key) else {
      return isLone ? .flat : isRenewal ? .answerRenewal : .answerListed
    }
    return isRenewal ? (isLone ? .loneRenewal : .renewal) : isLone ? .loneListed : .listed
  }

  private func flatObject(_ name: JSONText) -> LegacyPlace.Object {
    name == "latest_expired_receipt_info" ? .expiredFlat : name == "receipt" ? .receipt : .flat
  }

  private func holds(_ outer: Int, _ row: Int, _ key: LegacyKey) -> Bool {
    let index = record.rows.slot(outer, key)
    guard index != 0 else { return false }
    return (index..<record.tape.after(index)).contains(record.rows.origin(row))
  }
}
