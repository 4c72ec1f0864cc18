internal import SlipcastV2
internal import SlipcastWire

/// Which items of two lists tell of the same thing.
enum Pairing {
  /// For each transaction of the second list the place of its counterpart in the first.
  ///
  /// Ids are unique but renumbered by restores, so the same id decides, then the same line item: first the row of that
  /// purchase date, then any.
  static func transactions(
    _ own: [JWSTransactionDecodedPayload], _ others: [JWSTransactionDecodedPayload]
  ) -> [Int?] {
    // Where seats were added several transactions share a period: the line item does not tell them apart.
    func lineItem(_ transaction: JWSTransactionDecodedPayload) -> String? {
      transaction.additionalTransactionReason == nil ? transaction.webOrderLineItemId : nil
    }
    let keys: [(JWSTransactionDecodedPayload) -> [String?]] = [
      { [$0.webOrderLineItemId, $0.transactionId] }, { [$0.transactionId] },
      { [lineItem($0), $0.purchaseDate?.description] }, { [lineItem($0)] },
    ]
    return pairs(own, others, keys)
  }

  /// The same for items of statuses, by original transaction.
  static func statuses(_ own: [LastTransactionsItem], _ others: [LastTransactionsItem]) -> [Int?] {
    pairs(
      own, others,
      [
        { item in
          [
            item.transactionInfo?.originalTransactionId ?? item.renewalInfo?.originalTransactionId
              ?? item.originalTransactionId
          ]
        }
      ])
  }

  /// Pairs by one key after the other; an item has at most one counterpart.
  private static func pairs<Item>(_ own: [Item], _ others: [Item], _ keys: [(Item) -> [String?]]) -> [Int?] {
    var result = [Int?](repeating: nil, count: others.count)
    var isTaken = [Bool](repeating: false, count: own.count)
    for key in keys {
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
