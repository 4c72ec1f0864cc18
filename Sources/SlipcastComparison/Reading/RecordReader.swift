internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Reads a V2 record in every form in which people have it: decoded JSON, signed payloads, answers of the server API.
final class RecordReader {
  private let imager: ServerImager
  private let view: RecordView
  private var record = ComparedRecord()
  /// Conclusions of a cast made earlier are marked.
  private var keepsConclusions = false

  init(_ table: ShapeTable, _ rules: RuleSet, _ view: RecordView) {
    imager = ServerImager(table, rules, limits: JSONLimits())
    self.view = view
  }

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - other: the second record, where this is the first.
  ///   - item: the number of the only item to keep of an answer, as views have it; 0 for all.
  func read(
    _ bytes: [UInt8], side: ComparisonError.Side, beside other: ComparedRecord? = nil, item: UInt64 = 0
  ) throws(ComparisonError) -> ComparedRecord {
    record = ComparedRecord()
    keepsConclusions = other?.origin == .server
    (imager.decodedCount, imager.ofOtherKind) = (0, ValuesOfOtherKind())
    do throws(ComparisonError) {
      try content(bytes)
    } catch {
      var fault = error
      fault.side = side
      throw fault
    }
    record.trust.unverified = imager.decodedCount
    record.ofOtherKind = imager.ofOtherKind
    if item != 0 { try keep(item) }
    return record
  }

  private func content(_ bytes: [UInt8]) throws(ComparisonError) {
    // A large document is not examined as a bare text.
    if ![UInt8(ascii: "{"), UInt8(ascii: "[")].contains(bytes.first) {
      let text = String(decoding: bytes, as: UTF8.self).trimmingBlanks
      let isQuoted = text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
      if let token = CompactJWS(isQuoted ? text.dropFirst().dropLast() : text) {
        return try imager.decoding(token, as: imager.signed[0]) { inner throws(ComparisonError) in try content(inner, 0)
        }
      }
      if let wrapped = WrappedRecord(bytes) {
        throw ComparisonError(.server, .wrapped(found: wrapped.found, command: wrapped.command))
      }
    }
    // A long record leaves no memory behind.
    let (text, reader) = (JSONBuffer(bytes), JSONReader(names: ServerImager.keys))
    defer { withExtendedLifetime((text, reader)) {} }
    let tape: JSONTape
    do throws(JSONError) { tape = try reader.read(text) } catch { throw ComparisonError(.server, error) }
    guard let plain = V2Envelope.plain(tape, 0) else { return try content(tape, 0) }
    do throws(ComparisonError) {
      try content(plain)
    } catch {
      // Its places are those of the text that was made of the record.
      var fault = error
      if !fault.isInPayload { fault.offset = 0 }
      throw fault
    }
  }

  // MARK: forms

  private func content(_ tape: JSONTape, _ root: Int) throws(ComparisonError) {
    switch tape[root].kind {
    case .string: throw imager.error(tape, root, .notSigned(found: "another text"))
    case .array:
      if let only = Self.onlyRecord(tape, root) { try object(tape, only) } else { try bareTransactions(tape, root) }
    case .object: try object(tape, root)
    default:
      throw imager.error(tape, root, .unknownForm(found: "a text that is neither JSON nor a signed payload"))
    }
  }

  private func object(_ tape: JSONTape, _ root: Int) throws(ComparisonError) {
    switch V2Form(tape, root) {
    case .signedPayload: try signedPayload(tape, root)
    case .legacy: throw imager.error(tape, root, .legacyAsServer)
    case .notification: try notification(tape, root)
    case .history: try history(tape, root)
    case .statuses: try statuses(tape, root)
    case .parts where hasParts(tape, root): try parts(tape, root)
    case .renewalInfo:
      noteUnsigned()
      try part(status: nil) { () throws(ComparisonError) in try imager.object(tape, root, .renewal) }
    case .transaction:
      noteUnsigned()
      try part(status: nil) { () throws(ComparisonError) in try imager.object(tape, root, .transaction) }
    case .notificationHistory: try page(tape, root)
    case .appTransaction:
      noteUnsigned()
      try appTransaction { () throws(ComparisonError) in
        imager.readMigration(tape, root)
        try imager.object(tape, root, .appTransaction)
      }
    case .parts:
      guard let token = JSONElement(tape: tape, index: root)["signedAppTransactionInfo"] else { fallthrough }
      try imager.decoding(tape, token.index, of: imager.signed[0]) { inner throws(ComparisonError) in
        try object(inner, 0)
      }
    case nil:
      let found = tape[root].length == 0 ? "an empty object" : "another object"
      throw imager.error(tape, root, .unknownForm(found: ForeignEnvelope(tape, root)?.words ?? found))
    }
  }

  /// The record in an array around it; an array of transactions is a history.
  private static func onlyRecord(_ tape: JSONTape, _ root: Int) -> Int? {
    guard tape[root].length == 1, tape[root + 1].kind == .object else { return nil }
    return switch V2Form(tape, root + 1) {
    case .transaction, .legacy, nil: nil
    default: root + 1
    }
  }

  /// A page of Get Notification History with the one notification that is compared.
  private func page(_ tape: JSONTape, _ root: Int) throws(ComparisonError) {
    let items = ServerImager.page(tape, root).map { Array(tape.children(of: $0)) } ?? []
    guard items.count == 1 else {
      let found = "a page with \(items.count) notifications; compare one of them, or the archives (command: parity)"
      throw imager.error(tape, root, .unknownForm(found: found))
    }
    try object(tape, items[0])
  }

  private func signedPayload(_ tape: JSONTape, _ root: Int) throws(ComparisonError) {
    guard let token = JSONElement(tape: tape, index: root)["signedPayload"] else { return }
    // A payload inside a payload must not take the place of the one around it.
    let text = imager.isInPayload ? SignedText(JSONLimits()) : imager.signed[0]
    var isNotification = false
    try imager.decoding(tape, token.index, of: text) { inner throws(ComparisonError) in
      isNotification = V2Form(inner, 0) == .notification
      if isNotification { try beginNotification(inner, 0) } else { try content(inner, 0) }
    }
    guard isNotification else { return }
    noteUnsignedParts(tape, root)
    try imager.parts(tape, root, beside: .signed)
    finishNotification()
  }

  private func notification(_ tape: JSONTape, _ root: Int) throws(ComparisonError) {
    try beginNotification(tape, root)
    finishNotification()
  }

  private func beginNotification(_ tape: JSONTape, _ root: Int) throws(ComparisonError) {
    noteUnsigned()
    begin(.notification)
    try imager.notification(tape, root)
    record.hasPayload = Self.payloads.contains { imager.members.find(tape, root, $0) != nil }
  }

  private func finishNotification() {
    record.form = .notification
    record.hasPayload =
      record.hasPayload || imager.partsRead & ~(1 << ObjectPart.notification.rawValue) != 0
    (record.migration, record.origin) = (imager.migration, imager.head.origin)
    record.outer = record.append(imager.view, imager.head, parts: imager.partsRead)
    record.show(record.outer, in: view)
    record.time = view.integer(FieldNumber.signedDate)
    let words = "version 2 notification \(view.event)"
    record.description = words.hasSuffix(" ") ? String(words.dropLast()) : words
  }

  /// What says what a notification is about, besides its type.
  private static let payloads = ObjectPart.notification.schema.fields
    .filter { $0.kind.isContainer && $0.name != "migration" }.map { KeyTable.key($0.name) }

  // MARK: parts

  private func hasParts(_ tape: JSONTape, _ root: Int) -> Bool {
    [
      Key.transactionInfo, Key.renewalInfo, Key.signedTransactionInfo,
      Key.signedRenewalInfo,
    ].contains { imager.members.find(tape, root, $0) != nil }
  }

  /// `signedTransactionInfo` and `signedRenewalInfo`, or their decoded forms, as members of an object.
  private func parts(_ tape: JSONTape, _ root: Int) throws(ComparisonError) {
    imager.members.gather(tape, root, .item)
    for (slot, member) in ObjectPart.item.schema.fields.enumerated()
    where imager.members.found.mask & 1 << UInt64(slot) != 0 {
      try imager.typed(tape, imager.members.found.places[slot], member)
    }
    let status = imager.members.find(tape, root, Key.status).flatMap {
      JSONElement(tape: tape, index: $0).integer
    }
    noteUnsignedParts(tape, root)
    try part(status: status) { () throws(ComparisonError) in try imager.parts(tape, root) }
  }

  /// A part by itself, which is compared with a notification's own parts or with an item of an answer.
  private func part(status: Int64?, _ read: () throws(ComparisonError) -> Void) throws(ComparisonError) {
    record.form = .parts
    let unit = try unit(.notification) { () throws(ComparisonError) in
      try read()
      if let status {
        imager.view.add(status, FieldNumber.status)
        imager.view.add(status, FieldNumber.statusOfItem)
      }
      if let id = imager.originals.transaction ?? imager.originals.renewal {
        imager.view.add(id, FieldNumber.originalTransactionIdOfItem)
      }
    }
    record.outer = unit
    let isTransaction = unit.parts & 1 << ObjectPart.transaction.rawValue != 0
    let isRenewal = unit.parts & 1 << ObjectPart.renewal.rawValue != 0
    record.hasStatus = status != nil
    record.description =
      isTransaction && isRenewal
      ? "version 2 transaction and renewal info" : isRenewal ? "version 2 renewal info" : "version 2 transaction"
  }

  // MARK: answers

  private func history(_ tape: JSONTape, _ root: Int) throws(ComparisonError) {
    beginAnswer(.history, tape, root)
    record.description = "version 2 transaction history"
    record.outer = try unit(.envelope) { () throws(ComparisonError) in try imager.object(tape, root, .history) }
    record.show(record.outer, in: view)
    record.hasMore = view[FieldNumber.hasMore]?.integer == 1
    let tokens = try list(tape, root, named: "signedTransactions", of: .history, .string)
    for child in try list(tape, root, named: "transactions", of: .history, .object) {
      noteUnsigned()
      // Next to signed transactions they are not read: no signature covers them.
      guard imager.members.find(tape, root, Key.signedTransactions) == nil else { break }
      try transaction { () throws(ComparisonError) in try imager.object(tape, child, .transaction) }
    }
    for child in tokens { try signedTransaction(tape, child) }
    if let fault = imager.migrationFault { throw fault }
  }

  private func bareTransactions(_ tape: JSONTape, _ root: Int) throws(ComparisonError) {
    (record.form, record.description, record.hasEnvelope) = (.history, "version 2 transaction history", false)
    record.outer = try unit(.envelope) { () throws(ComparisonError) in }
    for child in tape.children(of: root) {
      if tape[child].kind == .string {
        try signedTransaction(tape, child)
      } else if tape[child].kind == .object, JSONElement(tape: tape, index: child)["transactionId"] != nil {
        noteUnsigned()
        try transaction { () throws(ComparisonError) in try imager.object(tape, child, .transaction) }
      } else if V2Form(tape, child) == .legacy {
        throw imager.error(tape, child, .legacyAsServer)
      } else {
        throw imager.error(tape, child, .unknownForm(found: "an array of something else than transactions"))
      }
    }
  }

  private func signedTransaction(_ tape: JSONTape, _ index: Int) throws(ComparisonError) {
    try transaction { () throws(ComparisonError) in
      try imager.decoding(tape, index, of: imager.signed[1]) { inner throws(ComparisonError) in
        try imager.object(inner, 0, .transaction)
      }
    }
  }

  private func transaction(_ read: () throws(ComparisonError) -> Void) throws(ComparisonError) {
    let place = UnitPlace.transaction(record.items.count)
    record.append(try unit(place, read), place, view)
  }

  private func appTransaction(_ read: () throws(ComparisonError) -> Void) throws(ComparisonError) {
    begin(.envelope)
    try read()
    record.form = .appTransaction
    (record.origin, record.migration) = (imager.head.origin, imager.migration)
    record.description = "version 2 app transaction"
    imager.view.shape.add(names: nil, nil, nil)
    record.outer = record.append(imager.view, imager.head, parts: imager.partsRead)
  }

  private func statuses(_ tape: JSONTape, _ root: Int) throws(ComparisonError) {
    beginAnswer(.statuses, tape, root)
    record.description = "version 2 subscription statuses"
    record.outer = try unit(.envelope) { () throws(ComparisonError) in try imager.object(tape, root, .statuses) }
    for group in try list(tape, root, named: "data", of: .statuses, .object) {
      let number = record.groups.count
      record.groups.append(
        try unit(.group(number)) { () throws(ComparisonError) in try imager.object(tape, group, .group) })
      for (item, child) in try list(tape, group, named: "lastTransactions", of: .group, .object).enumerated() {
        noteUnsignedParts(tape, child)
        let place = UnitPlace.item(group: number, item)
        let unit = try unit(place) { () throws(ComparisonError) in
          try imager.object(tape, child, .item)
          try imager.parts(tape, child)
        }
        record.append(unit, place, view)
      }
    }
    if let fault = imager.migrationFault { throw fault }
  }

  private func beginAnswer(_ form: ComparedRecord.Form, _ tape: JSONTape, _ root: Int) {
    begin(.envelope)
    imager.readMigration(tape, root)
    (record.form, record.origin, record.migration) = (form, imager.head.origin, imager.migration)
  }

  private func list(
    _ tape: JSONTape, _ outer: Int, named name: String, of part: ObjectPart, _ kind: JSONKind
  ) throws(ComparisonError) -> [Int] {
    guard let member = part.schema.field(name), let list = imager.members.find(tape, outer, KeyTable.key(name))
    else { return [] }
    let items = Array(tape.children(of: list))
    // Typed reading says what is wrong with it.
    if tape[list].kind != .array || items.contains(where: { tape[$0].kind != kind }) {
      try imager.typed(tape, list, member)
    }
    return items
  }

  private func keep(_ name: UInt64) throws(ComparisonError) {
    guard record.form == .history || record.form == .statuses else { return }
    let item = record.items.first { item in
      record.show(item.unit, in: view)
      return view.itemName(record.form == .history ? .transaction : .subscription) == name
    }
    guard let item else { throw ComparisonError(.server, .unlisted) }
    record.keep(item)
  }

  // MARK: units

  private func begin(_ place: UnitPlace) {
    imager.begin()
    imager.place = place
    imager.keepsConclusions = keepsConclusions
    if place == .notification || place == .envelope { imager.inferred = [] }
  }

  private func unit(
    _ place: UnitPlace, _ read: () throws(ComparisonError) -> Void
  ) throws(ComparisonError) -> ComparedRecord.Unit {
    let inferred = imager.inferred
    begin(place)
    imager.inferred = inferred
    try read()
    imager.view.shape.add(names: nil, nil, nil)
    var head = imager.head
    head.origin = record.origin
    return record.append(imager.view, head, parts: imager.partsRead)
  }

  /// Notes that a value is read which no signature covers.
  private func noteUnsigned() { if !imager.isInPayload { record.trust.hasUnsigned = true } }

  private func noteUnsignedParts(_ tape: JSONTape, _ root: Int) {
    for key in [Key.transactionInfo, Key.renewalInfo] {
      if let part = imager.members.find(tape, root, key), tape[part].kind == .object { noteUnsigned() }
    }
  }
}

extension String {
  /// Without blanks, line ends and a byte order mark at both ends.
  fileprivate var trimmingBlanks: Substring {
    let isBlank = { (scalar: Unicode.Scalar) in scalar.value <= 0x20 || scalar.value == 0xFEFF }
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return self[first...last]
  }
}
