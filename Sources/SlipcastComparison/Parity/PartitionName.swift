internal import SlipcastMapping
internal import SlipcastWire

/// Finds, while an image is written, which subscription or purchase its event is about.
struct PartitionName {
  private var names: (transaction: UInt64?, renewal: UInt64?, lineItem: UInt64?) = (nil, nil, nil)
  private var transactionId: UInt64?
  private var purchases: (own: Int64?, original: Int64?) = (nil, nil)

  /// Takes note of a text of the event.
  mutating func note(_ index: Int, _ text: Span<UInt8>) {
    if index == FieldNumber.originalTransactionId {
      names.transaction = Fingerprint.number(text)
    } else if index == FieldNumber.renewalOriginalTransactionId {
      names.renewal = Fingerprint.number(text)
    } else if index == FieldNumber.webOrderLineItemId {
      names.lineItem = Fingerprint.number(text)
    } else if index == FieldNumber.transactionId {
      transactionId = Fingerprint.number(text)
    }
  }

  /// Takes note of a date of the event.
  mutating func note(_ index: Int, _ date: Int64) {
    if index == FieldNumber.purchaseDate {
      purchases.own = date
    } else if index == FieldNumber.originalPurchaseDate {
      purchases.original = date
    }
  }

  /// When the event happened, as `RecordView.coveredTime`.
  func coveredTime(_ head: EventHead) -> Int64? {
    switch head.unit {
    case .notification: head.time
    case .transaction: purchases.own
    case .subscription: purchases.original ?? purchases.own
    }
  }

  /// What identifies a transaction or subscription; restores renumber ids, but not line items.
  func id(_ unit: ParityUnit) -> (high: UInt64, low: UInt64)? {
    let name = unit == .transaction ? names.lineItem ?? transactionId : names.transaction ?? names.renewal
    return name.map { (UInt64(unit.rawValue), $0) }
  }

  /// A number for the subscription or purchase; a unique one where the event names none.
  func number(_ head: EventHead) -> Int64 {
    if let name = names.transaction ?? names.renewal ?? names.lineItem { return Int64(bitPattern: name) }
    return Int64(bitPattern: (head.id?.high ?? UInt64(bitPattern: head.record)) ^ 0x5C1B_CA57)
  }
}
