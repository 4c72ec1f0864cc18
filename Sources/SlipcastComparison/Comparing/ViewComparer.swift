package import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Compares the views of two records, field by field and without words; used again for every pair.
///
/// `parity` counts what it finds, and `diff` puts it into words.
package final class ViewComparer {
  struct Finding {
    enum Subject {
      /// A field, by part and slot.
      case field(Int)
      /// A value in no slot, by its place in `extras`.
      case extra(Int)
      /// A V1 value without a V2 field.
      case legacy
    }

    var path: Int
    var subject: Subject
    var outcome: Outcome
    var kind: DifferenceKind
    /// The V1 value without a V2 field that belongs to the field, by its place in the shape.
    var loss: Int?

    var differenceClass: DifferenceClass { outcome.differenceClass }
    var isUnreadable: Bool { outcome.kind == .unreadable }
  }

  /// A value in no slot, with its places on both sides.
  struct Extra {
    let extra: EventShape.Extra
    var cast: Int?
    var server: Int?
  }

  @exclusivity(unchecked) private var found = PairFindings()
  var findings: [Finding] { found.findings }
  /// The values of the pair at hand that are in no slot.
  private(set) var extras: [Extra] = []
  /// Each list index is a separate path; otherwise all indexes of a list are one path.
  private let keepsPlaces: Bool
  let paths = PathBook()
  package let book: FieldBook
  private let table: ComparingTable
  private let limits: TimeBetween.Limits
  /// The latest signature in V2's archive, milliseconds since 1970 UTC; `nil` for a single pair.
  package var serverEnd: Int64?
  private let classifier: Classifier
  let events: EventTable

  package init(_ rules: RuleSet, keepsPlaces: Bool = false) {
    self.keepsPlaces = keepsPlaces
    book = FieldBook(rules)
    table = ComparingTable(rules)
    limits = TimeBetween.Limits(still: table.tolerance(.between), early: rules.window(.early).milliseconds)
    classifier = Classifier(table: table)
    events = EventTable(rules)
  }

  /// What stands around the fields of one pair.
  private struct Pair {
    let legacy: RecordView
    let server: RecordView
    let around: Surroundings
    let isFromLegacy: Bool
    let isOneOfTwoCast: Bool
    let reading: EventTable.Reading?
  }

  /// Compares a pair; `findings` has a class for every path on either side.
  ///
  /// - Parameters:
  ///   - reading: how type and subtype of V2 relate to the legacy message, where the caller knows it.
  ///   - isGone: true for V1 values without a V2 field, by their index in the shape, that belong to no field of this
  ///     pair.
  func compare(
    _ legacy: RecordView, _ server: RecordView, reading: EventTable.Reading? = nil,
    isGone: (Int) -> Bool = { _ in false }
  ) {
    found.begin()
    let pair = self.pair(legacy, server, reading)
    for place in legacy.shape.losses.indices { found.taken.append(isGone(place)) }
    found.gone = found.taken
    for part in 0..<EventPart.count {
      var rest = (legacy.mask(part) | server.mask(part)) & EventPart.fields
      if open(part, pair) != nil { rest |= book.openFields[part] }
      while rest != 0 {
        let slot = rest.trailingZeroBitCount
        rest &= rest - 1
        compare(part << 6 | slot, pair)
      }
    }
    compareExtras(pair)
    for place in legacy.shape.lossOrder where !found.taken[place] { add(legacy.shape.losses[place]) }
  }

  private func pair(_ legacy: RecordView, _ server: RecordView, _ known: EventTable.Reading?) -> Pair {
    let isServerCast = server.head.origin == .cast
    let isFromLegacy = legacy.head.origin == .legacy || legacy.head.origin == .cast && !isServerCast
    let isCast = legacy.head.origin == .cast
    let around = surroundings(legacy, server)
    // The companion of an upgrade or a refund names the period that the action ended, V2 the one that it led to.
    let isEnded =
      around.isOtherPurchase
      && (legacy[FieldNumber.isUpgraded]?.integer == 1 || legacy[FieldNumber.revocationDate] != nil)
    if legacy.head.isAbsorbed, isCast ? !isServerCast : legacy.head.origin == .legacy && isEnded {
      legacy.drop(.transaction)
    }
    if legacy.head.isPart || server.head.isPart {
      for part in [ObjectPart.history, .statuses, .group, .item] {
        legacy.drop(part)
        server.drop(part)
      }
    }
    let reading =
      known == nil && isFromLegacy && legacy.head.decision >= 0
      ? events.reading(
        Int(legacy.head.decision), legacy.head.alternatives, cast: legacy.shape.event, server: server.shape.event,
        numbers: (legacy.shape.eventNumber, server.shape.eventNumber)) : known
    return Pair(
      legacy: legacy, server: server, around: around, isFromLegacy: isFromLegacy,
      isOneOfTwoCast: legacy.head.origin == .legacy || isCast != isServerCast, reading: reading)
  }

  private func surroundings(_ legacy: RecordView, _ server: RecordView) -> Surroundings {
    var around = Surroundings()
    around.ends = (
      legacy.integer(FieldNumber.expiresDate), server.integer(FieldNumber.expiresDate),
      legacy.integer(FieldNumber.renewalDate), server.integer(FieldNumber.renewalDate)
    )
    around.graces = (
      legacy.integer(FieldNumber.gracePeriodExpiresDate), server.integer(FieldNumber.gracePeriodExpiresDate)
    )
    around.signedDate =
      server.integer(FieldNumber.signedDate) ?? server.integer(FieldNumber.renewalSignedDate)
      ?? server.integer(FieldNumber.transactionSignedDate)
    around.eventTime = legacy.head.asOf
    if server.head.unit == .notification, let written = legacy.head.written, let signed = around.signedDate {
      // A date of the event itself does not show that its message was written later.
      let isLater = legacy.head.asOf.map { written > $0 } ?? true
      around.isSnapshotLater = isLater && written > signed + table.tolerance(.snapshot)
    }
    if server.head.unit == .notification, let time = legacy.head.asOf, let written = legacy.head.written,
      let signed = around.signedDate
    {
      around.isChangedBetween = time < written && written <= signed + table.tolerance(.snapshot)
    }
    if let time = legacy.head.asOf, let revocation = server.integer(FieldNumber.revocationDate) {
      around.isRevokedLater = revocation > time && around.signedDate.map { $0 >= revocation } ?? true
    }
    if let one = legacy[FieldNumber.webOrderLineItemId], let two = server[FieldNumber.webOrderLineItemId] {
      around.isSamePurchase = one.isEqual(to: two)
      around.isOtherPurchase = !around.isSamePurchase
    }
    around.between = TimeBetween(
      legacy, server, signed: around.signedDate, serverEnd: serverEnd, isOtherPurchase: around.isOtherPurchase, limits)
    around.isReadAsUpgrade = isReadAsUpgrade(legacy, server)
    return around
  }

  /// V1 leaves open whether a cancellation was a refund or an upgrade, and V2 has the upgrade.
  private func isReadAsUpgrade(_ legacy: RecordView, _ server: RecordView) -> Bool {
    let fields = [FieldNumber.revocationDate, FieldNumber.revocationReason]
    guard server[FieldNumber.isUpgraded]?.integer == 1, fields.allSatisfy({ server[$0] == nil }),
      fields.contains(where: { legacy[$0] != nil && legacy.field($0).isInferred })
    else { return false }
    // A problem with the app is a reason for refunds only.
    let isForApp = legacy.integer(FieldNumber.revocationReason) == Int64(RevocationReason.issueInApp.rawValue)
    return !server.event.takesBack && !isForApp
  }

  // MARK: one field

  @inline(__always)
  private func compare(_ index: Int, _ pair: Pair) {
    let entry = book.entries[index]
    let (cast, server) = (pair.legacy[index], pair.server[index])
    if let cast, let server, !entry.isEvent, !entry.isNeverCompared, !pair.legacy.shape.hasUnreadable,
      cast.isEqual(to: server)
    {
      let agreement = pair.isFromLegacy ? agreement(index, entry, pair) : .identical
      let outcome = Outcome(differenceClass: agreement, kind: .equal)
      found.findings.append(Finding(path: index, subject: .field(index), outcome: outcome, kind: .same))
      return
    }
    compare(index, entry, cast: cast, server: server, in: pair)
  }

  private func agreement(_ index: Int, _ entry: FieldBook.Entry, _ pair: Pair) -> DifferenceClass {
    let field = pair.legacy.field(index)
    return field.isInferred ? .derived : relation(field, entry, pair).differenceClass
  }

  private func relation(_ field: EventShape.Field, _ entry: FieldBook.Entry, _ pair: Pair) -> Relation {
    pair.legacy.head.origin == .legacy ? field.relation : entry.knowledge?.relation ?? .serverOnly
  }

  private func compare(
    _ index: Int, _ entry: FieldBook.Entry, cast: ScalarView?, server: ScalarView?, in pair: Pair
  ) {
    let field = cast == nil ? nil : pair.legacy.field(index)
    let shape = pair.legacy.shape
    let open = field == nil && entry.knowledge?.mayBeOpen == true ? open(index >> 6, pair) : nil
    let isStated = field != nil || open != nil
    var loss =
      !isStated || shape.hasUnreadable ? take(entry, part: index >> 6, shape, onlyUnreadable: isStated) : nil
    let isUnreadable = loss.map { shape.losses[$0].fate == .unreadable } ?? false
    if open != nil, !isUnreadable { loss = takeOpen(index, entry, pair) }
    let situation = Situation(
      field: entry.knowledge,
      relation: field.map { relation($0, entry, pair) } ?? entry.knowledge?.relation ?? .serverOnly,
      isInferred: field?.isInferred ?? false, cast: cast, server: server,
      sibling: entry.sibling.flatMap { pair.server[$0] }, absence: absence(index, entry, pair),
      isFromLegacy: pair.isFromLegacy, isOneOfTwoCast: pair.isOneOfTwoCast, isUnreadable: isUnreadable, open: open,
      mayBeOther: field.map { mayBeOther($0, at: index, entry, in: pair) } ?? false)
    guard let outcome = outcome(situation, entry, pair) else {
      if let field { addSource(field) }
      return
    }
    if outcome.isNeverCompared, let field { addSource(field) }
    let kind =
      outcome.kind == .unreadable ? .unreadableInV1 : DifferenceKind(cast, server, isDate: entry.isDate)
    found.findings.append(Finding(path: index, subject: .field(index), outcome: outcome, kind: kind, loss: loss))
  }

  /// The two offers that V1 names, of which V2 has one; a conversion leaves open what V1 leaves open.
  private func open(_ part: Int, _ pair: Pair) -> OpenOffer? {
    pair.server.head.origin == .cast ? nil : OpenOffer(pair.legacy, pair.server, part)
  }

  /// A conversion made earlier has no more than the mark of an inferred value.
  private func mayBeOther(
    _ field: EventShape.Field, at index: Int, _ entry: FieldBook.Entry, in pair: Pair
  ) -> Bool {
    guard entry.knowledge?.mayBe.isEmpty == false else { return false }
    guard pair.legacy.head.origin == .legacy else { return field.isInferred }
    return OpenOffer.mayBeWinBack(pair.legacy, pair.server, index >> 6)
  }

  private func outcome(_ situation: Situation, _ entry: FieldBook.Entry, _ pair: Pair) -> Outcome? {
    guard entry.isEvent, let reading = pair.reading else { return classifier.outcome(situation, pair.around) }
    return reading.outcome(isSubtype: entry.isSubtype, pair.around, table)
  }

  private func absence(_ index: Int, _ entry: FieldBook.Entry, _ pair: Pair) -> Account.Absence.Reason? {
    pair.legacy.head.origin == .legacy
      ? pair.legacy.shape.absence(index) : absence(entry.knowledge, pair.legacy.mask(index >> 6) != 0, pair)
  }

  /// A cast made earlier has no account: what it lacks in an object that is there was absent in V1, or V1 did not decide.
  private func absence(
    _ knowledge: ComparedField?, _ isObjectThere: Bool, _ pair: Pair
  ) -> Account.Absence.Reason? {
    guard pair.legacy.head.origin == .cast, pair.isFromLegacy else { return nil }
    if let undecidable = knowledge?.rule.comparing.undecidable,
      undecidable == "*" || undecidable == pair.legacy.text(FieldNumber.notificationType)
    {
      return .undetermined
    }
    return isObjectThere ? .absentInV1 : .objectAbsentInV1
  }

  // MARK: V1 values without a V2 place

  /// A V1 value that the field's rule names is in the field's row, not in a separate one: one that cannot be read, else
  /// the first.
  ///
  /// - Parameter onlyUnreadable: the field has a value, so only one that cannot be read matters.
  /// - Returns: the place of the value in the shape.
  private func take(_ entry: FieldBook.Entry, part: Int, _ shape: EventShape, onlyUnreadable: Bool) -> Int? {
    let rows = shape.rowsOfPart[part]
    guard let knowledge = entry.knowledge, knowledge.relation != .serverOnly, knowledge.number >= 0, rows != 0 else {
      return nil
    }
    var first: Int?
    for (place, loss) in shape.losses.enumerated()
    where Int(loss.rule) == knowledge.number && loss.row < 64 && rows & 1 << UInt64(loss.row) != 0 {
      if loss.fate == .unreadable, !found.taken[place] {
        found.taken[place] = true
        return place
      }
      if first == nil, loss.isShown, !found.gone[place] { first = place }
    }
    guard let first, !onlyUnreadable else { return nil }
    found.taken[first] = true
    return first
  }

  /// Of two V1 values for a field that V1 leaves open the one that V2's value is compared with.
  private func takeOpen(_ index: Int, _ entry: FieldBook.Entry, _ pair: Pair) -> Int? {
    let slot = OpenOffer.slot(ofType: pair.server[entry.sibling ?? index])
    let place = pair.legacy.field(index & ~63 | slot).place
    guard let number = pair.legacy.shape.losses.firstIndex(where: { $0.place == place }), !found.gone[number] else {
      return nil
    }
    found.taken[number] = true
    return number
  }

  /// The V1 value of a field that is not compared has a separate row, unless another field was made of it.
  private func addSource(_ field: EventShape.Field) {
    guard field.isSoleUse, field.place != .none else { return }
    addOnce(paths.number(of: field.place), Outcome(differenceClass: .legacyOnly, kind: .missing))
  }

  private func add(_ loss: EventShape.Loss) {
    let path = loss.unknownPath.map { paths.number(of: $0, isV1: true) } ?? paths.number(of: loss.place)
    addOnce(
      path,
      Outcome(differenceClass: loss.fate.differenceClass, kind: loss.fate == .unreadable ? .unreadable : .missing))
  }

  /// Lists have many objects of one path; a pair counts it once.
  private func addOnce(_ path: Int, _ outcome: Outcome) {
    guard found.isFirst(path, of: paths.count) else { return }
    let kind = outcome.kind == .unreadable ? DifferenceKind.unreadableInV1 : .absentInV2
    found.findings.append(Finding(path: path, subject: .legacy, outcome: outcome, kind: kind))
  }

  // MARK: values in no slot

  private func compareExtras(_ pair: Pair) {
    extras.removeAll(keepingCapacity: true)
    guard !pair.server.extras.isEmpty || !pair.legacy.extras.isEmpty else { return }
    gatherExtras(pair.legacy.shape.extras, pair.server.shape.extras)
    var places: [Int: Int] = [:]
    for place in extras.indices {
      guard let finding = finding(place, pair) else { continue }
      if keepsPlaces {
        found.findings.append(finding)
      } else if let known = places[finding.path] {
        // All places of a list are one path: the most serious class counts.
        if finding.differenceClass < found.findings[known].differenceClass { found.findings[known] = finding }
      } else {
        places[finding.path] = found.findings.count
        found.findings.append(finding)
      }
    }
  }

  /// Both sides' values in one order: where both have a value the order is that of V2.
  private func gatherExtras(_ cast: [EventShape.Extra], _ server: [EventShape.Extra]) {
    var places: [String: Int] = [:]
    for (place, extra) in server.enumerated() where places[extra.path] == nil { places[extra.path] = place }
    var (next, added) = (0, [String: Int]())
    func add(_ extra: EventShape.Extra, cast: Int?, server: Int?) {
      guard added[extra.path] == nil else { return }
      added[extra.path] = extras.count
      extras.append(Extra(extra: extra, cast: cast, server: server))
    }
    for (place, extra) in cast.enumerated() {
      let other = places[extra.path]
      while let other, next < other {
        add(server[next], cast: nil, server: next)
        next += 1
      }
      if let known = added[extra.path] { extras[known].cast = extras[known].cast ?? place }
      add(extra, cast: place, server: other)
    }
    while next < server.count {
      add(server[next], cast: nil, server: next)
      next += 1
    }
  }

  private func finding(_ place: Int, _ pair: Pair) -> Finding? {
    let extra = extras[place].extra
    let (cast, server) = (
      extras[place].cast.map { pair.legacy.extras[$0] }, extras[place].server.map { pair.server.extras[$0] }
    )
    let knowledge = book.knowledge(of: extra)
    let isObjectThere = extra.part < EventPart.count && pair.legacy.mask(extra.part) != 0
    let situation = Situation(
      field: knowledge, relation: knowledge?.relation ?? .serverOnly, cast: cast, server: server,
      absence: knowledge == nil ? nil : absence(knowledge, isObjectThere, pair), isFromLegacy: pair.isFromLegacy,
      isOneOfTwoCast: pair.isOneOfTwoCast)
    guard let outcome = classifier.outcome(situation, pair.around) else { return nil }
    let isDate = extra.owner.map { book.entries[$0].isDate } ?? false
    return Finding(
      path: keepsPlaces ? place : number(extra), subject: .extra(place), outcome: outcome,
      kind: DifferenceKind(cast, server, isDate: isDate))
  }

  private func number(_ extra: EventShape.Extra) -> Int {
    if let owner = extra.owner, book.entries[owner].path == extra.name { return owner }
    return paths.number(of: extra.name, isV1: false)
  }
}
