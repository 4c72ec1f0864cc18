internal import SlipcastMapping
internal import SlipcastSignatures
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Writes conversions in Apple's wire format, signed, for one worker.
///
/// The payloads are written from the conversion's objects, without `migration`. A payload without `signedDate` gets
/// that of its notification, else the time for which the conversion's states hold, else its own latest past date.
final class OutputSigner {
  private let signer: JWSSigner
  /// The payload of the notification, and one of those inside it.
  private let (outer, inner) = (JSONWriter(capacity: 16 << 10), JSONWriter(capacity: 4 << 10))
  /// The date of the notification, and what replaces it elsewhere.
  private var (stated, fallback) = (Int64?.none, Int64?.none)

  init(identity: TestIdentity) { signer = JWSSigner(identity: identity) }

  /// The payload of the notification that was signed last; tokens inside it do not depend on the notification's id.
  var payload: JSONText { outer.content }

  /// Signs a conversion and appends it without a line feed.
  func sign(_ tree: EventRecord, asOf: Timestamp?, to output: JSONWriter) throws(SigningError) {
    (stated, fallback) = (nil, asOf?.milliseconds)
    guard tree.form == .notification else { return try writeObject(0, tree, to: output) }
    outer.clear()
    outer.byte(UInt8(ascii: "{"))
    let own = tree.signedDate(of: 0)
    let date = try date(of: 0, tree, own)
    stated = date
    try writeMembers(of: 0, tree, to: outer)
    if own == nil { outer.member(Self.signedDate, Int(date)) }
    outer.byte(UInt8(ascii: "}"))
    try sign(notification: outer.buffer.span, to: output)
  }

  func sign(notification payload: Span<UInt8>, to output: JSONWriter) throws(SigningError) {
    output.raw("{\"signedPayload\":\"")
    try signer.sign(payload, to: output)
    output.raw("\"}")
  }

  // MARK: members

  private func writeMembers(of place: Int, _ tree: EventRecord, to writer: JSONWriter) throws(SigningError) {
    let row = tree.objects[place].row
    try row.forEach { slot, cell throws(SigningError) in
      writer.comma()
      switch cell.kind {
      case .row:
        let child = place + Int(cell.integer)
        if let name = tree.objects[child].part.signedName {
          writer.key(name)
          try writeToken(of: child, tree, to: writer)
        } else {
          row.schema.keys.write(slot, to: writer)
          try writeObject(child, tree, to: writer)
        }
      case .list:
        if tree.form == .history { writer.key("signedTransactions") } else { row.schema.keys.write(slot, to: writer) }
        writer.byte(UInt8(ascii: "["))
        for child in tree.children(of: place) {
          writer.comma()
          try tree.form == .history
            ? writeToken(of: child, tree, to: writer) : writeObject(child, tree, to: writer)
        }
        writer.byte(UInt8(ascii: "]"))
      default:
        row.schema.keys.write(slot, to: writer)
        cell.write(to: writer)
      }
    }
  }

  private func writeObject(_ place: Int, _ tree: EventRecord, to writer: JSONWriter) throws(SigningError) {
    writer.byte(UInt8(ascii: "{"))
    try writeMembers(of: place, tree, to: writer)
    writer.byte(UInt8(ascii: "}"))
  }

  private func writeToken(of place: Int, _ tree: EventRecord, to writer: JSONWriter) throws(SigningError) {
    inner.clear()
    inner.byte(UInt8(ascii: "{"))
    tree.writeMembers(of: place, to: inner)
    if tree.signedDate(of: place) == nil {
      inner.member(Self.signedDate, Int(try date(of: place, tree, stated)))
    }
    inner.byte(UInt8(ascii: "}"))
    writer.byte(UInt8(ascii: "\""))
    try signer.sign(inner.buffer.span, to: writer)
    writer.byte(UInt8(ascii: "\""))
  }

  // MARK: dates

  private static let signedDate = "signedDate"

  private func date(of place: Int, _ tree: EventRecord, _ stated: Int64?) throws(SigningError) -> Int64 {
    if let date = stated ?? fallback ?? tree.latestPast(in: place, until: Timestamp.now.milliseconds) { return date }
    throw SigningError(.dateMissing, path: tree.path(of: place).appending(.key(Self.signedDate)))
  }
}

extension EventRecord {
  fileprivate func signedDate(of place: Int) -> Int64? {
    let object = objects[place]
    return DateSlots.of(object.part).signed.flatMap { object.row[$0]?.integer }
  }

  /// The latest date of the past in an object and those inside it.
  fileprivate func latestPast(in place: Int, until now: Int64) -> Int64? {
    let object = objects[place]
    var latest: Int64?
    object.row.forEach { slot, cell in
      let date =
        cell.kind == .row
        ? latestPast(in: place + Int(cell.integer), until: now)
        : DateSlots.of(object.part).past & 1 << UInt64(slot) != 0 ? cell.integer : nil
      if let date, date <= now { latest = max(latest ?? date, date) }
    }
    return latest
  }
}

/// Where the dates of an object are in its field table.
private struct DateSlots {
  let signed: Int?
  /// Dates of the past, one bit each.
  let past: UInt64

  private static let all = ObjectPart.allCases.map { part in
    let names = part.schema.fields.map(\.name)
    return DateSlots(
      signed: names.firstIndex(of: "signedDate"),
      past: names.indices.reduce(0) { SignedDate.isPast(names[$1]) ? $0 | 1 << UInt64($1) : $0 })
  }

  static func of(_ part: ObjectPart) -> DateSlots { all[Int(part.rawValue)] }
}

extension ObjectPart {
  /// The member for such an object in Apple's wire format; `nil` for objects that Apple does not sign.
  fileprivate var signedName: String? {
    switch self {
    case .transaction: SignedPart.transaction.signedName
    case .renewal: SignedPart.renewalInfo.signedName
    default: nil
    }
  }
}
