internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

struct PairComparer {
  let legacy: ComparedRecord
  let server: ComparedRecord
  let comparer: RowComparer
  var hasStoreKit = false
  /// An answer lists one of several items: what else the first record has is not missing.
  var isSingleItem = false

  private var rules: RuleSet { comparer.rules }
  private var one: RecordView { comparer.one }
  private var two: RecordView { comparer.two }
  /// The second record is a part of an event or an answer.
  private var isPart: Bool { server.form == .parts }

  /// Makes the rows: V2's in Apple's order, then V1's without a V2 place.
  func compare() throws(ComparisonError) {
    switch (legacy.form, server.form) {
    case (.notification, .notification), (.notification, .parts): notification()
    case (.parts, .parts) where haveCommonPart: notification()
    case (.history, .history), (.history, .parts): try history()
    case (.statuses, .statuses), (.statuses, .parts): try statuses()
    case (.appTransaction, .appTransaction): compareEnvelope()
    default: throw ComparisonError(.server, .kindsDiffer(legacy: legacy.kind, server: server.kind))
    }
    if !isPart { comparer.addRest() }
  }

  /// A transaction and a renewal info have nothing in common that could differ.
  private var haveCommonPart: Bool {
    legacy.show(legacy.outer, in: one)
    server.show(server.outer, in: two)
    return [ObjectPart.transaction, .renewal].contains { one.has($0) && two.has($0) }
  }

  // MARK: notification

  /// Compares notifications, or a part with that of a notification or with another part.
  private func notification() {
    let start = comparer.rows.count
    var pair = RowComparer.Pair(cast: legacy.outer, server: server.outer, place: .notification)
    (pair.eventTime, pair.decision) = (legacy.time, legacy.decision(rules))
    if isPart {
      let hasStatus = server.hasStatus
      pair.isWanted = { part, name in
        part == .transaction || part == .renewal || part == .data && name == "status" && hasStatus
      }
    }
    comparer.compare(pair) {
      guard isPart else { return }
      for view in [one, two] { view.drop(.item) }
      for part in [ObjectPart.transaction, .renewal] where !two.has(part) { one.drop(part) }
    }
    guard hasStoreKit else { return }
    let signedDate = two.integer(FieldNumber.signedDate) ?? signedDate(two)
    addStoreKit(
      from: start, at: .notification, status: FieldNumber.status, eventTime: legacy.time, signedDate: signedDate)
  }

  // MARK: history

  private func history() throws(ComparisonError) {
    let own = legacy.items
    var others = server.items
    if isPart { others = [part(.transaction(0), without: .renewal)].filter { _ in two.has(.transaction) } }
    let matches = Pairing.transactions(own.map(\.keys), others.map(\.keys))
    if isPart {
      try require(!matches.contains(nil))
    } else if legacy.hasEnvelope, server.hasEnvelope {
      compareEnvelope()
    }
    for (place, item) in others.enumerated() {
      guard let match = matches[place] else {
        addServerOnly(item.unit, item.place.path)
        continue
      }
      legacy.show(own[match].unit, in: one)
      comparer.compare(
        RowComparer.Pair(
          cast: own[match].unit, server: item.unit, place: item.place,
          eventTime: legacy.time ?? one.integer(FieldNumber.transactionSignedDate))
      ) {
        guard isPart else { return }
        for part in ObjectPart.allCases where part != .transaction { two.drop(part) }
      }
    }
    if !isPart, !isSingleItem { addMissing(Set(matches.compactMap(\.self))) }
  }

  private func addMissing(_ taken: Set<Int>) {
    let lineItems = Set(taken.compactMap { legacy.items[$0].keys.webOrderLineItemId })
    let page = server.hasMore ? rules.comparing(.page) : nil
    for (place, item) in legacy.items.enumerated() where !taken.contains(place) {
      let isRepeated = item.keys.webOrderLineItemId.map(lineItems.contains) ?? false
      let reading = isRepeated ? rules.comparing(.repeated) : readingOfYounger(item) ?? page
      comparer.append(
        legacyOnly(
          item.unit, path: "transactions[\(place)]", reading: reading,
          explanation: "The first record lists this purchase, and V2's answer does not."))
    }
  }

  /// How a purchase may be missing that was made after V2's answer was signed.
  ///
  /// - Parameter item: an item of the first record.
  private func readingOfYounger(_ item: ComparedRecord.Item) -> ComparingRule? {
    legacy.show(item.unit, in: one)
    guard let purchase = one.integer(FieldNumber.purchaseDate), let answered = serverTime(), purchase > answered else {
      return nil
    }
    return rules.comparing(.snapshot)
  }

  /// When V2's answer was signed: the latest signature in it.
  private func serverTime() -> Int64? {
    server.items.lazy.compactMap { [server, two] item in
      server.show(item.unit, in: two)
      return [FieldNumber.renewalSignedDate, FieldNumber.transactionSignedDate].compactMap { two.integer($0) }.max()
    }.max()
  }

  private func addServerOnly(_ unit: ComparedRecord.Unit, _ path: String) {
    server.show(unit, in: two)
    let purchase = two.integer(FieldNumber.purchaseDate)
    let isLater = legacy.time.flatMap { time in purchase.map { $0 > time } } ?? false
    let reading = isLater ? rules.comparing(.later) : nil
    comparer.append(
      FieldDifference(
        v2Path: path, v2: .several, reading, .serverOnly, "The first record does not list this purchase.",
        by: rules))
  }

  private func legacyOnly(
    _ unit: ComparedRecord.Unit, path: String, reading: ComparingRule?, explanation: String
  ) -> FieldDifference {
    legacy.show(unit, in: one)
    let row = purchase(unit)
    var difference = FieldDifference(v1Path: row ?? path, reading, .conflict, explanation, by: rules)
    if row == nil { difference.cast = .several } else { difference.v1 = .several }
    return difference
  }

  /// The V1 object that the purchase in the view was made from.
  private func purchase(_ unit: ComparedRecord.Unit) -> String? {
    // What is read from the record's top is not a row.
    [FieldNumber.purchaseDate, FieldNumber.transactionId, FieldNumber.productId].lazy
      .compactMap { legacy.sourcePath($0, unit, one)?.parentPath }
      .first { !$0.isEmpty }
  }

  // MARK: statuses

  private func statuses() throws(ComparisonError) {
    let (own, others) = (legacy.items, isPart ? [part(.item(group: 0, 0), without: nil)] : server.items)
    let matches = Pairing.statuses(own.map(\.keys), others.map(\.keys))
    if isPart { try require(!matches.contains(nil)) } else { compareEnvelope() }
    var named: Set<Int> = []
    for (number, item) in others.enumerated() {
      guard let match = matches[number] else {
        addServerOnly(item.unit, item.place.path)
        continue
      }
      if !isPart, let group = item.place.group, named.insert(group).inserted {
        compareGroups(own[match].place.group.map { legacy.groups[$0] }, group)
      }
      compare(own[match], item)
    }
    if isPart || isSingleItem { return }
    for group in server.groups.indices where !named.contains(group) { compareGroups(nil, group) }
    let taken = Set(matches.compactMap(\.self))
    for (place, item) in own.enumerated() where !taken.contains(place) {
      let words = "The first record has this subscription, and V2's answer does not."
      let row = legacyOnly(
        item.unit, path: item.place.path + ".transactionInfo", reading: readingOfYounger(item), explanation: words)
      comparer.append(row)
      addRenewal(of: item.unit, beside: row.v1Path)
    }
  }

  /// The V1 values behind the renewal of a subscription that the second record lacks, as whole objects where they have one.
  private func addRenewal(of unit: ComparedRecord.Unit, beside transaction: String?) {
    var seen: Set<String> = [transaction ?? ""]
    for (slot, member) in ObjectPart.renewal.schema.fields.enumerated().sorted(by: { $0.element.name < $1.element.name }
    ) {
      let index = ObjectPart.renewal.number(of: slot)
      // Dates of the renewal are worked out from periods, which have rows of their own.
      guard let path = legacy.sourcePath(index, unit, one), one.field(index).relation != .derived,
        path.parentPath != transaction
      else { continue }
      let isTop = path.parentPath.isEmpty
      guard isTop ? member.name != "environment" : path.parentPath.hasSuffix("]") else { continue }
      guard seen.insert(isTop ? path : path.parentPath).inserted else { continue }
      let words = "It is the renewal of a subscription that V2's answer does not have."
      var row = FieldDifference(v1Path: isTop ? path : path.parentPath, nil, .legacyOnly, words, by: rules)
      row.v1 = isTop ? legacy.sourceText(index, unit, one).map(ComparedValue.json) ?? .several : .several
      comparer.append(row)
    }
  }

  private func compareGroups(_ cast: ComparedRecord.Unit?, _ group: Int) {
    comparer.compare(RowComparer.Pair(cast: cast, server: server.groups[group], place: .group(group)))
  }

  private func compare(_ own: ComparedRecord.Item, _ other: ComparedRecord.Item) {
    let start = comparer.rows.count
    legacy.show(own.unit, in: one)
    let eventTime = legacy.time ?? one.integer(FieldNumber.renewalSignedDate)
    comparer.compare(
      RowComparer.Pair(cast: own.unit, server: other.unit, place: other.place, eventTime: eventTime)
    ) {
      guard isPart else { return }
      two.drop(.data)
      // A part without a status has no meaning for it, nor for the other part.
      for part in [ObjectPart.transaction, .renewal] where !two.has(part) { one.drop(part) }
      if !server.hasStatus { one.drop(field: FieldNumber.statusOfItem) }
    }
    if hasStoreKit {
      addStoreKit(
        from: start, at: other.place, status: FieldNumber.statusOfItem, eventTime: eventTime,
        signedDate: signedDate(two))
    }
  }

  // MARK: shared

  private func compareEnvelope() {
    comparer.compare(RowComparer.Pair(cast: legacy.outer, server: server.outer, place: .envelope))
  }

  private func part(_ place: UnitPlace, without part: ObjectPart?) -> ComparedRecord.Item {
    let unit = server.outer ?? ComparedRecord.Unit(image: 0..<0, leaves: [], parts: 0)
    server.show(server.outer, in: two)
    if let part { two.drop(part) }
    return ComparedRecord.Item(unit: unit, place: place, keys: Pairing.Keys(two))
  }

  /// A part that the first record does not have cannot be compared with anything.
  private func require(_ isPaired: Bool) throws(ComparisonError) {
    if !isPaired { throw ComparisonError(.server, .unlisted) }
  }

  private func signedDate(_ view: RecordView) -> Int64? {
    view.integer(FieldNumber.renewalSignedDate) ?? view.integer(FieldNumber.transactionSignedDate)
  }

  /// Adds to the rows of a renewal what a device would have said.
  private func addStoreKit(
    from start: Int, at place: UnitPlace, status: Int, eventTime: Int64?, signedDate: Int64?
  ) {
    let columns = StoreKitColumns(
      rules: rules, prefix: place.prefix(.renewal),
      statusPath: place.prefix(place == .notification ? .data : .item) + "status",
      cast: StoreKitColumns.view(one, status, eventTime ?? signedDate),
      server: StoreKitColumns.view(two, status, signedDate ?? eventTime))
    for row in start..<comparer.rows.count {
      if let column = columns.column(of: comparer.rows[row].v2Path) { comparer.change(row) { $0.storekit = column } }
    }
  }
}

extension EventName {
  init(_ other: MigrationCandidate) {
    self.init(notificationType: other.notificationType?.rawValue ?? "", subtype: other.subtype?.rawValue)
  }
}

extension UnitPlace {
  fileprivate var group: Int? {
    if case .item(let group, _) = self { group } else { nil }
  }
}

extension ComparedRecord {
  /// The row of the decision table behind type and subtype.
  ///
  /// With the confidence of this record, and the other events that it leaves possible.
  func decision(_ rules: RuleSet) -> TypeRule? {
    if let source { return source.decision }
    guard isConverted, let migration, var row = rules.types.first(where: { $0.id == migration.rule }) else {
      return nil
    }
    if let known = migration.confidence?.known { row.confidence = known }
    row.accepts = (migration.accepts ?? []).map(EventName.init)
    let candidates = (migration.candidates ?? []).map(EventName.init)
    row.candidates.removeAll { !candidates.contains($0.event) }
    return row
  }

  /// The path of the V1 value behind a field of a unit that is shown.
  fileprivate func sourcePath(_ index: Int, _ unit: Unit, _ view: RecordView) -> String? {
    value(index, unit, view).flatMap { source?.path($0) }
  }

  fileprivate func sourceText(_ index: Int, _ unit: Unit, _ view: RecordView) -> String? {
    value(index, unit, view).flatMap { source?.text($0) }
  }

  private func value(_ index: Int, _ unit: Unit, _ view: RecordView) -> Int? {
    guard let source, view[index] != nil else { return nil }
    let place = Int(source.values[unit.values + view.place(index)])
    return place == 0 ? nil : place
  }
}

extension FieldDifference {
  /// A row about a whole object that only one side has, classed by a reading or else as given.
  fileprivate init(
    v1Path: String? = nil, v2Path: String? = nil, v2: ComparedValue? = nil, _ reading: ComparingRule?,
    _ other: DifferenceClass, _ explanation: String, by rules: RuleSet
  ) {
    self.init(
      v1Path: v1Path, v2Path: v2Path, v2: v2, differenceClass: reading?.differenceClass ?? other, rule: reading?.id,
      confidence: reading?.confidence, explanation: reading?.meaning ?? explanation,
      sources: reading.map { rules.citations($0.source) } ?? [])
  }
}

extension String {
  /// The path of the object around a value: up to the last dot.
  var parentPath: String { utf8.lastIndex(of: UInt8(ascii: ".")).map { String(self[..<$0]) } ?? "" }

  /// The path of the shared secret, wherever it stands.
  var isSecret: Bool { self == "password" || hasSuffix(".password") }
}
