internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Compares the objects of one pair of records, and puts what the comparer finds into rows.
final class RowComparer {
  private let rules: RuleSet
  private let side: CastSide
  private let views: ViewPair
  /// V1 values without a V2 field that still have no row.
  private(set) var losses: LossList
  /// The account of each value of the legacy view.
  private var accounts: [Account.Field?] = []
  /// The V1 objects that the values come from, by their number in the view.
  private var objects: [String] = []
  /// The places of the view's losses in `losses`.
  private var lossPlaces: [Int] = []
  private var leaves: (cast: [Leaf], server: [Leaf]) = ([], [])
  /// How many values were made of each V1 value.
  private lazy var uses = Dictionary(side.fields.values.compactMap { $0.v1Path.map { ($0, 1) } }, uniquingKeysWith: +)

  init(_ rules: RuleSet, _ side: CastSide, _ views: ViewPair) {
    (self.rules, self.side, self.views) = (rules, side, views)
    losses = LossList(side.losses)
  }

  /// The objects of one pair, and what their paths begin with.
  struct Objects {
    var cast: [ComparedObject]
    var server: [ComparedObject]
    var castPaths = ObjectPaths.notification
    var paths = ObjectPaths.notification
    /// When the legacy event happened.
    var eventTime: Int64?
    /// Type and subtype as one event, where there is one.
    var event: EventReading?
  }

  /// The rows of a pair: one for every value on either side, in the order of the field tables.
  func rows(_ objects: Objects) -> [FieldDifference] {
    fillLegacy(objects)
    leaves.server = views.fill(views.two, objects.server, origin: side.serverOrigin) { _, _ in ViewWriter.Source() }
    let reading = objects.event.flatMap { $0.decision == nil ? nil : EventTable.Reading($0, rules) }
    views.comparer.compare(views.one, views.two, reading: reading)
    let order = FieldOrder.of(objects.server.first?.part ?? .notification)
    let places = order.sorted(views.comparer)
    let rows = places.compactMap { row(views.comparer.findings[$0], objects) }
    addEventTimes(order)
    return rows
  }

  // MARK: the legacy view

  private func fillLegacy(_ pair: Objects) {
    accounts.removeAll(keepingCapacity: true)
    objects.removeAll(keepingCapacity: true)
    lossPlaces.removeAll(keepingCapacity: true)
    leaves.cast = views.fill(
      views.one, pair.cast, origin: side.castOrigin, eventTime: pair.eventTime,
      source: { part, name in source(pair.castPaths[part] + name) },
      finish: { writer in
        for object in pair.server { addAbsences(object.part, pair.castPaths, writer) }
        for loss in losses.candidates(in: objects) {
          guard let number = loss.value.rule.flatMap({ views.ruleNumbers[$0] }) else { continue }
          lossPlaces.append(loss.place)
          writer.shape.add(
            loss: EventShape.Loss(
              place: .none, unknownPath: nil, row: UInt8(loss.object), rule: number, isShown: loss.isFirst,
              fate: loss.value.fate))
        }
      })
  }

  private func source(_ path: String) -> ViewWriter.Source {
    let account = side.fields[path]
    accounts.append(account)
    var source = ViewWriter.Source(isInferred: side.isInferred(path, account))
    guard let account else { return source }
    source.relation = account.relation
    if let object = account.v1Path?.parentPath { source.row = number(of: object) }
    return source
  }

  private func number(of object: String) -> UInt8 {
    if let known = objects.firstIndex(of: object) { return UInt8(known) }
    guard objects.count < 64 else { return CastOutline.noRow }
    objects.append(object)
    return UInt8(objects.count - 1)
  }

  private func addAbsences(_ part: CastOutline.Part, _ paths: ObjectPaths, _ writer: ViewWriter) {
    let table = PartTable.shared.parts[Int(part.rawValue)]
    for absence in side.absences[String(paths[part].dropLast())] ?? [] {
      guard let slot = table.slot(absence.name) else { continue }
      writer.shape.add(absence: EventPart.index(part, slot), absence.reason)
    }
  }

  /// The V1 date behind a date that is never compared stands for itself, unless another field was made from it.
  private func addEventTimes(_ order: FieldOrder) {
    guard accounts.contains(where: { $0?.v1Path != nil }) else { return }
    var compared: Set<Int> = []
    for finding in views.comparer.findings where !finding.outcome.isNeverCompared {
      if case .field(let index) = finding.subject { compared.insert(index) }
    }
    let fields = views.one.shape.fields
    let rest = fields.indices.filter { !compared.contains(fields[$0].index) }
    for place in rest.sorted(by: { order.rank(fields[$0].index) < order.rank(fields[$1].index) }) {
      guard let field = accounts[place], let path = field.v1Path, uses[path] == 1 else { continue }
      let key = path.lastKey
      let rule = rules.fields.first { $0.to == nil && $0.from.contains(key) }
      losses.append(
        Account.Unmapped(
          v1Path: path, v1Value: field.v1Value, rule: rule?.id ?? field.rule,
          reason: "the time of the event; V2 has no place of its own for it"))
    }
  }

  // MARK: one row

  /// A field of either side, with the names of its rule.
  private struct Subject {
    var part: CastOutline.Part
    /// The path behind what the paths of the part begin with.
    var name: String
    var rule: RuleName
    var knowledge: ComparedField?
    var cast: FieldValue?
    var server: FieldValue?
    var account: Account.Field?
  }

  private func subject(_ finding: ViewComparer.Finding) -> Subject? {
    switch finding.subject {
    case .field(let index):
      let part = PartTable.shared.parts[index >> 6]
      let name = part.members[index & 63].name
      let (cast, server) = (views.one[index], views.two[index])
      return Subject(
        part: part.part, name: name, rule: RuleName(family: part.family, to: part.under + name),
        knowledge: views.comparer.book.entries[index].knowledge, cast: cast?.fieldValue, server: server?.fieldValue,
        account: cast == nil ? nil : accounts[views.one.place(index)])
    case .extra(let place):
      let extra = views.comparer.extras[place]
      let (cast, server) = (extra.cast.map { leaves.cast[$0] }, extra.server.map { leaves.server[$0] })
      guard let leaf = server ?? cast else { return nil }
      let part = PartTable.shared.parts[extra.extra.owner.map { $0 >> 6 } ?? extra.extra.part]
      return Subject(
        part: part.part, name: String(leaf.path.dropFirst(part.prefix.count)), rule: leaf.rule,
        knowledge: views.comparer.book.knowledge(of: extra.extra), cast: cast?.value, server: server?.value)
    case .legacy: return nil
    }
  }

  private func row(_ finding: ViewComparer.Finding, _ objects: Objects) -> FieldDifference? {
    guard let subject = subject(finding) else { return nil }
    let loss = finding.loss.map { losses.take(lossPlaces[$0]) }
    var origin = (path: loss?.v1Path ?? subject.account?.v1Path, value: loss?.v1Value)
    if loss == nil { origin.value = subject.account?.v1Value }
    if finding.outcome.isNeverCompared, subject.account != nil { origin = (nil, nil) }
    let rule = subject.knowledge?.rule
    let field = Wording.Field(
      rule: rule, relation: subject.account?.relation ?? rule?.relation ?? .serverOnly,
      isInferred: side.isInferred(objects.castPaths[subject.part] + subject.name, subject.account),
      isFromLegacy: side.isFromLegacy, cast: subject.cast, server: subject.server)
    let wording = Wording(
      rules: rules, field: field, name: subject.rule, v1: (origin.value, origin.path?.lastKey),
      unreadable: finding.isUnreadable ? loss?.reason : nil)
    let event = rule?.comparing.compare == .event && objects.event?.decision != nil ? objects.event : nil
    var row = FieldDifference(
      v1Path: origin.path, v2Path: objects.paths[subject.part] + subject.name,
      v1: origin.path.map { _ in origin.value.map(ComparedValue.json) ?? .several },
      cast: field.cast?.compared, v2: field.server?.compared, differenceClass: finding.differenceClass,
      rule: rule?.id, confidence: rule?.confidence,
      explanation: event?.words(finding.outcome, subject.rule, rules) ?? wording.text(finding.outcome),
      note: rule?.note, sources: rule.map { rules.citations(of: $0) } ?? [], isUnreadable: finding.isUnreadable)
    if let event { add(event, finding.outcome, to: &row) }
    if field.isInferred { row.confidence = .inferred }
    let sources = reading(finding.outcome, subject.rule.last)
    row.sources += sources.filter { !row.sources.contains($0) }
    return row
  }

  /// The row of the decision table stands for the rule of type and subtype.
  private func add(_ event: EventReading, _ outcome: Outcome, to row: inout FieldDifference) {
    guard let decision = event.decision else { return }
    (row.rule, row.confidence, row.sources) = (decision.id, decision.confidence, rules.citations(decision.source))
    row.note = decision.note ?? row.note
    row.isAcceptedReading = outcome.kind == .read(.event) && ![.equal, .differs].contains(event.standing)
  }

  /// The documents behind a reading that decided.
  private func reading(_ outcome: Outcome, _ name: String) -> [Citation] {
    guard case .read(let way) = outcome.kind, way != .event, let rule = rules.comparing(way) else { return [] }
    return rules.citations(rule.source, of: name)
  }
}

extension EventReading {
  /// One line for a person about type or subtype; `nil` where its own value decides.
  fileprivate func words(_ outcome: Outcome, _ name: RuleName, _ rules: RuleSet) -> String? {
    let isSubtype = name.to == "subtype"
    switch outcome.kind {
    case .read(.boundary): return nil
    case .unknownValue:
      return isSubtype && !rules.knows(type: server.notificationType) ? Self.subtypeOfUnknownType : nil
    case .read(.event) where standing == .differs: return Self.half(subtype: isSubtype)
    default: return explanation
    }
  }
}

extension ScalarView {
  /// The value as typed models have it.
  fileprivate var fieldValue: FieldValue {
    switch kind {
    case .text: .text(string)
    case .integer: .integer(integer)
    case .boolean: .boolean(integer != 0)
    case .json: .json(string)
    }
  }
}

extension String {
  /// The path of the object around a value: up to the last dot.
  var parentPath: String { utf8.lastIndex(of: UInt8(ascii: ".")).map { String(self[..<$0]) } ?? "" }

  /// The last name of a path, without an array place.
  var lastKey: String {
    let last = utf8.lastIndex(of: UInt8(ascii: ".")).map { self[index(after: $0)...] } ?? self[...]
    return String(last.prefix { $0 != "[" })
  }
}
