internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Compares the objects of one pair of records, and makes rows of what the comparer finds.
final class RowComparer {
  let rules: RuleSet
  let maker: RowMaker
  let legacy: ComparedRecord
  let server: ComparedRecord
  let one: RecordView
  let two: RecordView
  /// The rows so far.
  private(set) var rows: FieldDifferences
  private let comparer: ViewComparer
  private let compact: CompactRows

  init(_ tools: ComparisonTools, _ legacy: ComparedRecord, _ server: ComparedRecord) {
    (rules, comparer, one, two) = (tools.rules, tools.comparer, tools.one, tools.two)
    (self.legacy, self.server) = (legacy, server)
    let isFromLegacy = legacy.origin == .legacy || legacy.origin == .cast && server.origin != .cast
    maker = RowMaker(rules: rules, book: tools.comparer.book, isFromLegacy: isFromLegacy)
    compact = CompactRows(maker)
    rows = FieldDifferences(compact: compact)
  }

  /// A unit of each record and how they are compared.
  struct Pair {
    /// The unit of the legacy record; `nil` where it has none.
    var cast: ComparedRecord.Unit?
    var server: ComparedRecord.Unit?
    /// The path of the unit in the V2 record.
    var place: UnitPlace
    /// When the legacy event happened.
    var eventTime: Int64?
    /// Type and subtype as one event, where there is one.
    var decision: TypeRule?
    /// The fields to make rows of, by part and name; `nil` for all.
    var isWanted: ((ObjectPart, String) -> Bool)?
  }

  /// Adds the rows of a pair: one for every value on either side, in the order of the field tables.
  ///
  /// - Parameter prepare: may leave out objects of the two views.
  func compare(_ pair: Pair, _ prepare: () -> Void = {}) {
    legacy.show(pair.cast, in: one)
    server.show(pair.server, in: two)
    (one.head.asOf, one.head.written) = (pair.eventTime, legacy.written ?? pair.eventTime)
    one.head.showsOnePeriod = legacy.showsOnePeriod
    (one.head.decision, two.head.decision) = (-1, -1)
    two.head.unit = unit
    prepare()
    let event = pair.decision.map { EventReading(decision: $0, cast: one.event, server: two.event) }
    comparer.compare(one, two, reading: event.map { EventTable.Reading($0, rules) }) { place in
      lossPlace(place, pair).map { legacy.source?.isGone($0) ?? false } ?? true
    }
    let order = FieldOrder.of(pair.place == .envelope ? server.form.envelope : pair.place.outermost)
    for place in order.sorted(comparer) { add(comparer.findings[place], pair, event) }
    addEventTimes(order, pair)
  }

  /// What the pairs are; the image of one record does not say it, only of what `parity` takes apart.
  private var unit: ParityUnit {
    switch server.form == .parts ? legacy.form : server.form {
    case .history: .transaction
    case .statuses: .subscription
    case .notification, .appTransaction, .parts: .notification
    }
  }

  /// The place among the V1 values without a V2 field of one in the shape.
  private func lossPlace(_ place: Int, _ pair: Pair) -> Int? {
    guard let cast = pair.cast, let source = legacy.source else { return nil }
    return Int(source.lossesOfUnits[cast.losses + place])
  }

  func append(_ row: FieldDifference) { rows.append(row) }

  /// Changes rows that were made.
  func change(_ place: Int, _ change: (inout FieldDifference) -> Void) { change(&rows[place]) }

  /// Adds the V1 values without a V2 field that have no row yet.
  func addRest() {
    guard let source = legacy.source else { return }
    source.forEachRest { value in
      let number = compact.append(value, source)
      rows.append(compact: number, value.fate.differenceClass, isUnreadable: value.fate == .unreadable)
    } _: {
      rows.append(maker.row($0))
    }
  }

  // MARK: one row

  private func add(_ finding: ViewComparer.Finding, _ pair: Pair, _ event: EventReading?) {
    switch finding.subject {
    case .field(let index): addField(index, finding, pair, event: event)
    case .extra(let place): addExtra(place, finding, pair)
    case .legacy: break
    }
  }

  private func addField(_ index: Int, _ finding: ViewComparer.Finding, _ pair: Pair, event: EventReading?) {
    let (part, name) = ObjectPart.field(index)
    let loss = finding.loss.flatMap { lossPlace($0, pair) }.flatMap { legacy.source?.take($0) }
    guard pair.isWanted?(part, name) ?? true else { return }
    let (cast, server) = (one[index], two[index])
    let field = cast.map { _ in one.field(index) }
    let hasAccount = field != nil && legacy.source != nil
    var source = loss?.source ?? (hasAccount ? self.source(of: index, pair) : nil)
    if finding.outcome.isNeverCompared, hasAccount { source = nil }
    let row = CompactRows.Field(
      outcome: finding.outcome, index: index, place: pair.place, relation: hasAccount ? field?.relation : nil,
      isInferred: field?.isInferred ?? false, cast: cast, server: server, source: source,
      unreadable: finding.isUnreadable ? loss?.reason : nil)
    let knowledge = comparer.book.entries[index].knowledge
    guard let event, knowledge?.rule.comparing.compare == .event else {
      let number = compact.append(row, legacy.source)
      return rows.append(compact: number, finding.differenceClass, isUnreadable: finding.isUnreadable)
    }
    let found = RowMaker.Found(
      outcome: row.outcome, path: pair.place.prefix(part) + name,
      name: RuleName(part, name), knowledge: knowledge, relation: row.relation,
      isInferred: row.isInferred, v1Path: source.flatMap { legacy.source?.path($0) },
      v1: source.flatMap { legacy.source?.text($0) }, cast: cast?.fieldValue, server: server?.fieldValue,
      unreadable: row.unreadable)
    rows.append(maker.row(found, event: event))
  }

  /// The V1 value behind a value of the cast.
  private func source(of index: Int, _ pair: Pair) -> Int? {
    guard let source = legacy.source, let cast = pair.cast else { return nil }
    let place = Int(source.values[cast.values + one.place(index)])
    return place == 0 ? nil : place
  }

  private func addExtra(_ place: Int, _ finding: ViewComparer.Finding, _ pair: Pair) {
    let extra = comparer.extras[place]
    let cast = extra.cast.flatMap { place in pair.cast.map { $0.leaves[place] } }
    let server = extra.server.flatMap { place in pair.server.map { $0.leaves[place] } }
    guard let leaf = server ?? cast else { return }
    let part = ObjectPart.allCases[extra.extra.owner.map { $0 >> 6 } ?? extra.extra.part]
    let name = String(leaf.path.dropFirst(part.path.count))
    guard pair.isWanted?(part, name) ?? true else { return }
    rows.append(
      maker.row(
        RowMaker.Found(
          outcome: finding.outcome, path: pair.place.prefix(part) + name, name: leaf.rule,
          knowledge: comparer.book.knowledge(of: extra.extra), cast: cast?.value, server: server?.value)))
  }

  /// The V1 date of a date that is never compared has a separate row, unless another field was made from it.
  private func addEventTimes(_ order: FieldOrder, _ pair: Pair) {
    let fields = one.shape.fields
    guard let source = legacy.source, fields.contains(where: \.isSoleUse) else { return }
    var compared: Set<Int> = []
    for finding in comparer.findings where !finding.outcome.isNeverCompared {
      if case .field(let index) = finding.subject { compared.insert(index) }
    }
    let rest = fields.filter { $0.isSoleUse && !compared.contains($0.index) }
    for field in rest.sorted(by: { order.rank($0.index) < order.rank($1.index) }) {
      guard let cast = pair.cast, let place = fields.firstIndex(where: { $0.index == field.index }) else { continue }
      let value = Int(source.values[cast.values + place])
      let key = source.key(value).string
      let rule = rules.fields.first { $0.to == nil && $0.from.contains(key) }
      let isDate = comparer.book.entries[field.index].isDate
      source.append(
        Account.Unmapped(
          v1Path: source.path(value), v1Value: source.text(value),
          rule: rule?.id ?? comparer.book.entries[field.index].knowledge?.rule.id,
          reason: isDate ? "the time of the event; V2 has no separate field for it" : "its V2 field is not compared"))
    }
  }
}

/// The order of rows: that of the field tables, each object in the place where it is a member.
struct FieldOrder {
  private var ranks = [Int](repeating: 0, count: EventPart.fieldCount)
  private var ends = [Int](repeating: 0, count: EventPart.count)
  private var next = 0

  private static let orders = ConversionOutline.Part.allCases.map { FieldOrder($0) }

  /// The order for the objects inside one.
  static func of(_ part: ConversionOutline.Part) -> FieldOrder { orders[Int(part.rawValue)] }

  private init(_ part: ConversionOutline.Part) { add(part) }

  private mutating func add(_ part: ConversionOutline.Part) {
    for slot in part.schema.fields.indices {
      switch (part, part.child(slot)) {
      // An answer is compared object by object.
      case (.notification, let child?), (.data, let child?), (.item, let child?): add(child)
      default:
        ranks[part.number(of: slot)] = next
        next += 1
      }
    }
    ends[Int(part.rawValue)] = next
    next += 1
  }

  /// The place of a field, by part and slot.
  func rank(_ index: Int) -> Int { ranks[index] }

  /// The places of what a comparer found about fields, in order.
  func sorted(_ comparer: ViewComparer) -> [Int] {
    comparer.findings.indices.compactMap { place -> (Int, Int, Int)? in
      switch comparer.findings[place].subject {
      case .field(let index): return (ranks[index], 0, place)
      case .extra(let number):
        let extra = comparer.extras[number].extra
        return (extra.owner.map { ranks[$0] } ?? ends[extra.part], number, place)
      case .legacy: return nil
      }
    }.sorted { $0 < $1 }.map(\.2)
  }
}
