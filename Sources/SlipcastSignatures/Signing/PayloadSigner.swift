internal import SlipcastV2
@_spi(Slipcast) public import SlipcastWire

/// Converts decoded V2 records, as `convert` writes them, to Apple's wire format, signed with a test identity.
///
/// A notification becomes `{"signedPayload":"…"}` with signed transaction and renewal info inside. A history gets
/// `signedTransactions`; statuses get `signedTransactionInfo` and `signedRenewalInfo`. A single transaction, renewal
/// info or app transaction becomes an object with the one signed member. `migration` is omitted; everything else is
/// copied byte for byte.
///
/// A signer reuses its memory; use it in one task at a time. Make one per worker from the same identity.
public final class PayloadSigner {
  private let signer: JWSSigner
  /// The payload of the notification, and one of those inside it.
  private let (outer, inner) = (JSONWriter(capacity: 8 << 10), JSONWriter(capacity: 4 << 10))
  private var fallback: Int64?

  /// Prepares a signer.
  public init(identity: TestIdentity) { signer = JWSSigner(identity: identity) }

  /// Signs one decoded record.
  ///
  /// - Parameters:
  ///   - json: a notification, history, statuses, transaction, renewal info or app transaction.
  ///   - fallback: the `signedDate` of payloads that state none and are in no notification that states one. Without it
  ///     they get the latest past date in the payload, never the current time.
  /// - Returns: the record in Apple's wire format, on one line.
  /// - Throws: `SigningError`; it never contains a value of the record.
  public func sign(_ json: some Sequence<UInt8>, fallback: Timestamp? = nil) throws(SigningError) -> String {
    let text = JSONBuffer(json)
    defer { withExtendedLifetime(text) {} }
    let writer = JSONWriter(capacity: 2 * text.count + 16_384)
    let content = JSONText(base: text.base, count: text.count, isVerbatim: false)
    try sign(content, with: JSONReader(names: []), fallback: fallback, to: writer)
    return writer.string
  }

  /// Signs one decoded record from text.
  ///
  /// - Throws: as for bytes.
  public func sign(_ json: String, fallback: Timestamp? = nil) throws(SigningError) -> String {
    try sign(json.utf8, fallback: fallback)
  }

  /// Signs the record in a text and appends it without a line feed; after an error nothing is appended.
  ///
  /// - Parameter text: one JSON text followed by `JSONReader.padding` readable bytes.
  package func sign(
    _ text: JSONText, with reader: JSONReader, fallback: Timestamp?, to writer: JSONWriter
  ) throws(SigningError) {
    let tape: JSONTape
    do throws(JSONError) {
      tape = try reader.read(text.base, count: text.count)
    } catch {
      throw SigningError(.json(error), path: error.path, offset: error.offset)
    }
    try sign(JSONElement(tape: tape), fallback: fallback, to: writer)
  }

  /// Signs the record at an element and appends it without a line feed; after an error nothing is appended.
  package func sign(_ record: JSONElement, fallback: Timestamp?, to writer: JSONWriter) throws(SigningError) {
    self.fallback = fallback?.milliseconds
    let start = writer.count
    do throws(SigningError) {
      let form = try V2Form.signable(record)
      if let secret = record.secret { throw SigningError(.secret, at: secret) }
      writer.byte(UInt8(ascii: "{"))
      switch form {
      case .notification: try signNotification(record, to: writer)
      case .history: try writeHistory(record, to: writer)
      case .statuses: try writeStatuses(record, to: writer)
      case .parts: try writeParts(record, nil, to: writer)
      case .transaction: try signPart(.transaction, record, nil, to: writer)
      case .renewalInfo: try signPart(.renewalInfo, record, nil, to: writer)
      case .appTransaction: try signPart(.appTransaction, record, nil, to: writer)
      case .signedPayload, .notificationHistory, .legacy: break
      }
      writer.byte(UInt8(ascii: "}"))
    } catch {
      writer.truncate(to: start)
      throw error
    }
  }

  // MARK: forms

  private func signNotification(_ record: JSONElement, to writer: JSONWriter) throws(SigningError) {
    let own = try SignedDate.own(record, "signedDate")
    let date = try date(of: record, own, nil, "signedDate")
    outer.clear()
    outer.byte(UInt8(ascii: "{"))
    try members(of: record, to: outer) { member, name throws(SigningError) in
      if name == "migration" || name == "signedDate" && own == nil { return true }
      guard name == "data" || name == "appData", member.kind == .object else { return false }
      outer.keyOf(member)
      outer.byte(UInt8(ascii: "{"))
      try writeParts(member, date, to: outer)
      outer.byte(UInt8(ascii: "}"))
      return true
    }
    if own == nil { outer.member("signedDate", Int(date)) }
    outer.byte(UInt8(ascii: "}"))
    writer.key("signedPayload")
    try sign(outer, to: writer)
  }

  private func writeHistory(_ record: JSONElement, to writer: JSONWriter) throws(SigningError) {
    try members(of: record, to: writer) { member, name throws(SigningError) in
      guard name == "transactions", member.kind != .null else { return name == "migration" || name == "transactions" }
      writer.key("signedTransactions")
      writer.byte(UInt8(ascii: "["))
      for item in try items(of: member) {
        if item.kind == .string { throw SigningError(.alreadySigned, at: item) }
        writer.comma()
        try sign(payload: item, nil, "signedDate", to: writer)
      }
      writer.byte(UInt8(ascii: "]"))
      return true
    }
  }

  private func writeStatuses(_ record: JSONElement, to writer: JSONWriter) throws(SigningError) {
    try members(of: record, to: writer) { member, name throws(SigningError) in
      guard name == "data" else { return name == "migration" }
      try writeObjects(member, to: writer) { group throws(SigningError) in
        try members(of: group, to: writer) { member, name throws(SigningError) in
          guard name == "lastTransactions", member.kind != .null else { return false }
          try writeObjects(member, to: writer) { item throws(SigningError) in try writeParts(item, nil, to: writer) }
          return true
        }
      }
      return true
    }
  }

  /// Writes the members of an object that contains signed parts among others.
  private func writeParts(_ holder: JSONElement, _ date: Int64?, to writer: JSONWriter) throws(SigningError) {
    try members(of: holder, to: writer) { member, name throws(SigningError) in
      if name == "migration" { return true }
      guard let part = SignedPart(decodedName: name) else {
        if member.kind != .null, V2Form.signedNames.contains(name.string) {
          throw SigningError(.alreadySigned, at: member)
        }
        return false
      }
      if member.kind != .null { try signPart(part, member, date, to: writer) }
      return true
    }
  }

  private func signPart(
    _ part: SignedPart, _ payload: JSONElement, _ date: Int64?, to writer: JSONWriter
  ) throws(SigningError) {
    writer.key(part.signedName)
    try sign(payload: payload, date, part.dateName, to: writer)
  }

  // MARK: payloads

  /// Writes the token of a payload that is not a notification.
  private func sign(
    payload: JSONElement, _ enclosing: Int64?, _ dateName: String, to writer: JSONWriter
  ) throws(SigningError) {
    guard payload.kind == .object else {
      throw SigningError(.wrongKind(expected: "an object", found: payload.kind.description), at: payload)
    }
    let own = try SignedDate.own(payload, dateName)
    inner.clear()
    inner.byte(UInt8(ascii: "{"))
    try members(of: payload, to: inner) { _, name in name == "migration" || own == nil && name.string == dateName }
    if own == nil { inner.member(dateName, Int(try date(of: payload, own, enclosing, dateName))) }
    inner.byte(UInt8(ascii: "}"))
    try sign(inner, to: writer)
  }

  private func sign(_ payload: JSONWriter, to writer: JSONWriter) throws(SigningError) {
    writer.byte(UInt8(ascii: "\""))
    try signer.sign(payload.buffer.span, to: writer)
    writer.byte(UInt8(ascii: "\""))
  }

  private func date(
    of payload: JSONElement, _ own: Int64?, _ enclosing: Int64?, _ name: String
  ) throws(SigningError) -> Int64 {
    if let date = own ?? enclosing ?? fallback ?? SignedDate.latest(in: payload) { return date }
    var error = SigningError(.dateMissing, at: payload)
    error.path = error.path.appending(.key(name))
    throw error
  }

  // MARK: copying

  /// Writes the members of an object; the function handles some of them, the others are copied.
  private func members(
    of object: JSONElement, to writer: JSONWriter,
    _ takesCare: (JSONElement, JSONText) throws(SigningError) -> Bool
  ) throws(SigningError) {
    for member in object.children where !(try takesCare(member, object.tape.key(member.index))) {
      writer.keyOf(member)
      writer.copy(member)
    }
  }

  /// Writes a member that is an array of objects; the function writes the members of each.
  private func writeObjects(
    _ array: JSONElement, to writer: JSONWriter, _ write: (JSONElement) throws(SigningError) -> Void
  ) throws(SigningError) {
    writer.keyOf(array)
    writer.byte(UInt8(ascii: "["))
    for item in try items(of: array) {
      guard item.kind == .object else {
        throw SigningError(.wrongKind(expected: "an object", found: item.kind.description), at: item)
      }
      writer.comma()
      writer.byte(UInt8(ascii: "{"))
      try write(item)
      writer.byte(UInt8(ascii: "}"))
    }
    writer.byte(UInt8(ascii: "]"))
  }

  private func items(of array: JSONElement) throws(SigningError) -> [JSONElement] {
    guard array.kind == .array else {
      throw SigningError(.wrongKind(expected: "an array", found: array.kind.description), at: array)
    }
    return array.children
  }
}

extension JSONElement {
  /// The first member, at any depth, that is named like the shared secret.
  fileprivate var secret: JSONElement? {
    let place = (index + 1..<tape.after(index)).first { tape.key($0) == "password" }
    return place.map { JSONElement(tape: tape, index: $0) }
  }
}

/// A payload that Apple signs separately and embeds in another.
package enum SignedPart: String, CaseIterable {
  case transaction = "transactionInfo"
  case renewalInfo
  case appTransaction = "appTransactionInfo"

  init?(decodedName name: JSONText) {
    guard let part = Self.allCases.first(where: { name.isSame(as: $0.rawValue) }) else { return nil }
    self = part
  }

  package var signedName: String { Self.signedNames[rawValue] ?? rawValue }

  private static let signedNames = Dictionary(uniqueKeysWithValues: ModelCatalog.decodedNames.map { ($1, $0) })

  /// The member with the time of signing; app transactions have another name for it.
  var dateName: String { self == .appTransaction ? "receiptCreationDate" : "signedDate" }
}
