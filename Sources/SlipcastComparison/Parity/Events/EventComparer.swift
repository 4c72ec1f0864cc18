package import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Compares two events as images: the same classes as `RecordComparer`, without words; used again for every pair.
///
/// What one path says is classed by the one `Classifier`; a test lays both ways side by side.
package final class EventComparer {
  /// A path of the pair at hand and its class.
  struct Finding {
    var path: Int
    var differenceClass: DifferenceClass
    var kind: DifferenceKind
    /// V1's value cannot be read.
    var isUnreadable = false
  }

  /// What the pair at hand gave.
  @exclusivity(unchecked) private(set) var findings: [Finding] = []
  let paths = PathBook()
  package let book: FieldBook
  private let table: ComparingTable
  private let classifier: Classifier<ScalarView>
  let events: EventTable
  /// V1 values of the pair at hand that have a row of their own elsewhere, by their place in the shape.
  @exclusivity(unchecked) private var taken: [Bool] = []
  @exclusivity(unchecked) private var stamps: [UInt32] = []
  @exclusivity(unchecked) private var stamp: UInt32 = 0

  package init(_ rules: RuleSet) {
    book = FieldBook(rules)
    table = ComparingTable(rules)
    classifier = Classifier(table: table)
    events = EventTable(rules)
  }

  /// What stands around the fields of one pair.
  private struct Pair {
    let legacy: EventSide
    let server: EventSide
    let around: Surroundings
    let isFromLegacy: Bool
    let isOneOfTwoCast: Bool
    let reading: EventTable.Reading?
  }

  /// Compares a pair; `findings` has a class for every path that stands on either side.
  package func compare(_ legacy: EventSide, _ server: EventSide) {
    findings.removeAll(keepingCapacity: true)
    let pair = self.pair(legacy, server)
    taken.removeAll(keepingCapacity: true)
    taken.append(contentsOf: repeatElement(false, count: legacy.shape.losses.count))
    nextStamp()
    for part in 0..<EventPart.count {
      var rest = legacy.mask(part) | server.mask(part)
      while rest != 0 {
        let slot = rest.trailingZeroBitCount
        rest &= rest - 1
        compare(part << 6 | slot, pair)
      }
    }
    compareExtras(pair)
    for place in legacy.shape.lossOrder where !taken[place] { add(legacy.shape.losses[place]) }
  }

  private func pair(_ legacy: EventSide, _ server: EventSide) -> Pair {
    let isServerCast = server.head.origin == .cast
    let isFromLegacy = legacy.head.origin == .legacy || legacy.head.origin == .cast && !isServerCast
    let isCast = legacy.head.origin == .cast
    if isCast, !isServerCast, legacy.head.isAbsorbed { legacy.drop(.transaction) }
    if legacy.head.isPart || server.head.isPart {
      for part in [CastOutline.Part.history, .statuses, .group, .item] {
        legacy.drop(part)
        server.drop(part)
      }
    }
    let reading =
      isFromLegacy && legacy.head.decision >= 0
      ? events.reading(
        Int(legacy.head.decision), legacy.head.alternatives, cast: legacy.shape.event, server: server.shape.event,
        numbers: (legacy.shape.eventNumber, server.shape.eventNumber)) : nil
    return Pair(
      legacy: legacy, server: server, around: surroundings(legacy, server), isFromLegacy: isFromLegacy,
      isOneOfTwoCast: legacy.head.origin == .legacy || isCast != isServerCast, reading: reading)
  }

  private func surroundings(_ legacy: EventSide, _ server: EventSide) -> Surroundings {
    var around = Surroundings()
    around.expiries = Instants(
      legacy.integer(book.expiresDate), server.integer(book.expiresDate), legacy.integer(book.renewalDate),
      server.integer(book.renewalDate))
    around.graceEnds = Instants(
      legacy.integer(book.gracePeriodExpiresDate), server.integer(book.gracePeriodExpiresDate))
    around.signedDate =
      server.integer(book.signedDate) ?? server.integer(book.renewalSignedDate)
      ?? server.integer(book.transactionSignedDate)
    around.eventTime = legacy.head.asOf
    if let one = legacy[book.webOrderLineItemId], let two = server[book.webOrderLineItemId] {
      around.isSamePurchase = one.isEqual(to: two)
    }
    return around
  }

  // MARK: one field

  @inline(__always)
  private func compare(_ index: Int, _ pair: Pair) {
    let entry = book.entries[index]
    let (cast, server) = (pair.legacy[index], pair.server[index])
    if let cast, let server, !entry.isEvent, !entry.isNeverCompared, !pair.legacy.shape.hasUnreadable,
      cast.isEqual(to: server)
    {
      add(index, pair.isFromLegacy ? agreement(index, entry, pair) : .identical, .same)
      return
    }
    compare(index, entry, cast, server, pair)
  }

  private func agreement(_ index: Int, _ entry: FieldBook.Entry, _ pair: Pair) -> DifferenceClass {
    let field = pair.legacy.field(index)
    return field.isInferred ? .derived : relation(field, entry, pair).differenceClass
  }

  private func relation(_ field: EventShape.Field, _ entry: FieldBook.Entry, _ pair: Pair) -> Relation {
    pair.legacy.head.origin == .legacy ? field.relation : entry.knowledge?.relation ?? .serverOnly
  }

  private func compare(
    _ index: Int, _ entry: FieldBook.Entry, _ cast: ScalarView?, _ server: ScalarView?, _ pair: Pair
  ) {
    let field = cast == nil ? nil : pair.legacy.field(index)
    let shape = pair.legacy.shape
    let isUnreadable =
      field == nil || shape.hasUnreadable ? take(entry, part: index >> 6, shape, onlyUnreadable: field != nil) : false
    let situation = Situation(
      field: entry.knowledge,
      relation: field.map { relation($0, entry, pair) } ?? entry.knowledge?.relation ?? .serverOnly,
      isInferred: field?.isInferred ?? false, cast: cast, server: server,
      sibling: entry.sibling.flatMap { pair.server[$0] }, absence: absence(index, entry, pair),
      isFromLegacy: pair.isFromLegacy, isOneOfTwoCast: pair.isOneOfTwoCast, isUnreadable: isUnreadable)
    guard let outcome = outcome(situation, entry, pair) else {
      if let field { addSource(field) }
      return
    }
    if outcome.isNeverCompared, let field { addSource(field) }
    let isConflict = outcome.kind == .unreadable
    add(
      index, outcome.differenceClass, isConflict ? .unreadableInV1 : DifferenceKind(cast, server, isDate: entry.isDate),
      isUnreadable: isConflict)
  }

  private func outcome(_ situation: Situation<ScalarView>, _ entry: FieldBook.Entry, _ pair: Pair) -> Outcome? {
    guard entry.isEvent, let reading = pair.reading else { return classifier.outcome(situation, pair.around) }
    return reading.outcome(isSubtype: entry.isSubtype, pair.around, table)
  }

  private func absence(_ index: Int, _ entry: FieldBook.Entry, _ pair: Pair) -> Account.Absence.Reason? {
    switch pair.legacy.head.origin {
    case .legacy: return pair.legacy.shape.absence(index)
    case .cast where pair.isFromLegacy:
      if let undecidable = entry.knowledge?.rule.comparing.undecidable,
        undecidable == "*" || undecidable == pair.legacy.text(book.notificationType)
      {
        return .undetermined
      }
      return pair.legacy.mask(index >> 6) != 0 ? .absentInV1 : .objectAbsentInV1
    case .cast, .server: return nil
    }
  }

  // MARK: V1 values without a V2 place

  /// A V1 value that the field's rule speaks of stands in the field's row, not by itself: one that cannot be read, else
  /// the first.
  ///
  /// - Parameter onlyUnreadable: the field has a value, so only one that cannot be read matters.
  /// - Returns: true for a value that cannot be read.
  private func take(_ entry: FieldBook.Entry, part: Int, _ shape: EventShape, onlyUnreadable: Bool) -> Bool {
    let rows = shape.rowsOfPart[part]
    guard let knowledge = entry.knowledge, knowledge.relation != .serverOnly, knowledge.number >= 0, rows != 0 else {
      return false
    }
    var first: Int?
    for (place, loss) in shape.losses.enumerated()
    where Int(loss.rule) == knowledge.number && loss.row < 64 && rows & 1 << UInt64(loss.row) != 0 {
      if loss.fate == .unreadable, !taken[place] {
        taken[place] = true
        return true
      }
      if first == nil, loss.isShown { first = place }
    }
    if let first, !onlyUnreadable { taken[first] = true }
    return false
  }

  /// The V1 value behind a field that is not compared stands for itself, unless another field was made of it.
  private func addSource(_ field: EventShape.Field) {
    guard field.isSoleUse, field.place != .none else { return }
    addOnce(paths.number(of: field.place), .legacyOnly)
  }

  private func add(_ loss: EventShape.Loss) {
    let path = loss.unknownPath.map { paths.number(of: $0, isV1: true) } ?? paths.number(of: loss.place)
    addOnce(path, loss.fate.differenceClass, isUnreadable: loss.fate == .unreadable)
  }

  /// Lists have many objects of one path; a pair counts it once.
  private func addOnce(_ path: Int, _ differenceClass: DifferenceClass, isUnreadable: Bool = false) {
    if path >= stamps.count {
      stamps.append(contentsOf: repeatElement(0, count: max(paths.count, path + 1) - stamps.count))
    }
    guard stamps[path] != stamp else { return }
    stamps[path] = stamp
    add(path, differenceClass, isUnreadable ? .unreadableInV1 : .absentInV2, isUnreadable: isUnreadable)
  }

  private func nextStamp() {
    stamp &+= 1
    if stamp == 0 {
      stamps = []
      stamp = 1
    }
  }

  // MARK: values in no slot

  private func compareExtras(_ pair: Pair) {
    guard !pair.server.extras.isEmpty || !pair.legacy.extras.isEmpty else { return }
    var values: [Int: (extra: EventShape.Extra, cast: ScalarView?, server: ScalarView?)] = [:]
    for (place, extra) in pair.legacy.shape.extras.enumerated() {
      values[number(extra), default: (extra, nil, nil)].cast = pair.legacy.extras[place]
    }
    for (place, extra) in pair.server.shape.extras.enumerated() {
      values[number(extra), default: (extra, nil, nil)].server = pair.server.extras[place]
    }
    for (path, value) in values { compare(path, value.extra, value.cast, value.server, pair) }
  }

  private func number(_ extra: EventShape.Extra) -> Int {
    if let owner = extra.owner, book.entries[owner].path == extra.path { return owner }
    return paths.number(of: extra.path, isV1: false)
  }

  private func compare(
    _ path: Int, _ extra: EventShape.Extra, _ cast: ScalarView?, _ server: ScalarView?, _ pair: Pair
  ) {
    let knowledge = book.knowledge(of: extra)
    let situation = Situation(
      field: knowledge, relation: knowledge?.relation ?? .serverOnly, cast: cast, server: server,
      isFromLegacy: pair.isFromLegacy, isOneOfTwoCast: pair.isOneOfTwoCast)
    guard let outcome = classifier.outcome(situation, pair.around) else { return }
    let isDate = extra.owner.map { book.entries[$0].isDate } ?? false
    add(path, outcome.differenceClass, DifferenceKind(cast, server, isDate: isDate))
  }

  private func add(
    _ path: Int, _ differenceClass: DifferenceClass, _ kind: DifferenceKind, isUnreadable: Bool = false
  ) {
    findings.append(Finding(path: path, differenceClass: differenceClass, kind: kind, isUnreadable: isUnreadable))
  }
}
