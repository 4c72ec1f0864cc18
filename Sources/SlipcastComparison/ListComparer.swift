internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Compares lists of transactions or of statuses: pairs their items, then compares each pair.
struct ListComparer {
  let rules: RuleSet
  let side: CastSide
  /// The second record is one item, not an answer: what else the first one has is not missing.
  var isPart = false
  var hasStoreKit = false

  // MARK: history

  func history(_ cast: HistoryResponse, _ server: HistoryResponse) -> [FieldDifference] {
    let lists: Set<String> = ["transactions"]
    var losses = side.losses
    var rows = isPart ? [] : envelope(cast, server, "receipt", skipping: lists, &losses)
    let own = cast.transactions ?? []
    var taken: Set<Int> = []
    for (place, transaction) in (server.transactions ?? []).enumerated() {
      let prefix = "transactions[\(place)]."
      guard let match = Self.match(transaction, own, taken) else {
        rows.append(serverOnly(transaction, String(prefix.dropLast())))
        continue
      }
      taken.insert(match)
      var around = Surroundings(own[match], transaction, nil, nil)
      around.eventTime = side.time
      var comparer = ObjectComparer(
        rules, side, prefix: prefix, castPrefix: "transactions[\(match)].", around: around, losses: losses)
      comparer.compare(
        LeafList.of(own[match], family: "transaction", path: prefix),
        LeafList.of(transaction, family: "transaction", path: prefix))
      rows += comparer.rows
      losses = comparer.losses
    }
    if !isPart {
      for place in own.indices where !taken.contains(place) {
        rows.append(legacyOnly(own[place], "transactions[\(place)].", server, own, taken))
      }
    }
    return rows + (isPart ? [] : losses.map { FieldDifference($0, rules) })
  }

  /// The transaction of the same line item, else of the same id.
  private static func match(
    _ transaction: JWSTransactionDecodedPayload, _ list: [JWSTransactionDecodedPayload], _ taken: Set<Int>
  ) -> Int? {
    func first(_ value: String?, _ get: (JWSTransactionDecodedPayload) -> String?) -> Int? {
      value.flatMap { value in list.indices.first { !taken.contains($0) && get(list[$0]) == value } }
    }
    return first(transaction.webOrderLineItemId) { $0.webOrderLineItemId }
      ?? first(transaction.transactionId) { $0.transactionId }
  }

  /// A purchase that V2 alone lists.
  private func serverOnly(_ transaction: JWSTransactionDecodedPayload, _ path: String) -> FieldDifference {
    let isLater = side.time.flatMap { time in transaction.purchaseDate.map { $0.milliseconds > time } } ?? false
    let later = isLater ? rules.comparing(.later) : nil
    return FieldDifference(
      v2Path: path, differenceClass: later?.differenceClass ?? .serverOnly, rule: later?.id,
      confidence: later?.confidence,
      explanation: later?.meaning ?? "V1's answer does not list this purchase.",
      sources: later.map { rules.citations($0.source) } ?? [])
  }

  /// A purchase that the first record alone lists.
  private func legacyOnly(
    _ transaction: JWSTransactionDecodedPayload, _ castPath: String, _ server: HistoryResponse,
    _ own: [JWSTransactionDecodedPayload], _ taken: Set<Int>
  ) -> FieldDifference {
    let isRepeated =
      transaction.webOrderLineItemId != nil
      && taken.contains { own[$0].webOrderLineItemId == transaction.webOrderLineItemId }
    let renumbered = isRepeated ? rules.comparing(.renumbered) : nil
    let page = server.hasMore == true ? rules.comparing(.page) : nil
    let reading = renumbered ?? page
    return FieldDifference(
      v1Path: object(castPath), differenceClass: reading.map { _ in .legacyOnly } ?? .conflict, rule: reading?.id,
      confidence: reading?.confidence,
      explanation: reading?.meaning ?? "V1 lists this purchase, and V2's answer does not.",
      sources: reading.map { rules.citations($0.source) } ?? [])
  }

  /// The V1 object that a V2 object was made from; its own path where V1 is not at hand.
  private func object(_ castPath: String) -> String {
    let paths = side.fields.values.filter { $0.v2Path.hasPrefix(castPath) }.compactMap { $0.v1Path?.parentPath }
    return paths.filter { $0.hasSuffix("]") }.min() ?? String(castPath.dropLast())
  }

  // MARK: statuses

  func statuses(_ cast: StatusResponse, _ server: StatusResponse) -> [FieldDifference] {
    var losses = side.losses
    var rows = isPart ? [] : envelope(cast, server, "statuses", skipping: ["data"], &losses)
    let own = (cast.data ?? []).enumerated().flatMap { group, value in
      (value.lastTransactions ?? []).enumerated().map { Place(group: group, item: $0, value: $1) }
    }
    var taken: Set<Int> = []
    for (group, value) in (server.data ?? []).enumerated() {
      var isNamed = false
      for (item, status) in (value.lastTransactions ?? []).enumerated() {
        let prefix = "data[\(group)].lastTransactions[\(item)]."
        guard let match = own.indices.first(where: { !taken.contains($0) && own[$0].isSame(status) }) else {
          rows.append(serverOnly(status.transactionInfo ?? JWSTransactionDecodedPayload(), String(prefix.dropLast())))
          continue
        }
        taken.insert(match)
        if !isNamed, !isPart {
          isNamed = true
          rows += names(cast.data?[own[match].group], value, own[match].group, group, &losses)
        }
        rows += compare(own[match], status, prefix, &losses)
      }
    }
    if !isPart {
      for place in own.indices where !taken.contains(place) { rows.append(missing(own[place])) }
    }
    return rows + (isPart ? [] : losses.map { FieldDifference($0, rules) })
  }

  /// An item of the cast and where it stands.
  private struct Place {
    var group: Int
    var item: Int
    var value: LastTransactionsItem

    func isSame(_ other: LastTransactionsItem) -> Bool {
      func original(_ item: LastTransactionsItem) -> String? {
        item.originalTransactionId ?? item.transactionInfo?.originalTransactionId
          ?? item.renewalInfo?.originalTransactionId
      }
      return original(value) != nil && original(value) == original(other)
    }
  }

  private func compare(
    _ place: Place, _ status: LastTransactionsItem, _ prefix: String, _ losses: inout [Account.Loss]
  ) -> [FieldDifference] {
    var around = Surroundings(
      place.value.transactionInfo, status.transactionInfo, place.value.renewalInfo, status.renewalInfo)
    around.eventTime = side.time
    var comparer = ObjectComparer(
      rules, side, prefix: prefix, castPrefix: "data[\(place.group)].lastTransactions[\(place.item)].",
      around: around, losses: losses)
    let skipped: Set<String> = isPart && status.status == nil ? ["status"] : []
    comparer.compare(
      LeafList.of(
        place.value, family: "statuses", prefix: "data.lastTransactions.", path: prefix, skipping: skipped),
      LeafList.of(status, family: "statuses", prefix: "data.lastTransactions.", path: prefix))
    losses = comparer.losses
    var rows = comparer.rows
    if hasStoreKit {
      let renewal = StoreKitColumns.Renewal(
        prefix: prefix + "renewalInfo.", statusPath: prefix + "status",
        cast: StoreKitColumns.view(
          place.value.renewalInfo, place.value.status, around.eventTime, around.signedDate),
        server: StoreKitColumns.view(status.renewalInfo, status.status, around.signedDate, around.eventTime))
      StoreKitColumns(rules: rules).add(renewal, to: &rows)
    }
    return rows
  }

  private func names(
    _ cast: SubscriptionGroupIdentifierItem?, _ server: SubscriptionGroupIdentifierItem, _ castGroup: Int,
    _ group: Int, _ losses: inout [Account.Loss]
  ) -> [FieldDifference] {
    let path = "data[\(group)]."
    var comparer = ObjectComparer(rules, side, prefix: path, castPrefix: "data[\(castGroup)].", losses: losses)
    comparer.compare(
      LeafList.of(
        cast ?? SubscriptionGroupIdentifierItem(), family: "statuses", prefix: "data.", path: path,
        skipping: ["lastTransactions"]),
      LeafList.of(server, family: "statuses", prefix: "data.", path: path, skipping: ["lastTransactions"]))
    losses = comparer.losses
    return comparer.rows
  }

  private func missing(_ place: Place) -> FieldDifference {
    FieldDifference(
      v1Path: object("data[\(place.group)].lastTransactions[\(place.item)]."), differenceClass: .conflict,
      explanation: "V1 has this subscription, and V2's answer does not.", sources: [])
  }

  // MARK: around the lists

  private func envelope<Model: FieldModel>(
    _ cast: Model, _ server: Model, _ family: String, skipping: Set<String>, _ losses: inout [Account.Loss]
  ) -> [FieldDifference] {
    var comparer = ObjectComparer(rules, side, losses: losses)
    comparer.compare(
      LeafList.of(cast, family: family, skipping: skipping), LeafList.of(server, family: family, skipping: skipping))
    losses = comparer.losses
    return comparer.rows
  }
}
