// Unsafe on purpose: texts are looked at where they stand on a tape.
package import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

/// Writes the images of V2 notifications, decoded or signed; one imager serves one worker.
///
/// It reads in one pass what `V2Reader` reads into typed values, and refuses what that refuses.
package final class ServerImager {
  private let view: ViewWriter
  private let decisions: [String: Int16]
  /// The events that `EventMask` counts.
  private let events: [EventName]
  private let signed: [SignedText]
  @exclusivity(unchecked) private var head = EventHead()
  private let members = MemberList()
  /// Slipcast made the record that was written last: it has `migration` or an id that Slipcast made, nobody signed it, or a
  /// test identity did.
  @exclusivity(unchecked) package private(set) var isConverted = false
  /// Paths of conclusions in a cast made earlier.
  @exclusivity(unchecked) private var inferred: Set<String> = []
  /// Objects that have been read, as bits.
  @exclusivity(unchecked) private var partsRead: UInt8 = 0
  /// Type and subtype, where they stand.
  @exclusivity(unchecked) private var type: JSONText?
  @exclusivity(unchecked) private var subtype: JSONText?
  @exclusivity(unchecked) private var partition = PartitionName()
  /// Both in one text.
  private let name = JSONWriter(capacity: 256)

  /// The keys that tapes must number.
  package static var keys: [String] { PartTable.shared.names }

  package init(_ table: ShapeTable, _ rules: RuleSet, limits: JSONLimits) {
    view = ViewWriter(table)
    events = rules.events
    decisions = Dictionary(
      rules.types.enumerated().map { ($1.id, Int16(truncatingIfNeeded: $0)) }, uniquingKeysWith: { first, _ in first })
    signed = (0..<3).map { _ in SignedText(limits) }
  }

  /// What a V2 record lists; `nil` for anything else.
  package static func unit(_ tape: JSONTape, _ root: Int) -> ParityUnit? {
    guard tape[root].kind == .object else { return nil }
    var at = root + 1
    var unit: ParityUnit?
    while at < Int(tape[root].nextOrSide) {
      let entry = tape[at]
      switch entry.key {
      case PartTable.Key.signedPayload: return .notification
      case PartTable.Key.notificationType where entry.kind != .null: return .notification
      case PartTable.Key.notificationUUID where entry.kind != .null: return .notification
      case PartTable.Key.data where entry.kind == .object: return .notification
      case PartTable.Key.data where entry.kind == .array: unit = .subscription
      case PartTable.Key.transactions, PartTable.Key.signedTransactions, PartTable.Key.transactionId,
        PartTable.Key.signedTransactionInfo, PartTable.Key.transactionInfo:
        unit = unit ?? .transaction
      default: break
      }
      at = tape.after(at)
    }
    return unit
  }

  /// Writes the images of all that a record lists.
  ///
  /// - Parameter mark: is told, behind each image, a number for its subscription or purchase, and its time.
  /// - Throws: `ComparisonError` for a member of another kind than Apple documents, and for what should be signed and is
  ///   not.
  package func write(
    _ tape: JSONTape, root: Int, _ unit: ParityUnit, record: Int64, receivedAt: Int64?, to writer: JSONWriter,
    _ mark: (LegacyImager.Name) -> Void
  ) throws(ComparisonError) {
    isConverted = false
    func image(_ fill: () throws(ComparisonError) -> Void) throws(ComparisonError) {
      begin(unit, record, receivedAt)
      try fill()
      if unit != .notification { finishUnit() }
      if head.origin == .cast || unit != .notification && head.asOf == nil { isConverted = true }
      view.write(head, to: writer)
      mark((partition.number(head), head.time, partition.coveredTime(head)))
    }
    switch unit {
    case .notification:
      try image { () throws(ComparisonError) in
        guard let token = members.find(tape, root, PartTable.Key.signedPayload) else {
          return try notification(tape, root)
        }
        try notification(try decode(tape, token, signed[0]), 0)
        try parts(tape, root)
      }
    case .transaction: try forEachTransaction(tape, root, image)
    case .subscription: try forEachSubscription(tape, root, image)
    }
  }

  private func begin(_ unit: ParityUnit, _ record: Int64, _ receivedAt: Int64?) {
    head = EventHead()
    (head.origin, head.unit, head.record, head.receivedAt) = (.server, unit, record, receivedAt)
    view.clear()
    (type, subtype, partition) = (nil, nil, PartitionName())
    if !inferred.isEmpty { inferred = [] }
    partsRead = 0
  }

  // MARK: answers

  private typealias Image = (() throws(ComparisonError) -> Void) throws(ComparisonError) -> Void

  private func forEachTransaction(
    _ tape: JSONTape, _ root: Int, _ image: Image
  ) throws(ComparisonError) {
    let isCast = members.find(tape, root, PartTable.Key.migration) != nil
    var isList = false
    for key in [PartTable.Key.transactions, PartTable.Key.signedTransactions] {
      guard let list = members.find(tape, root, key) else { continue }
      isList = true
      guard tape[list].kind == .array else { throw wrongKind(tape, list) }
      for item in children(tape, list) {
        try image { () throws(ComparisonError) in
          if isCast { head.origin = .cast }
          if tape[item].kind == .string {
            try object(try decode(tape, item, signed[1]), 0, .transaction)
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
      if members.find(tape, root, PartTable.Key.transactionId) != nil { return try object(tape, root, .transaction) }
      try parts(tape, root)
    }
  }

  private func forEachSubscription(
    _ tape: JSONTape, _ root: Int, _ image: Image
  ) throws(ComparisonError) {
    let isCast = members.find(tape, root, PartTable.Key.migration) != nil
    guard let groups = members.find(tape, root, PartTable.Key.data) else { return }
    for group in children(tape, groups) {
      guard let list = members.find(tape, group, PartTable.Key.lastTransactions) else { continue }
      for item in children(tape, list) {
        try image { () throws(ComparisonError) in
          if isCast { head.origin = .cast }
          try parts(tape, item)
          let part = PartTable.shared.parts[Int(CastOutline.Part.data.rawValue)]
          if let status = members.find(tape, item, PartTable.Key.status),
            let slot = part.members.firstIndex(where: { $0.name == "status" })
          {
            try add(tape, status, part, slot)
          }
          try object(tape, root, .statuses)
          try object(tape, group, .group)
          try object(tape, item, .item)
        }
      }
    }
  }

  private func children(_ tape: JSONTape, _ index: Int) -> [Int] {
    JSONElement(tape: tape, index: index).children.map(\.index)
  }

  /// An item of an answer has no name of its own, and its date is that of its signing.
  private func finishUnit() {
    head.id = partition.id(head.unit)
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
    view.shape.add(names: name.buffer, type?.buffer, subtype?.buffer)
  }

  // MARK: objects

  private func notification(_ tape: JSONTape, _ root: Int) throws(ComparisonError) {
    guard tape[root].kind == .object else {
      throw error(tape, root, .unknownForm(found: tape[root].kind.description))
    }
    if let migration = members.find(tape, root, PartTable.Key.migration) { readMigration(tape, migration) }
    try object(tape, root, .notification)
    noteName()
    if let data = members.find(tape, root, PartTable.Key.data) {
      try object(tape, data, .data)
      try parts(tape, data)
    }
    try parts(tape, root)
  }

  /// The transaction and the renewal in an object; signed ones win over decoded ones.
  private func parts(_ tape: JSONTape, _ outer: Int) throws(ComparisonError) {
    try part(tape, outer, .transaction, PartTable.Key.signedTransactionInfo, PartTable.Key.transactionInfo, signed[1])
    try part(tape, outer, .renewal, PartTable.Key.signedRenewalInfo, PartTable.Key.renewalInfo, signed[2])
  }

  private func part(
    _ tape: JSONTape, _ outer: Int, _ part: CastOutline.Part, _ signedKey: UInt16, _ key: UInt16, _ text: SignedText
  ) throws(ComparisonError) {
    if let token = members.find(tape, outer, signedKey) {
      let inner = try decode(tape, token, text)
      if !isRead(part) { try object(inner, 0, part) }
    } else if let plain = members.find(tape, outer, key), !isRead(part) {
      try object(tape, plain, part)
    }
  }

  private func isRead(_ part: CastOutline.Part) -> Bool { partsRead & 1 << part.rawValue != 0 }

  /// Reads the members of an object into the image.
  private func object(_ tape: JSONTape, _ index: Int, _ number: CastOutline.Part) throws(ComparisonError) {
    let part = PartTable.shared.parts[Int(number.rawValue)]
    guard tape[index].kind == .object else { throw wrongKind(tape, index) }
    partsRead |= 1 << number.rawValue
    members.gather(tape, index, part)
    var rest = members.mask
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      rest &= rest - 1
      try add(tape, members.places[slot], part, slot)
    }
    for child in members.unknown { addUnknown(tape, child, part) }
  }

  private func add(_ tape: JSONTape, _ index: Int, _ part: PartTable.Part, _ slot: Int) throws(ComparisonError) {
    let member = part.members[slot]
    let entry = tape[index]
    switch (member.kind, entry.kind) {
    case (.text, .string), (.uuid, .string), (.word, .string):
      let text = tape.text(of: entry)
      view.add(text, EventPart.index(part.part, slot), source(part, slot))
      partition.note(EventPart.index(part.part, slot), text.buffer)
      if part.part == .notification { noteIdentity(member.name, text) }
    case (.milliseconds, .number), (.integer64, .number), (.milliunits, .number), (.integer32, .number),
      (.code, .number):
      guard let value = tape.integer(index), !member.kind.is32Bits || Int32(exactly: value) != nil else {
        return try addValue(tape, index, part, slot)
      }
      view.add(value, EventPart.index(part.part, slot), source(part, slot))
      partition.note(EventPart.index(part.part, slot), value)
      if member.name == "signedDate" { noteSigning(part.part, value) }
    case (.boolean, .true), (.boolean, .false):
      view.add(entry.kind == .true, EventPart.index(part.part, slot), source(part, slot))
    default: try addValue(tape, index, part, slot)
    }
  }

  private func source(_ part: PartTable.Part, _ slot: Int) -> ViewWriter.Source {
    ViewWriter.Source(isInferred: !inferred.isEmpty && inferred.contains(part.prefix + part.members[slot].name))
  }

  /// A value that is no scalar of the expected kind: read as typed values are, or refused as these are.
  private func addValue(_ tape: JSONTape, _ index: Int, _ part: PartTable.Part, _ slot: Int) throws(ComparisonError) {
    let member = part.members[slot]
    let value: FieldValue?
    do throws(FieldError) {
      value = try member.read(JSONElement(tape: tape, index: index))
    } catch {
      throw ComparisonError(.server, .field(error), path: error.path, offset: error.offset)
    }
    guard let value else { return }
    switch value {
    case .integer(let number): view.add(number, EventPart.index(part.part, slot), source(part, slot))
    default:
      let named = FieldValue.NamedValue(name: member.name, value: value)
      view.addLeaves(named, part, owner: EventPart.index(part.part, slot))
    }
  }

  private func addUnknown(_ tape: JSONTape, _ child: Int, _ part: PartTable.Part) {
    let value = FieldValue.json(JSONElement(tape: tape, index: child).json)
    view.addLeaves(FieldValue.NamedValue(name: tape.key(child).string, value: value), part, owner: nil)
  }

  // MARK: what the head says

  private func noteIdentity(_ name: String, _ text: JSONText) {
    switch name {
    case "notificationType": type = text
    // Encoders that know no absence write an empty one.
    case "subtype": subtype = text.count == 0 ? nil : text
    case "notificationUUID":
      head.id = UUIDText.halves(text.buffer) ?? Fingerprint.of(text.buffer)
      // Apple's ids are random (version 4); those that convert makes are hashes (version 5).
      if text.count == 36, text.base[14] == UInt8(ascii: "5") { isConverted = true }
    default: break
    }
  }

  private func noteSigning(_ part: CastOutline.Part, _ value: Int64) {
    if part == .notification || head.unit != .notification { head.asOf = max(head.asOf ?? value, value) }
  }

  private func readMigration(_ tape: JSONTape, _ index: Int) {
    guard let migration = try? Migration(element: JSONElement(tape: tape, index: index)) else { return }
    head.origin = .cast
    head.isAbsorbed = migration.absorbed != nil
    head.decision = migration.rule.flatMap { decisions[$0] } ?? -1
    for event in migration.accepts ?? [] {
      guard let place = events.firstIndex(of: EventName(event)) else { continue }
      head.alternatives.insert(EventMask(rawValue: 1 << UInt64(place)))
    }
    inferred = Set(migration.inferred ?? [])
  }

  // MARK: signed parts and faults

  private func decode(_ tape: JSONTape, _ index: Int, _ text: SignedText) throws(ComparisonError) -> JSONTape {
    guard tape[index].kind == .string else { throw error(tape, index, .notSigned(found: tape[index].kind.description)) }
    guard let payload = text.hold(tape.text(index).buffer) else {
      throw error(tape, index, .notSigned(found: "another text"))
    }
    if payload.isOfTestIdentity { isConverted = true }
    do throws(JSONError) {
      return try payload.read()
    } catch {
      var fault = ComparisonError(.server, .json(error), path: error.path, offset: error.offset)
      fault.isInPayload = true
      throw fault
    }
  }

  private func wrongKind(_ tape: JSONTape, _ index: Int) -> ComparisonError {
    let error = JSONElement(tape: tape, index: index).wrongKind(.object(""))
    return ComparisonError(.server, .field(error), path: error.path, offset: error.offset)
  }

  private func error(_ tape: JSONTape, _ index: Int, _ reason: ComparisonError.Reason) -> ComparisonError {
    ComparisonError(
      .server, reason, path: JSONPath(tape: tape, index: index), offset: tape.range(index).lowerBound)
  }
}

extension FieldKind {
  fileprivate var is32Bits: Bool {
    switch self {
    case .integer32, .code: true
    default: false
    }
  }
}
