internal import SlipcastWire

/// Pairs the items of two lists that describe the same thing.
enum Pairing {
  struct Keys {
    var transactionId: String?
    var webOrderLineItemId: String?
    var purchaseDate: Int64?
    var isAddition = false
    /// The first transaction of a subscription, as its transaction, its renewal and its item name it.
    var originalTransactionId: String?

    /// No id names it.
    var isNameless: Bool { transactionId == nil && webOrderLineItemId == nil }

    init(_ view: RecordView) {
      transactionId = view.text(FieldNumber.transactionId)
      webOrderLineItemId = view.text(FieldNumber.webOrderLineItemId)
      purchaseDate = view.integer(FieldNumber.purchaseDate)
      isAddition = view[FieldNumber.additionalTransactionReason] != nil
      originalTransactionId =
        view.text(FieldNumber.originalTransactionId) ?? view.text(FieldNumber.renewalOriginalTransactionId)
        ?? view.text(FieldNumber.originalTransactionIdOfItem)
    }
  }

  /// For each transaction of the second list the place of its counterpart in the first.
  ///
  /// Ids are unique but renumbered by restores, so the same id decides, then the same line item: first the row of that
  /// purchase date, then any.
  static func transactions(_ own: [Keys], _ others: [Keys]) -> [Int?] {
    // Where seats were added several transactions share a period: the line item does not identify one.
    func lineItem(_ item: Keys) -> String? { item.isAddition ? nil : item.webOrderLineItemId }
    // Purchases without an id are distinguished by their order only.
    let areInOrder = own.count(where: \.isNameless) == others.count(where: \.isNameless)
    return pairs(
      own, others,
      [
        { [$0.webOrderLineItemId, $0.transactionId] }, { [$0.transactionId] },
        { [lineItem($0), $0.purchaseDate.map(String.init)] }, { [lineItem($0)] },
        { [areInOrder && $0.isNameless ? "" : nil] },
      ])
  }

  /// The same for items of statuses, by original transaction.
  static func statuses(_ own: [Keys], _ others: [Keys]) -> [Int?] {
    pairs(own, others, [{ [$0.originalTransactionId] }])
  }

  /// Pairs by one key after the other; an item has at most one counterpart.
  private static func pairs(_ own: [Keys], _ others: [Keys], _ keys: [(Keys) -> [String?]]) -> [Int?] {
    var result = [Int?](repeating: nil, count: others.count)
    var isTaken = [Bool](repeating: false, count: own.count)
    for key in keys where result.contains(nil) {
      var places: [[String]: [Int]] = [:]
      for place in own.indices.reversed() where !isTaken[place] {
        if let words = words(key(own[place])) { places[words, default: []].append(place) }
      }
      for (number, other) in others.enumerated() where result[number] == nil {
        guard let words = words(key(other)), let place = places[words]?.popLast() else { continue }
        result[number] = place
        isTaken[place] = true
      }
    }
    return result
  }

  /// A key says something only when all its parts are there.
  private static func words(_ parts: [String?]) -> [String]? {
    let words = parts.compactMap(\.self)
    return words.count == parts.count ? words : nil
  }
}
