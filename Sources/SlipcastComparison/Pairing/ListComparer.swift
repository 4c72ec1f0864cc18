internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Compares lists of transactions or of statuses: pairs their items, then compares each pair.
struct ListComparer {
  let rules: RuleSet
  let side: CastSide
  let comparer: RowComparer
  /// The second record is one item, not an answer: what else the first one has is not missing.
  let isPart: Bool
  /// The second record is an answer, so what surrounds its items is compared.
  let hasEnvelope: Bool
  let hasStoreKit: Bool
  private var rows: [FieldDifference] = []

  init(
    rules: RuleSet, side: CastSide, comparer: RowComparer, isPart: Bool, hasEnvelope: Bool, hasStoreKit: Bool
  ) {
    (self.rules, self.side, self.comparer) = (rules, side, comparer)
    (self.isPart, self.hasEnvelope, self.hasStoreKit) = (isPart, hasEnvelope, hasStoreKit)
  }

  /// The rows, then V1's values without a V2 place.
  private var all: [FieldDifference] {
    hasEnvelope ? rows + comparer.losses.rest.map { FieldDifference($0, rules) } : rows
  }

  private mutating func compareEnvelope(
    _ part: CastOutline.Part, _ cast: any FieldModel, _ server: any FieldModel
  ) {
    guard hasEnvelope else { return }
    rows += comparer.rows(
      RowComparer.Objects(
        cast: [ComparedObject(part: part, model: cast)], server: [ComparedObject(part: part, model: server)]))
  }

  // MARK: history

  mutating func history(_ cast: HistoryResponse, _ server: HistoryResponse) -> [FieldDifference] {
    compareEnvelope(.history, cast, server)
    let (own, others) = (cast.transactions ?? [], server.transactions ?? [])
    let matches = Pairing.transactions(own, others)
    for (place, transaction) in others.enumerated() {
      let prefix = "transactions[\(place)]."
      guard let match = matches[place] else {
        rows.append(serverOnly(transaction, String(prefix.dropLast())))
        continue
      }
      rows += comparer.rows(
        RowComparer.Objects(
          cast: [ComparedObject(part: .transaction, model: own[match])],
          server: [ComparedObject(part: .transaction, model: transaction)],
          castPaths: .object(.transaction, "transactions[\(match)]."), paths: .object(.transaction, prefix),
          eventTime: side.time ?? own[match].signedDate?.milliseconds))
    }
    if !isPart { addMissing(own, Set(matches.compactMap(\.self)), server) }
    return all
  }

  /// A purchase that V2 alone lists.
  private func serverOnly(_ transaction: JWSTransactionDecodedPayload, _ path: String) -> FieldDifference {
    let isLater = side.time.flatMap { time in transaction.purchaseDate.map { $0.milliseconds > time } } ?? false
    let reading = isLater ? rules.comparing(.later) : nil
    return FieldDifference(
      v2Path: path, v2: .several, reading, .serverOnly, "The first record does not list this purchase.", rules)
  }

  /// Purchases that the first record alone lists.
  private mutating func addMissing(
    _ own: [JWSTransactionDecodedPayload], _ taken: Set<Int>, _ server: HistoryResponse
  ) {
    let lineItems = Set(taken.compactMap { own[$0].webOrderLineItemId })
    let page = server.hasMore == true ? rules.comparing(.page) : nil
    for place in own.indices where !taken.contains(place) {
      let isRepeated = own[place].webOrderLineItemId.map(lineItems.contains) ?? false
      rows.append(
        legacyOnly(
          "transactions[\(place)]", isRepeated ? rules.comparing(.repeated) : page,
          "The first record lists this purchase, and V2's answer does not."))
    }
  }

  private func legacyOnly(_ path: String, _ reading: ComparingRule?, _ explanation: String) -> FieldDifference {
    let row = side.row(of: path)
    var difference = FieldDifference(v1Path: row ?? path, reading, .conflict, explanation, rules)
    if row == nil { difference.cast = .several } else { difference.v1 = .several }
    return difference
  }

  // MARK: statuses

  /// An item of the cast and where it stands.
  private struct Place {
    var group: Int
    var item: Int
    var value: LastTransactionsItem

    var path: String { "data[\(group)].lastTransactions[\(item)]" }
  }

  private static func items(_ response: StatusResponse) -> [Place] {
    (response.data ?? []).enumerated().flatMap { group, value in
      (value.lastTransactions ?? []).enumerated().map { Place(group: group, item: $0, value: $1) }
    }
  }

  mutating func statuses(_ cast: StatusResponse, _ server: StatusResponse) -> [FieldDifference] {
    compareEnvelope(.statuses, cast, server)
    let (own, others) = (Self.items(cast), Self.items(server))
    let matches = Pairing.statuses(own.map(\.value), others.map(\.value))
    var named: Set<Int> = []
    for (number, other) in others.enumerated() {
      guard let match = matches[number] else {
        rows.append(serverOnly(other.value.transactionInfo ?? JWSTransactionDecodedPayload(), other.path))
        continue
      }
      if hasEnvelope, named.insert(other.group).inserted {
        compareGroups(cast.data?[own[match].group], own[match].group, server.data?[other.group], other.group)
      }
      compare(own[match], other)
    }
    if !isPart {
      for group in (server.data ?? []).indices where !named.contains(group) {
        compareGroups(nil, -1, server.data?[group], group)
      }
      let taken = Set(matches.compactMap(\.self))
      for place in own.indices where !taken.contains(place) {
        let words = "The first record has this subscription, and V2's answer does not."
        rows.append(legacyOnly(own[place].path + ".transactionInfo", nil, words))
        addRenewal(of: own[place].path, beside: rows.last?.v1Path)
      }
    }
    return all
  }

  /// The V1 values behind the renewal of a subscription that the second record lacks, as whole objects where they have one.
  private mutating func addRenewal(of item: String, beside transaction: String?) {
    let prefix = item + ".renewalInfo."
    var seen: Set<String> = [transaction ?? ""]
    for field in side.fields.values.filter({ $0.v2Path.hasPrefix(prefix) }).sorted(by: { $0.v2Path < $1.v2Path }) {
      // Dates of the renewal are worked out from periods, which have rows of their own.
      guard let path = field.v1Path, field.relation != .derived, path.parentPath != transaction else { continue }
      let isTop = path.parentPath.isEmpty
      guard isTop ? !field.v2Path.hasSuffix(".environment") : path.parentPath.hasSuffix("]") else { continue }
      guard seen.insert(isTop ? path : path.parentPath).inserted else { continue }
      let part = "It tells the renewal of a subscription that V2's answer does not have."
      var row = FieldDifference(v1Path: isTop ? path : path.parentPath, nil, .legacyOnly, part, rules)
      row.v1 = isTop ? field.v1Value.map(ComparedValue.json) ?? .several : .several
      rows.append(row)
    }
  }

  private mutating func compareGroups(
    _ cast: SubscriptionGroupIdentifierItem?, _ castGroup: Int, _ server: SubscriptionGroupIdentifierItem?, _ group: Int
  ) {
    func objects(_ item: SubscriptionGroupIdentifierItem?) -> [ComparedObject] {
      [ComparedObject(part: .group, model: item ?? SubscriptionGroupIdentifierItem())]
    }
    rows += comparer.rows(
      RowComparer.Objects(
        cast: objects(cast), server: objects(server), castPaths: .object(.group, "data[\(castGroup)]."),
        paths: .object(.group, "data[\(group)].")))
  }

  private mutating func compare(_ place: Place, _ other: Place) {
    let (one, two) = (place.value, other.value)
    let eventTime = side.time ?? one.renewalInfo?.signedDate?.milliseconds
    let prefix = other.path + "."
    var reduced = one
    // A part without a status says nothing of it, nor of the other part.
    if !hasEnvelope {
      if two.transactionInfo == nil { reduced.transactionInfo = nil }
      if two.renewalInfo == nil { reduced.renewalInfo = nil }
    }
    var new = comparer.rows(
      RowComparer.Objects(
        cast: ComparedObject.of(reduced, hasStatus: hasEnvelope || two.status != nil), server: ComparedObject.of(two),
        castPaths: .item(place.path + "."), paths: .item(prefix), eventTime: eventTime))
    if hasStoreKit {
      let signedDate = (two.renewalInfo?.signedDate ?? two.transactionInfo?.signedDate)?.milliseconds
      let renewal = StoreKitColumns.Renewal(
        prefix: prefix + "renewalInfo.", statusPath: prefix + "status",
        cast: StoreKitColumns.view(one.renewalInfo, one.status, eventTime, signedDate),
        server: StoreKitColumns.view(two.renewalInfo, two.status, signedDate, eventTime))
      StoreKitColumns(rules: rules).add(renewal, to: &new)
    }
    rows += new
  }
}

extension FieldDifference {
  /// A row about a whole object that stands on one side, classed by a reading or else as given.
  fileprivate init(
    v1Path: String? = nil, v2Path: String? = nil, v2: ComparedValue? = nil, _ reading: ComparingRule?,
    _ other: DifferenceClass, _ explanation: String, _ rules: RuleSet
  ) {
    self.init(
      v1Path: v1Path, v2Path: v2Path, v2: v2, differenceClass: reading?.differenceClass ?? other, rule: reading?.id,
      confidence: reading?.confidence, explanation: reading?.meaning ?? explanation,
      sources: reading.map { rules.citations($0.source) } ?? [])
  }
}
