@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Finds the record in its row: as it is, wrapped under a pointer, as JSON text or a receipt in a string, or in a line of
/// rejects.
final class RowReader {
  /// The record's position, and what the row states about its delivery.
  struct Row {
    var tape: JSONTape
    var root: Int
    var delivery: Converter.Delivery
    var id: String?
    /// The id of its event, where it was decided when the record was received.
    var event: KnownIDs.ID?
  }

  private let options: ConvertOptions
  private let receipts: ReceiptSource
  private let isWrapped: Bool
  private let limits: JSONLimits
  /// Readers of texts inside strings: of a reject's input, of a body, of a decoded receipt.
  private lazy var inputReader = NestedReader(limits)
  private lazy var bodyReader = NestedReader(limits)
  private lazy var receiptReader = NestedReader(limits)
  /// Readers of what a row and a body are without the types of their values.
  private lazy var plainRowReader = NestedReader(limits)
  private lazy var plainBodyReader = NestedReader(limits)
  /// The row's own id, for rejects.
  private(set) var id: String?
  /// The prefix of paths inside the body.
  private(set) var prefix = ""
  /// The start of the text that contains the body, when positions inside it cannot be expressed in bytes of the source.
  private(set) var outerOffset: Int?
  /// The record of a reject that is read again: if it fails once more, it is kept in its original form.
  private(set) var input: JSONText?
  /// The receipt that the record was decoded from, where it was one.
  private(set) var receipt: TextRecord?

  init(options: ConvertOptions, receipts: ReceiptSource, limits: JSONLimits) {
    self.receipts = receipts
    self.options = options
    isWrapped = options.body != nil || options.receivedAt != nil || options.id != nil
    self.limits = limits
  }

  /// Forgets the row before.
  func begin() { (id, prefix, outerOffset, input, receipt) = (nil, "", nil, nil, nil) }

  func resolve(_ tape: JSONTape) throws -> Row {
    if !isWrapped, let row = try journalRow(tape) { return row }
    let outer = try unwrapReject(tape)
    guard isWrapped else { return try untyped(Row(tape: outer, root: 0, delivery: Converter.Delivery())) }
    let plain = try plainRow(outer)
    var delivery = Converter.Delivery()
    if let pointer = options.receivedAt {
      delivery.receivedAt = Self.find(pointer, plain, outer).flatMap { tape, index in
        ReceivedTime.milliseconds(tape, TypedRow.value(tape, index))
      }
      delivery.isUnreadable = delivery.receivedAt == nil
    }
    if let pointer = options.id, let (tape, index) = Self.find(pointer, plain, outer) {
      let value = TypedRow.value(tape, index)
      let kind = tape[value].kind
      if kind == .string || kind == .number { id = SecretFilter.words(tape.text(value).string) }
    }
    guard let pointer = options.body else {
      return try untyped(Row(tape: outer, root: 0, delivery: delivery, id: id))
    }
    guard let (found, place) = Self.find(pointer, plain, outer) else { throw Self.bodyMissing(pointer) }
    let isPlain = found.bytes != outer.bytes
    // Positions in a row without its types are not positions in the source.
    if isPlain { outerOffset = outer.range(0).lowerBound }
    let index = TypedRow.value(found, place)
    guard found[index].kind == .string else {
      return try untyped(Row(tape: found, root: index, delivery: delivery, id: id))
    }
    prefix = pointer.description + ": "
    let inner = try read(found, index, at: isPlain ? outer.range(0).lowerBound : nil, with: bodyReader)
    return try untyped(Row(tape: inner, root: 0, delivery: delivery, id: id))
  }

  // MARK: types

  /// The row without the types of its values; `nil` for a row that has none.
  private func plainRow(_ tape: JSONTape) throws -> JSONTape? {
    guard let json = TypedRow.plain(tape, 0) else { return nil }
    return try read(untyped: json, at: tape.range(0).lowerBound, with: plainRowReader)
  }

  /// The record without the types of its values.
  private func untyped(_ row: Row) throws -> Row {
    guard let json = TypedRow.plain(row.tape, row.root) else { return row }
    let start = outerOffset ?? row.tape.range(row.root).lowerBound
    var row = row
    row.tape = try read(untyped: json, at: start, with: plainBodyReader)
    (row.root, outerOffset) = (0, start)
    return row
  }

  private func read(untyped json: [UInt8], at start: Int, with nested: NestedReader) throws -> JSONTape {
    do throws(JSONError) {
      return try nested.read(held: json)
    } catch {
      throw RowError(
        code: error.code, path: error.path.description, offset: start,
        description: "the row without its types: \(error.description)")
    }
  }

  /// A pointer names a plain member, or, as the row is stored, one with its types.
  private static func find(_ pointer: JSONPointer, _ plain: JSONTape?, _ outer: JSONTape) -> (JSONTape, Int)? {
    if let plain, let index = pointer.find(in: plain, from: 0) { return (plain, index) }
    return pointer.find(in: outer, from: 0).map { (outer, $0) }
  }

  /// The body of a line of a journal that `serve` keeps; `nil` for any other line.
  private func journalRow(_ tape: JSONTape) throws -> Row? {
    guard let (root, body) = Self.journalLine(tape), let number = root["number"]?.integer else { return nil }
    id = String(number)
    prefix = "/body: "
    return Row(
      tape: try read(tape, body.index, with: bodyReader), root: 0, delivery: Converter.Delivery(), id: String(number),
      event: root["id"]?.string.flatMap { KnownIDs.ID(uuid: $0) })
  }

  private static func journalLine(_ tape: JSONTape) -> (root: JSONElement, body: JSONElement)? {
    guard tape[0].kind == .object, tape.count > 6, tape.key(1) == "sum", tape.key(tape.after(1)) == "number" else {
      return nil
    }
    let root = JSONElement(tape: tape)
    guard let body = root["body"], body.kind == .string else { return nil }
    return (root, body)
  }

  /// The version of the notification in a line of a journal; `nil` for any other line.
  static func journalVersion(_ tape: JSONTape) -> IncomingNotification.Version? {
    journalLine(tape)?.root["version"]?.string.flatMap(IncomingNotification.Version.init(rawValue:))
  }

  /// The V2 body of a line of a journal, and the line's number; `nil` for any other line.
  static func journalV2(_ tape: JSONTape) -> (body: [UInt8], number: String)? {
    guard let (root, body) = journalLine(tape), root["version"]?.string == "V2", let number = root["number"]?.integer
    else { return nil }
    return (Array(tape.text(body.index).buffer), String(number))
  }

  /// The token in place of the body; `nil` for any other body.
  func token(in tape: JSONTape) -> JSONText? {
    guard let pointer = options.body, let (tape, place) = Self.find(pointer, try? plainRow(tape), tape) else {
      return nil
    }
    let index = TypedRow.value(tape, place)
    guard tape[index].kind == .string else { return nil }
    let text = tape.text(index)
    return TextRecord(string: text)?.form == .token ? text : nil
  }

  // MARK: receipts

  /// A receipt that is a record by itself, without a row around it.
  func resolve(_ text: TextRecord) throws -> Row {
    if let pointer = options.body, !pointer.tokens.isEmpty { throw Self.bodyMissing(pointer) }
    var delivery = Converter.Delivery()
    delivery.isUnreadable = options.receivedAt != nil
    outerOffset = 0
    prefix = "receipt: "
    return Row(tape: try read(text, path: ""), root: 0, delivery: delivery)
  }

  /// Moves to the receipt in a `verifyReceipt` request or in Unity's receipt; false when the object is neither.
  func openEnvelope(_ row: inout Row) throws -> Bool {
    guard let index = Self.receipt(in: row.tape, row.root) else { return false }
    let text = row.tape.text(index)
    // Any value here is meant to be a receipt; its reader reports the fault.
    let record = TextRecord(string: text) ?? TextRecord(form: .base64, bytes: text)
    outerOffset = outerOffset ?? row.tape.range(index).lowerBound
    let path = prefix + JSONPath(tape: row.tape, index: index).description
    (row.tape, row.root) = (try read(record, path: path), 0)
    prefix = path + ": "
    return true
  }

  private static func receipt(in tape: JSONTape, _ root: Int) -> Int? {
    guard tape[root].kind == .object else { return nil }
    var payload: Int?
    var hasStore = false
    var at = root + 1
    while at < Int(tape[root].nextOrSide) {
      if tape[at].kind == .string {
        let key = tape.key(at)
        if key == "receipt-data" { return at }
        if key == "Store" { hasStore = true }
        // Other stores put JSON there.
        if key == "Payload", TextRecord(string: tape.text(at)) != nil { payload = at }
      }
      at = tape.after(at)
    }
    return hasStore ? payload : nil
  }

  /// Reads a decoded receipt; faults are reported at the position of the receipt.
  private func read(_ text: TextRecord, path: String) throws -> JSONTape {
    if text.form == .token || text.form == .base64,
      let body = LayeredBody.unwrap(text.bytes.buffer.span, limit: limits.recordBytes)
    {
      return try read(unwrapped: body, path: path)
    }
    if text.form == .token {
      prefix = path
      throw LegacyError(reason: .otherFormat(found: "a signed version 2 object (JWS)"), path: JSONPath(), offset: 0)
    }
    do throws(RowError) {
      let tape = try receiptReader.read(receipt: try receipts.legacyJSON(of: text.bytes.buffer.span))
      receipt = text
      return tape
    } catch {
      var error = error
      error.path = path.isEmpty || error.path.isEmpty ? path + error.path : path + ": " + error.path
      // Bytes inside a string are not bytes of the source.
      if let outerOffset, outerOffset > 0 { error.offset = outerOffset }
      throw error
    }
  }

  private static func bodyMissing(_ pointer: JSONPointer) -> RowError {
    RowError(
      code: "bodyMissing", path: pointer.description, offset: 0,
      description: "expected the record there (--body), found nothing")
  }

  // MARK: rejects

  /// A line that `--rejects` wrote: its record is read again unchanged.
  private func isReject(_ tape: JSONTape) -> Bool {
    guard tape[0].kind == .object, tape.count > 8 else { return false }
    let names: [StaticString] = ["source", "record", "offset"]
    var at = 1
    for name in names {
      guard at < tape.count, tape.key(at) == name else { return false }
      at = tape.after(at)
    }
    let root = JSONElement(tape: tape)
    return (root["input"] ?? root["inputBase64"])?.kind == .string
  }

  private func unwrapReject(_ tape: JSONTape) throws -> JSONTape {
    guard isReject(tape) else { return tape }
    let root = JSONElement(tape: tape)
    if let kept = root["input"] {
      let text = tape.text(kept.index)
      if textRecord(in: text) != nil { input = text }
      let inner = try read(tape, kept.index, with: inputReader)
      input = input ?? JSONText(base: inner.bytes, count: inner.byteCount, isVerbatim: false)
      return inner
    }
    guard let kept = root["inputBase64"], let bytes = Base64.decode(tape.text(kept.index).buffer) else { return tape }
    let text = inputReader.hold(bytes)
    guard SourceHead.isReceipt(text.buffer.span) else { return tape }
    (input, prefix, outerOffset) = (text, "receipt: ", tape.range(kept.index).lowerBound)
    return try read(TextRecord(form: .binary, bytes: text), path: "inputBase64")
  }

  /// The text record in a string; rejects also contain JSON strings of such records.
  private func textRecord(in text: JSONText) -> TextRecord? {
    TextRecord(string: text) ?? TextRecord(quoted: text, receiptReader)
  }

  /// Reads a body that stood in other encodings.
  private func read(unwrapped body: [UInt8], path: String) throws -> JSONTape {
    do throws(JSONError) {
      return try bodyReader.read(held: body)
    } catch {
      throw RowError(
        code: error.code, path: path, offset: outerOffset ?? 0,
        description: "the decoded body: \(error.description) (\(error.offset) bytes into it)")
    }
  }

  /// - Parameter start: the position of the text in the source, where it is not that on the tape.
  private func read(
    _ tape: JSONTape, _ index: Int, at start: Int? = nil, with nested: NestedReader
  ) throws -> JSONTape {
    let start = start ?? tape.range(index).lowerBound
    outerOffset = start
    let path = JSONPath(tape: tape, index: index).description
    if let body = LayeredBody.unwrap(tape.text(index).buffer.span, limit: limits.recordBytes) {
      return try read(unwrapped: body, path: path)
    }
    if let text = textRecord(in: tape.text(index)) {
      prefix = prefix.isEmpty ? path + ": " : prefix
      return try read(text, path: path)
    }
    do throws(JSONError) {
      return try nested.read(tape.text(index))
    } catch {
      throw RowError(
        code: error.code, path: path, offset: start,
        description: "the JSON text in this string: \(error.description) (\(error.offset) bytes into it)")
    }
  }
}
