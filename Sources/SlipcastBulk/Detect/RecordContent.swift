internal import SlipcastReceipts
internal import SlipcastSignatures
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// What a value of a row is, where it is a record, and how it is written there.
package struct RecordContent: Hashable, Sendable {
  /// How a value holds a record.
  package enum Form: String, CaseIterable, Sendable {
    /// A JSON object.
    case object
    /// JSON in a text.
    case text
    /// JSON or a receipt in base64, digits, gzip or several of these.
    case encoded
    /// A signed payload (JWS).
    case signed
  }

  /// The kind, as `inspect` calls it.
  package var kind: String
  package var form: Form
  /// Apple signed it, or values in it.
  package var isSigned = false

  /// It is V2, and needs no conversion.
  package var isServer: Bool { RecordKind(rawValue: kind).map { !$0.isLegacy } ?? false }

  /// It is a message about an event: what rows are stored for, even where they have parts of it in other columns.
  var isNotification: Bool {
    kind == RecordKind.notificationV1.rawValue || kind == RecordKind.notification.rawValue
  }
}

/// Recognizes records in values, with the recognizers of `convert` and `inspect`.
final class RecordFinder {
  private let limits: JSONLimits
  /// How many bytes of encoded values are still decoded: a cell may be compressed a thousand times.
  private var budget = mostOfAll
  private static let mostOfAll = 64 << 20
  private static let mostOfValue = 4 << 20
  /// Readers of texts inside texts; each is in use while those inside its text are looked at.
  private lazy var readers = (0..<4).map { _ in NestedReader(limits, names: []) }
  private var level = 0

  init(_ limits: JSONLimits) { self.limits = limits }

  /// An object that is a record by itself; `nil` for any other.
  func content(of tape: JSONTape, _ root: Int, as form: RecordContent.Form) -> RecordContent? {
    if V2Form(tape, root) == .signedPayload {
      return RecordContent(kind: RecordKind.notification.rawValue, form: .signed, isSigned: true)
    }
    // A few members of other objects, such as a status, are not enough here.
    if V2Form(tape, root) != nil, let kind = RecordKind(JSONElement(tape: tape, index: root)) {
      let isSigned =
        !kind.isLegacy
        && (root..<tape.after(root)).contains { place in
          tape[place].kind == .string && TextRecord.form(of: tape.text(place).buffer.span) == .token
        }
      return RecordContent(kind: kind.rawValue, form: form, isSigned: isSigned)
    }
    return RowReader.receipt(in: tape, root).flatMap { content(of: tape.text($0)) }
  }

  /// The name of the first member of a row that holds a record, if it looks like a name.
  func memberWithRecord(of row: JSONTape) -> String? {
    // Asked for each row without a record, so little is decoded.
    budget = Self.mostOfValue
    guard row[0].kind == .object else { return nil }
    return JSONElement(tape: row).children.first { member in
      guard ShownName.isName(member.name) else { return false }
      return switch member.kind {
      case .object: content(of: row, member.index, as: .object) != nil
      case .string: content(of: row.text(member.index)) != nil
      default: false
      }
    }?.name
  }

  /// What is in a text: a record, or an object that may have one inside; `nil` for any other text.
  func content(of text: JSONText, inside: (JSONTape) -> Void = { _ in }) -> RecordContent? {
    guard text.count >= TextRecord.shortest else { return nil }
    let span = text.buffer.span
    if SourceHead.isReceipt(span) { return receipt(Array(text.buffer)) }
    if SignedRecordVerifier.isToken(span) { return signed(text.string) }
    if let start = span.firstIndex(where: { !$0.isBlank }), span[start] == UInt8(ascii: "{") {
      return json(span, as: .text, inside)
    }
    guard text.count <= budget else { return nil }
    budget -= text.count
    switch LayeredBody.open(span, limit: min(Self.mostOfValue, budget)) {
    case .json(let bytes):
      budget -= bytes.count
      return json(bytes.span, as: .encoded, inside)
    case .receipt(let bytes): return receipt(bytes)
    case .token(let bytes): return signed(String(decoding: bytes, as: UTF8.self))
    case nil:
      guard TextRecord(string: text)?.form == .encoded else { return nil }
      return receipt(Array(text.buffer))
    }
  }

  private func json(
    _ text: Span<UInt8>, as form: RecordContent.Form, _ inside: (JSONTape) -> Void
  ) -> RecordContent? {
    guard level < readers.count, let tape = try? readers[level].read(text), tape[0].kind == .object else { return nil }
    level += 1
    defer { level -= 1 }
    if let found = content(of: tape, 0, as: form) { return found }
    inside(tape)
    return nil
  }

  private func signed(_ text: String) -> RecordContent? {
    guard let parts = CompactJWS(text) else { return nil }
    let kind = JSONReader(names: []).parse(JSONBuffer(parts.payload)) { RecordKind($0)?.rawValue } ?? nil
    return kind.map { RecordContent(kind: $0, form: .signed, isSigned: true) }
  }

  private func receipt(_ bytes: [UInt8]) -> RecordContent? {
    guard let text = try? ReceiptText(bytes) else { return nil }
    let kind = text.form == .appReceipt ? SignedKind.appReceipt : .transactionReceipt
    return RecordContent(kind: kind.rawValue, form: .encoded)
  }
}
