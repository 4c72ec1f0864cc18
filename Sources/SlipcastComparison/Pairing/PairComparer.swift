internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Compares a cast with a V2 record of the same kind.
struct PairComparer {
  let rules: RuleSet
  let side: CastSide
  let record: V2Record
  let comparer: RowComparer
  var hasStoreKit = false
  /// An answer lists one of several items.
  var isSingleItem = false

  /// The rows: V2's in Apple's order, then V1's without a V2 place.
  func fields() throws(ComparisonError) -> [FieldDifference] {
    switch (side.content, record.content) {
    case (.notification(let cast), .notification(let server)): return notification(cast, server)
    case (.history(let cast), .history(let server)):
      var list = makeList(isPart: isSingleItem, hasEnvelope: true)
      return list.history(cast, server)
    case (.statuses(let cast), .statuses(let server)):
      var list = makeList(isPart: isSingleItem, hasEnvelope: true)
      return list.statuses(cast, server)
    case (_, .parts(let transaction, let renewal, let status)): return try parts(transaction, renewal, status)
    default:
      throw ComparisonError(
        .server, .kindsDiffer(legacy: side.content.description, server: record.content.description))
    }
  }

  private func makeList(isPart: Bool, hasEnvelope: Bool) -> ListComparer {
    ListComparer(
      rules: rules, side: side, comparer: comparer, isPart: isPart, hasEnvelope: hasEnvelope, hasStoreKit: hasStoreKit)
  }

  // MARK: notification

  private func notification(
    _ cast: ResponseBodyV2DecodedPayload, _ server: ResponseBodyV2DecodedPayload
  ) -> [FieldDifference] {
    var objects = RowComparer.Objects(cast: ComparedObject.of(cast), server: ComparedObject.of(server))
    objects.eventTime = side.time
    objects.event = EventReading(decision: side.decision(rules), cast: EventName(cast), server: EventName(server))
    var rows = comparer.rows(objects)
    if hasStoreKit {
      let (one, two) = (side.time, server.signedDate?.milliseconds ?? StoreKitColumns.signedDate(server.data))
      let renewal = StoreKitColumns.Renewal(
        prefix: "data.renewalInfo.", statusPath: "data.status",
        cast: StoreKitColumns.view(cast.data?.renewalInfo, cast.data?.status, one, two),
        server: StoreKitColumns.view(server.data?.renewalInfo, server.data?.status, two, one))
      StoreKitColumns(rules: rules).add(renewal, to: &rows)
    }
    return rows + comparer.losses.rest.map { FieldDifference($0, rules) }
  }

  // MARK: parts

  /// A transaction or a renewal info by itself: compared with the same part of what the legacy record gives.
  private func parts(
    _ transaction: JWSTransactionDecodedPayload?, _ renewal: JWSRenewalInfoDecodedPayload?, _ status: Open<Status>?
  ) throws(ComparisonError) -> [FieldDifference] {
    var item = LastTransactionsItem()
    (item.transactionInfo, item.renewalInfo, item.status) = (transaction, renewal, status)
    item.originalTransactionId = transaction?.originalTransactionId ?? renewal?.originalTransactionId
    switch side.content {
    case .notification(let cast): return notificationParts(cast, item)
    case .parts(let first, let second, let status):
      var other = LastTransactionsItem()
      (other.transactionInfo, other.renewalInfo, other.status) = (first, second, status)
      return notificationParts(other.asNotification, item)
    case .history(let cast):
      var answer = HistoryResponse()
      answer.transactions = transaction.map { [$0] }
      try require(!Pairing.transactions(cast.transactions ?? [], answer.transactions ?? []).contains(nil))
      var list = makeList(isPart: true, hasEnvelope: false)
      return list.history(cast, answer)
    case .statuses(let cast):
      var (answer, group) = (StatusResponse(), SubscriptionGroupIdentifierItem())
      group.lastTransactions = [item]
      answer.data = [group]
      let own = (cast.data ?? []).flatMap { $0.lastTransactions ?? [] }
      try require(!Pairing.statuses(own, [item]).contains(nil))
      var list = makeList(isPart: true, hasEnvelope: false)
      return list.statuses(cast, answer)
    }
  }

  /// A part that the first record does not have cannot be compared with anything.
  private func require(_ isPaired: Bool) throws(ComparisonError) {
    if !isPaired { throw ComparisonError(.server, .unlisted) }
  }

  private func notificationParts(
    _ cast: ResponseBodyV2DecodedPayload, _ item: LastTransactionsItem
  ) -> [FieldDifference] {
    var reduced = cast
    if item.transactionInfo == nil { reduced.data?.transactionInfo = nil }
    if item.renewalInfo == nil { reduced.data?.renewalInfo = nil }
    let rows = notification(reduced, item.asNotification)
    return rows.filter { row in
      row.v2Path.map { $0.hasPrefix("data.transactionInfo.") || $0.hasPrefix("data.renewalInfo.") } ?? false
        || (row.v2Path == "data.status" && item.status != nil)
    }
  }
}

extension LastTransactionsItem {
  /// The item's parts in the places of a notification's.
  fileprivate var asNotification: ResponseBodyV2DecodedPayload {
    var notification = ResponseBodyV2DecodedPayload()
    var data = NotificationData()
    (data.transactionInfo, data.renewalInfo, data.status) = (transactionInfo, renewalInfo, status)
    notification.data = data
    return notification
  }
}

extension EventName {
  init(_ other: MigrationCandidate) {
    self.init(notificationType: other.notificationType?.rawValue ?? "", subtype: other.subtype?.rawValue)
  }

  init(_ notification: ResponseBodyV2DecodedPayload) {
    self.init(
      notificationType: notification.notificationType?.rawValue ?? "", subtype: notification.subtype?.rawValue)
  }
}

extension FieldDifference {
  /// The row of a V1 value without a V2 field.
  init(_ loss: Account.Unmapped, _ rules: RuleSet) {
    let rule = loss.rule.flatMap { rules.field(id: $0) }
    let words = loss.fate == .unreadable ? "V1's value \(loss.reason)" : loss.reason.capitalizedFirst
    self.init(
      v1Path: loss.v1Path, v1: loss.v1Value.map(ComparedValue.json) ?? (loss.isContainer ? .several : .withheld),
      differenceClass: loss.fate.differenceClass, rule: loss.rule,
      confidence: rule?.confidence, explanation: words + (loss.heldBy.map { " (\($0))." } ?? "."), note: rule?.note,
      sources: rule.map { rules.citations(of: $0) } ?? [], isUnreadable: loss.fate == .unreadable)
  }
}

extension ValueFate {
  /// The class of a V1 value that has a row of its own.
  var differenceClass: DifferenceClass {
    switch self {
    case .lost: .legacyOnly
    case .repeated: .repeated
    case .elsewhere: .elsewhere
    case .unreadable: .conflict
    }
  }
}

extension String {
  fileprivate var capitalizedFirst: String {
    let text = prefix(1).uppercased() + dropFirst()
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

extension V2Record.Content {
  /// What it is, in two words.
  var description: String {
    switch self {
    case .notification: "notification"
    case .history: "transaction history"
    case .statuses: "list of statuses"
    case .parts: "transaction or renewal info"
    }
  }
}
