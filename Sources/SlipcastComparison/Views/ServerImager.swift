package import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

/// Writes the images of V2 notifications, decoded or signed; one imager serves one worker.
///
/// `RecordReader` reads single records with it.
package final class ServerImager {
  let view: ViewWriter
  private let decisions: [String: Int16]
  /// The events that `EventMask` counts.
  private let events: [EventName]
  let signed: [SignedText]
  var head = EventHead()
  let members = MemberList()
  /// Slipcast made the record that was written last: it has `migration` or an id that Slipcast made, it is not signed,
  /// or a test identity signed it.
  package internal(set) var isConverted = false
  /// What of the record that was written last is text instead of a number or boolean, and was read all the same.
  package internal(set) var ofOtherKind = ValuesOfOtherKind()
  /// Paths of conclusions in a cast made earlier.
  var inferred: Set<String> = []
  /// Conclusions in a cast made earlier are marked as such.
  var keepsConclusions = true
  /// Where the objects stand, as those paths say it.
  var place = UnitPlace.notification
  /// Slipcast's own account in the notification that was read last.
  private(set) var migration: Migration?
  /// What is wrong with it; it is at the end of records, so other faults come first.
  private(set) var migrationFault: ComparisonError?
  private(set) var partsRead: UInt16 = 0
  /// The first transactions that the transaction and the renewal name.
  private(set) var originals: (transaction: JSONText?, renewal: JSONText?) = (nil, nil)
  var decodedCount = 0
  var isInPayload = false
  private var type: JSONText?
  private var subtype: JSONText?
  private let name = JSONWriter(capacity: 256)

  /// The keys that tapes must number.
  package static var keys: [String] { KeyTable.shared.names }

  package init(_ table: ShapeTable, _ rules: RuleSet, limits: JSONLimits) {
    view = ViewWriter(table)
    events = rules.events
    decisions = Dictionary(
      rules.types.enumerated().map { ($1.id, Int16(truncatingIfNeeded: $0)) }, uniquingKeysWith: { first, _ in first })
    signed = (0..<3).map { _ in SignedText(limits) }
  }

  /// What a V2 record lists; `nil` for anything else.
  package static func unit(_ tape: JSONTape, _ root: Int) -> ParityUnit? {
    switch V2Form(tape, root) {
    case .signedPayload, .notification, .notificationHistory: .notification
    case .statuses: .subscription
    case .history, .transaction: .transaction
    // A renewal by itself names no transaction.
    case .parts: hasTransaction(tape, root) ? .transaction : nil
    case .renewalInfo, .appTransaction, .legacy, nil: nil
    }
  }

  private static func hasTransaction(_ tape: JSONTape, _ root: Int) -> Bool {
    JSONElement(tape: tape, index: root).children.contains { child in
      let key = tape[child.index].key
      return key == Key.transactionInfo || key == Key.signedTransactionInfo
    }
  }

  /// Writes the images of all that a record lists.
  ///
  /// - Throws: `ComparisonError` for a member of another kind than Apple documents, and for what should be signed and is
  ///   not.
  package func write(
    _ tape: JSONTape, root: Int, _ unit: ParityUnit, record: Int64, receivedAt: Int64?, to writer: JSONWriter,
    _ mark: () -> Void
  ) throws(ComparisonError) {
    (isConverted, ofOtherKind) = (false, ValuesOfOtherKind())
    func image(_ fill: () throws(ComparisonError) -> Void) throws(ComparisonError) {
      begin(unit, record, receivedAt)
      try fill()
      if unit != .notification { finishUnit() }
      if head.origin == .cast || unit != .notification && head.asOf == nil { isConverted = true }
      view.write(head, to: writer)
      mark()
    }
    switch unit {
    case .notification:
      guard let page = Self.page(tape, root) else {
        return try image { () throws(ComparisonError) in try notificationInAnyForm(tape, root) }
      }
      for item in tape.children(of: page) {
        try image { () throws(ComparisonError) in try notificationInAnyForm(tape, item) }
      }
    case .transaction: try forEachTransaction(tape, root, image)
    case .subscription: try forEachSubscription(tape, root, image)
    }
  }

  private func notificationInAnyForm(_ tape: JSONTape, _ root: Int) throws(ComparisonError) {
    guard tape[root].kind == .object, let token = members.find(tape, root, Key.signedPayload) else {
      return try notification(tape, root)
    }
    try decoding(tape, token, of: signed[0]) { inner throws(ComparisonError) in try notification(inner, 0) }
    try parts(tape, root, beside: .signed)
  }

  /// The list of a page of Get Notification History.
  static func page(_ tape: JSONTape, _ root: Int) -> Int? {
    guard tape[root].kind == .object else { return nil }
    let list = tape.children(of: root).first { tape.key($0) == "notificationHistory" }
    return list.flatMap { V2Form(tape, root) == .notificationHistory ? $0 : nil }
  }

  private func begin(_ unit: ParityUnit, _ record: Int64, _ receivedAt: Int64?) {
    begin()
    (head.unit, head.record, head.receivedAt) = (unit, record, receivedAt)
    if !inferred.isEmpty { inferred = [] }
  }

  func begin() {
    head = EventHead()
    head.origin = .server
    view.clear()
    (type, subtype, partsRead, originals) = (nil, nil, 0, (nil, nil))
  }

  // MARK: answers

  private typealias Image = (() throws(ComparisonError) -> Void) throws(ComparisonError) -> Void

  private func forEachTransaction(
    _ tape: JSONTape, _ root: Int, _ image: Image
  ) throws(ComparisonError) {
    let isCast = members.find(tape, root, Key.migration) != nil
    var isList = false
    // Decoded transactions next to signed ones are not read: no signature covers them.
    for key in [Key.signedTransactions, Key.transactions] where !isList {
      guard let list = members.find(tape, root, key) else { continue }
      isList = true
      guard tape[list].kind == .array else { throw wrongKind(tape, list) }
      for item in tape.children(of: list) {
        try image { () throws(ComparisonError) in
          if isCast { head.origin = .cast }
          if tape[item].kind == .string {
            try decoding(tape, item, of: signed[1]) { inner throws(ComparisonError) in
              try object(inner, 0, .transaction)
            }
          } else {
            try object(tape, item, .transaction)
          }
          try object(tape, root, .history)
        }
      }
    }
    if isList { return }
    try image { () throws(ComparisonError) in
      head.isPart = true
      if members.find(tape, root, Key.transactionId) != nil { return try object(tape, root, .transaction) }
      try parts(tape, root)
    }
  }

  private func forEachSubscription(
    _ tape: JSONTape, _ root: Int, _ image: Image
  ) throws(ComparisonError) {
    let isCast = members.find(tape, root, Key.migration) != nil
    guard let groups = members.find(tape, root, Key.data) else { return }
    for group in tape.children(of: groups) {
      guard let list = members.find(tape, group, Key.lastTransactions) else { continue }
      for item in tape.children(of: list) {
        try image { () throws(ComparisonError) in
          if isCast { head.origin = .cast }
          try parts(tape, item)
          try object(tape, root, .statuses)
          try object(tape, group, .group)
          try object(tape, item, .item)
        }
      }
    }
  }

  /// An item of an answer has no name, and its date is that of its signing.
  private func finishUnit() {
    head.isTimedByPeriod = true
    view.shape.add(names: head.unit.serverName, head.unit.serverName, nil)
  }

  /// The event's name is part of the shape; to be called while the text of the notification is at hand.
  private func noteName() {
    name.clear()
    if let type { name.raw(type.buffer) }
    if let subtype {
      name.byte(UInt8(ascii: "/"))
      name.raw(subtype.buffer)
    }
    view.shape.add(names: name.content, type, subtype)
  }

  // MARK: objects

  func notification(_ tape: JSONTape, _ root: Int) throws(ComparisonError) {
    guard tape[root].kind == .object else {
      throw error(tape, root, .unknownForm(found: tape[root].kind.description))
    }
    readMigration(tape, root)
    try object(tape, root, .notification)
    noteName()
    if let data = members.find(tape, root, Key.data) {
      try object(tape, data, .data)
      try parts(tape, data)
    }
    try parts(tape, root, beside: .decoded)
    if let migrationFault { throw migrationFault }
  }

  /// A notification that parts are next to, not inside: there, other values mean nothing.
  enum Neighbor { case decoded, signed }

  /// Reads the transaction and the renewal in an object.
  ///
  /// A decoded part next to anything signed is not read: no signature covers it.
  func parts(_ tape: JSONTape, _ outer: Int, beside neighbor: Neighbor? = nil) throws(ComparisonError) {
    let isSigned =
      neighbor == .signed
      || [Key.signedTransactionInfo, Key.signedRenewalInfo].contains {
        members.find(tape, outer, $0) != nil
      }
    for part in [ObjectPart.transaction, .renewal] {
      let isTransaction = part == .transaction
      let signedKey = isTransaction ? Key.signedTransactionInfo : Key.signedRenewalInfo
      let key = isTransaction ? Key.transactionInfo : Key.renewalInfo
      if let token = members.find(tape, outer, signedKey) {
        try decoding(tape, token, of: signed[isTransaction ? 1 : 2]) { inner throws(ComparisonError) in
          if !isRead(part) { try object(inner, 0, part) }
        }
      } else if !isSigned, let plain = members.find(tape, outer, key), !isRead(part) {
        if neighbor != nil, tape[plain].kind != .object { continue }
        try object(tape, plain, part)
      }
    }
  }

  private func isRead(_ part: ObjectPart) -> Bool { partsRead & 1 << part.rawValue != 0 }

  func object(_ tape: JSONTape, _ index: Int, _ part: ObjectPart) throws(ComparisonError) {
    guard tape[index].kind == .object else { throw wrongKind(tape, index) }
    partsRead |= 1 << part.rawValue
    members.gather(tape, index, part)
    var rest = members.found.mask
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      rest &= rest - 1
      try add(tape, members.found.places[slot], part: part, slot: slot)
    }
    for child in members.found.unknown { addUnknown(tape, child, part) }
  }

  func add(_ tape: JSONTape, _ index: Int, part: ObjectPart, slot: Int) throws(ComparisonError) {
    let member = part.schema.fields[slot]
    let entry = tape[index]
    let field = field(part, slot)
    switch (member.kind, entry.kind) {
    case (.text, .string), (.uuid, .string), (.word, .string):
      let text = tape.text(of: entry)
      view.add(text, field, source(part, slot))
      noteText(field, text)
    case (.milliseconds, .number), (.integer64, .number), (.milliunits, .number), (.integer32, .number),
      (.code, .number):
      guard let value = tape.integer(index), member.kind.bits == 64 || Int32(exactly: value) != nil else {
        return try addValue(tape, index, part: part, slot: slot)
      }
      view.add(value, field, source(part, slot))
      if member.name == "signedDate" { noteSigning(part, value) }
    case (.boolean, .true), (.boolean, .false):
      view.add(entry.kind == .true, field, source(part, slot))
    default: try addValue(tape, index, part: part, slot: slot)
    }
  }

  /// The number of a member's field; where subscriptions are distinguished, the status has one slot, next to the
  /// dates that it is judged by.
  private func field(_ part: ObjectPart, _ slot: Int) -> Int {
    let index = part.number(of: slot)
    return index == FieldNumber.statusOfItem && head.unit == .subscription ? FieldNumber.status : index
  }

  private func source(_ part: ObjectPart, _ slot: Int) -> ViewWriter.Source {
    ViewWriter.Source(
      isInferred: !inferred.isEmpty && inferred.contains(place.prefix(part) + part.schema.fields[slot].name))
  }

  /// A value that is not a scalar of the expected kind: read as typed values are, or refused as these are.
  private func addValue(_ tape: JSONTape, _ index: Int, part: ObjectPart, slot: Int) throws(ComparisonError) {
    let member = part.schema.fields[slot]
    guard let value = try typed(tape, index, member) else { return }
    let kind = tape[index].kind
    if member.kind.isScalar, kind == .string || kind == .number && member.kind.bits == nil {
      ofOtherKind.add(place.prefix(part) + member.name)
    }
    let (field, source) = (field(part, slot), source(part, slot))
    switch value {
    case .integer(let number):
      view.add(number, field, source)
      if member.name == "signedDate" { noteSigning(part, number) }
    case .boolean(let flag): view.add(flag, field, source)
    case .text:
      view.add(tape.text(index), field, source)
      noteText(field, tape.text(index))
    default: view.addLeaves(FieldValue.NamedValue(name: member.name, value: value), part, owner: field)
    }
  }

  @discardableResult
  func typed(_ tape: JSONTape, _ index: Int, _ member: SchemaField) throws(ComparisonError) -> FieldValue? {
    do throws(FieldError) {
      return try member.read(JSONElement(tape: tape, index: index))
    } catch {
      throw ComparisonError(.server, error)
    }
  }

  private func addUnknown(_ tape: JSONTape, _ child: Int, _ part: ObjectPart) {
    let value = FieldValue.json(JSONElement(tape: tape, index: child).json)
    view.addLeaves(FieldValue.NamedValue(name: tape.key(child).string, value: value), part, owner: nil)
  }

  // MARK: what the head says

  private func noteText(_ index: Int, _ text: JSONText) {
    switch index {
    case FieldNumber.notificationType: type = text
    // Encoders that know no absence write an empty one.
    case FieldNumber.subtype: subtype = text.count == 0 ? nil : text
    case FieldNumber.originalTransactionId: originals.transaction = text
    case FieldNumber.renewalOriginalTransactionId: originals.renewal = text
    case FieldNumber.notificationUUID:
      let id = UUIDText.halves(text.buffer.span)
      head.id = id ?? Fingerprint.of(text.buffer)
      if let id, UUIDText.isNameBased(id) { isConverted = true }
    default: break
    }
  }

  private func noteSigning(_ part: ObjectPart, _ value: Int64) {
    if part == .notification || head.unit != .notification { head.asOf = max(head.asOf ?? value, value) }
  }

  func readMigration(_ tape: JSONTape, _ root: Int) {
    (migration, migrationFault) = (nil, nil)
    guard let index = members.find(tape, root, Key.migration) else { return }
    do throws(FieldError) {
      migration = try Migration(element: JSONElement(tape: tape, index: index))
    } catch {
      migrationFault = ComparisonError(.server, error)
    }
    guard let migration else { return }
    head.origin = .cast
    head.isAbsorbed = migration.absorbed != nil
    head.decision = migration.rule.flatMap { decisions[$0] } ?? -1
    for event in migration.accepts ?? [] {
      guard let place = events.firstIndex(of: EventName(event)) else { continue }
      head.alternatives.added.insert(EventMask(rawValue: 1 << UInt64(place)))
    }
    if keepsConclusions { inferred = Set(migration.inferred ?? []) }
  }
}
