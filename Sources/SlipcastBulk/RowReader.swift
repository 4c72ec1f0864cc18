@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastMapping
internal import SlipcastReceipts
internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// Finds the record in its row: as it is, wrapped under a pointer, as JSON text or a receipt in a string, or in a line of
/// rejects.
final class RowReader {
  /// The record's position, and what the row states about its delivery.
  struct Row {
    var tape: JSONTape
    var root: Int
    var delivery = Converter.Delivery()
    var id: String?
    /// The id of its event, where it was decided when the record was received.
    var event: KnownIDs.ID?
  }

  /// Makes the `verifyReceipt` response, as far as a receipt contains it, of the receipt's bytes, of base64 that may be
  /// wrapped, or of an iOS 6 receipt in base64.
  ///
  /// The error's path and offset are relative to the receipt.
  typealias ReceiptReading = @Sendable (Span<UInt8>) throws(RecordFault) -> [UInt8]

  private let options: ConvertOptions
  private let rules: RuleSet
  var limits: JSONLimits { options.limits }
  /// Made for the first receipt: most archives have none.
  private lazy var readReceipt = options.receipts ?? Self.receiptReading(rules)
  /// What the rows of the current source have where.
  var pointers = RowPointers() {
    didSet { bodyPrefix = pointers.body.map { $0.description + ": " } ?? "" }
  }
  /// Readers of texts inside strings: of a reject's input, of a body, of a decoded receipt.
  private lazy var inputReader = NestedReader(options.limits)
  private lazy var bodyReader = NestedReader(options.limits)
  private lazy var receiptReader = NestedReader(options.limits)
  /// Readers of what a row and a body are without the types of their values.
  private lazy var plainRowReader = NestedReader(options.limits)
  private lazy var plainBodyReader = NestedReader(options.limits)
  /// The row of a database whose body is the current record.
  var row: RowPage.Row?
  private var statedID: String?
  var id: String? { statedID ?? row?.id }
  /// The prefix of paths inside the body.
  private(set) var prefix = ""
  /// The start of the text that contains the body, when positions inside it cannot be expressed in bytes of the source.
  private(set) var outerOffset: Int?
  /// The receipt that the record was decoded from, where it was one.
  private(set) var receipt: TextRecord?
  /// The token that the record is, where it is one.
  private(set) var token: JSONText?

  /// What leads to the body, and to what a row states besides.
  private lazy var bodyPointers = PointerReader(options.limits)
  private lazy var otherPointers = PointerReader(options.limits)
  private var bodyPrefix = ""
  /// Says of a row without a record where else it has one.
  private lazy var finder = RecordFinder(options.limits)

  init(_ options: ConvertOptions, _ rules: RuleSet) {
    (self.options, self.rules) = (options, rules)
  }

  private static func receiptReading(_ rules: RuleSet) -> ReceiptReading {
    let decoder = ReceiptDecoder(rules: rules)
    return { bytes throws(RecordFault) in
      do throws(Refusal) {
        return try decoder.answer(Array(bytes))
      } catch {
        throw RecordFault(stage: .row, code: error.reason.rawValue, message: error.description)
      }
    }
  }

  /// A path inside the body with what leads to the body.
  func path(_ inner: String) -> String {
    inner.isEmpty && prefix.hasSuffix(": ") ? String(prefix.dropLast(2)) : prefix + inner
  }

  func begin() { (statedID, prefix, outerOffset, receipt, token) = (nil, "", nil, nil, nil) }

  func resolve(_ tape: JSONTape) throws -> Row {
    var found = try find(tape)
    row?.tell(&found)
    return found
  }

  private func find(_ tape: JSONTape) throws -> Row {
    if pointers.body == nil, let row = try journalRow(tape) { return row }
    let outer = try unwrapReject(tape)
    guard pointers.isWrapped else { return try untyped(Row(tape: outer, root: 0)) }
    let isInlined = row?.inlined != nil
    let plain = isInlined ? nil : try plainRow(outer)
    let delivery = readDelivery(plain, or: outer)
    guard let pointer = pointers.body else {
      return try untyped(Row(tape: outer, root: 0, delivery: delivery, id: statedID))
    }
    guard let (found, index) = bodyPointers.value(pointer, in: plain, or: outer), !Self.isEmpty(found, index) else {
      throw bodyMissing(pointer, in: plain ?? outer)
    }
    let isPlain = found.bytes != outer.bytes
    // Positions in a row without its types are not positions in the source.
    if isPlain { outerOffset = outer.start(0) }
    if isInlined { (prefix, outerOffset) = (bodyPrefix, outer.start(index)) }
    guard found[index].kind == .string else {
      return try untyped(Row(tape: found, root: index, delivery: delivery, id: statedID))
    }
    prefix = bodyPrefix
    let inner = try read(found, index, at: isPlain ? outer.start(0) : nil, with: bodyReader)
    return try untyped(Row(tape: inner, root: 0, delivery: delivery, id: statedID))
  }

  /// Notes the id that a row states, and returns what it states about the delivery.
  private func readDelivery(_ plain: JSONTape?, or outer: JSONTape) -> Converter.Delivery {
    var delivery = Converter.Delivery()
    if let pointer = pointers.receivedAt {
      let found = otherPointers.value(pointer, in: plain, or: outer)
      delivery.receivedAt = found.flatMap { ReceivedTime.milliseconds($0.tape, $0.index) }
      delivery.isUnreadable = delivery.receivedAt == nil
    }
    if let pointer = pointers.id, let (tape, index) = otherPointers.value(pointer, in: plain, or: outer) {
      let kind = tape[index].kind
      if kind == .string || kind == .number { statedID = tape.text(index).string }
    }
    return delivery
  }

  // MARK: types

  /// The row without the types of its values; `nil` for a row that has none.
  private func plainRow(_ tape: JSONTape) throws(RecordFault) -> JSONTape? {
    guard let json = TypedRow.plain(tape, 0) else { return nil }
    return try read(untyped: json, at: tape.start(0), with: plainRowReader)
  }

  private func untyped(_ row: Row) throws(RecordFault) -> Row {
    guard let json = TypedRow.plain(row.tape, row.root) else { return row }
    let start = outerOffset ?? row.tape.start(row.root)
    var row = row
    row.tape = try read(untyped: json, at: start, with: plainBodyReader)
    (row.root, outerOffset) = (0, start)
    return row
  }

  private func read(untyped json: [UInt8], at start: Int, with nested: NestedReader) throws(RecordFault) -> JSONTape {
    do throws(JSONError) {
      return try nested.read(json.span)
    } catch {
      throw RecordFault(
        stage: .row, code: error.code, path: error.path.knownNames, offset: start,
        message: "the row without its types: \(error.message)")
    }
  }

  // MARK: journals

  /// The body of a line of a journal that `serve` keeps; `nil` for any other line.
  private func journalRow(_ tape: JSONTape) throws -> Row? {
    guard let (root, body) = Self.journalLine(tape), let number = root["number"]?.integer else { return nil }
    statedID = String(number)
    let delivery = readDelivery(nil, or: tape)
    prefix = "/body: "
    return Row(
      tape: try read(tape, body.index, with: bodyReader), root: 0, delivery: delivery, id: statedID,
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

  /// The body in a line of a journal; `nil` for any other line.
  static func journalBody(_ tape: JSONTape) -> JSONText? { journalLine(tape).map { tape.text($0.body.index) } }

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
    guard let pointer = pointers.body,
      let (tape, index) = bodyPointers.value(pointer, in: try? plainRow(tape), or: tape), tape[index].kind == .string
    else { return nil }
    let text = tape.text(index)
    if TextRecord(string: text)?.form == .token { return text }
    return LayeredBody.token(in: text.buffer.span, limit: options.recordBytes).map { receiptReader.hold($0.span) }
  }

  // MARK: receipts

  /// A receipt that is a record by itself, without a row around it.
  func resolve(_ text: TextRecord) throws -> Row {
    if let pointer = pointers.body, !pointer.tokens.isEmpty { throw bodyMissing(pointer) }
    outerOffset = 0
    prefix = "receipt: "
    var found = Row(tape: try read(text, path: ""), root: 0)
    found.delivery.isUnreadable = pointers.receivedAt != nil
    row?.tell(&found)
    return found
  }

  /// Moves to the receipt in a `verifyReceipt` request or in Unity's receipt; false when the object is neither.
  func openEnvelope(_ row: inout Row) throws -> Bool {
    guard let index = Self.receipt(in: row.tape, row.root) else { return false }
    let text = row.tape.text(index)
    // Any value here is meant to be a receipt; its reader reports the fault.
    let record = TextRecord(string: text) ?? TextRecord(form: .encoded, bytes: text)
    outerOffset = outerOffset ?? row.tape.start(index)
    let path = prefix + JSONPath(tape: row.tape, index: index).description
    (row.tape, row.root) = (try read(record, path: path), 0)
    prefix = path + ": "
    return true
  }

  /// The receipt in a request to `verifyReceipt` or in Unity's envelope.
  static func receipt(in tape: JSONTape, _ root: Int) -> Int? {
    guard tape[root].kind == .object else { return nil }
    var payload: Int?
    var hasStore = false
    for at in tape.children(of: root) where tape[at].kind == .string {
      let key = tape.key(at)
      if key == "receipt-data" { return at }
      if key == "Store" { hasStore = true }
      // Other stores put JSON there.
      if key == "Payload", TextRecord(string: tape.text(at)) != nil { payload = at }
    }
    return hasStore ? payload : nil
  }

  /// Reads a decoded receipt; faults are reported at the position of the receipt.
  private func read(_ text: TextRecord, path: String) throws -> JSONTape {
    let content = text.bytes.buffer.span
    let opened = text.form == .encoded ? LayeredBody.open(content, limit: options.recordBytes) : nil
    if case .json(let body)? = opened {
      return try read(body.span, as: "the decoded body", path: path, at: outerOffset ?? 0, with: bodyReader)
    }
    if opened == nil, text.form == .encoded, content.first(where: { !$0.isBlank }) == UInt8(ascii: "{") {
      return try read(content, as: Self.textInString, path: path, at: outerOffset ?? 0, with: bodyReader)
    }
    if let found = bareToken(text, opened) {
      prefix = path
      if options.takesServer {
        token = found
        let record = Array("{\"signedPayload\":\"\(found.string)\"}".utf8)
        return try read(record.span, as: "the token", path: path, at: outerOffset ?? 0, with: bodyReader)
      }
      throw LegacyError(reason: .otherFormat(found: "a signed version 2 object (JWS)"), path: JSONPath(), offset: 0)
    }
    if opened == nil, text.form == .encoded, let message = TextFault.ofBase64(content) {
      throw RecordFault(
        stage: .row, code: "incomplete", path: path, offset: outerOffset ?? 0, message: message)
    }
    do throws(RecordFault) {
      guard let bytes = opened?.bytes else { return try read(receipt: text) }
      // The reader holds the bytes as long as the record is read.
      return try read(receipt: TextRecord(form: .encoded, bytes: inputReader.hold(bytes.span)))
    } catch {
      var error = error
      error.path = path.isEmpty || error.path.isEmpty ? path + error.path : path + ": " + error.path
      // Bytes inside a string are not bytes of the source.
      if let outerOffset, outerOffset > 0 { error.offset = outerOffset }
      throw error
    }
  }

  /// The token that a text is, or that was inside it; `nil` for any other text.
  private func bareToken(_ text: TextRecord, _ opened: LayeredBody.Record?) -> JSONText? {
    if text.form == .token { return text.bytes }
    guard case .token(let bytes)? = opened else { return nil }
    // The reader holds the bytes as long as the record is read.
    return inputReader.hold(bytes.span)
  }

  private func read(receipt text: TextRecord) throws(RecordFault) -> JSONTape {
    let json = try readReceipt(text.bytes.buffer.span)
    let tape = try read(json.span, as: "the receipt as JSON", path: nil, at: 0, with: receiptReader)
    receipt = text
    return tape
  }

  private static let textInString = "the JSON text in this string"

  /// A member without a value: `null`, as rows of databases have it, or an empty text, as those of tables.
  private static func isEmpty(_ tape: JSONTape, _ index: Int) -> Bool {
    index > 0 && (tape[index].kind == .null || tape[index].kind == .string && tape.text(index).count == 0)
  }

  /// The fault of a row without a record at the pointer: it names a member that has one.
  private func bodyMissing(_ pointer: JSONPointer, in row: JSONTape? = nil) -> RecordFault {
    let other = row.flatMap { finder.memberWithRecord(of: $0) }
    return RecordFault(
      stage: .row, code: "bodyMissing", path: pointer.description,
      message: "expected the record there (--body), found nothing"
        + (other.map { "; \(SafeText.words($0)) has one" } ?? ""))
  }

  // MARK: rejects

  /// What a line that `--rejects` wrote keeps of its record; `nil` for any other line.
  static func recordOfReject(_ tape: JSONTape) -> [UInt8]? {
    guard isReject(tape) else { return nil }
    let root = JSONElement(tape: tape)
    guard root["inputOmitted"] == nil else { return nil }
    if let kept = root["input"] { return Array(tape.text(kept.index).buffer) }
    return root["inputBase64"].flatMap { Base64.decode(tape.text($0.index).buffer) }
  }

  /// A line that `--rejects` wrote: its record is read again.
  static func isReject(_ tape: JSONTape) -> Bool {
    guard tape[0].kind == .object, tape.count > 8 else { return false }
    let names: [StaticString] = ["source", "record", "offset"]
    var at = 1
    for name in names {
      guard at < tape.count, tape.key(at) == name else { return false }
      at = tape.after(at)
    }
    let root = JSONElement(tape: tape)
    return (root["input"] ?? root["inputBase64"])?.kind == .string || root["inputOmitted"]?.kind == .string
  }

  private static let nothingKept = RecordFault(
    stage: .row, code: "nothingKept",
    message: "expected a record, found a line of --rejects that keeps none; offset, length and sha256 find it in its "
      + "source, and --rejects-raw keeps it")

  private func unwrapReject(_ tape: JSONTape) throws -> JSONTape {
    guard Self.isReject(tape) else { return tape }
    let root = JSONElement(tape: tape)
    guard root["inputOmitted"] == nil else { throw Self.nothingKept }
    if let kept = root["input"] { return try read(tape, kept.index, with: inputReader) }
    guard let kept = root["inputBase64"], let bytes = Base64.decode(tape.text(kept.index).buffer) else { return tape }
    let text = inputReader.hold(bytes.span)
    guard SourceHead.isReceipt(text.buffer.span) else { return tape }
    (prefix, outerOffset) = ("receipt: ", tape.start(kept.index))
    return try read(TextRecord(form: .binary, bytes: text), path: "inputBase64")
  }

  /// The text record in a string; rejects also contain JSON strings of such records.
  private func textRecord(in text: JSONText) -> TextRecord? {
    TextRecord(string: text) ?? TextRecord(quoted: text, receiptReader)
  }

  /// - Parameter start: the position of the text in the source, where it is not that on the tape.
  private func read(
    _ tape: JSONTape, _ index: Int, at start: Int? = nil, with nested: NestedReader
  ) throws -> JSONTape {
    let start = start ?? tape.start(index)
    outerOffset = start
    let path = JSONPath(tape: tape, index: index).description
    let text = tape.text(index)
    let opened = LayeredBody.open(text.buffer.span, limit: options.recordBytes)
    if case .json(let body)? = opened {
      return try read(body.span, as: "the decoded body", path: path, at: start, with: bodyReader)
    }
    if let text = textRecord(in: text) ?? opened.map({ _ in TextRecord(form: .encoded, bytes: text) }) {
      prefix = prefix.isEmpty ? path + ": " : prefix
      return try read(text, path: path)
    }
    do {
      return try read(text.buffer.span, as: Self.textInString, path: path, at: start, with: nested)
    } catch {
      var error = error
      if let message = TextFault.ofText(text.buffer.span) { error.message = message }
      throw error
    }
  }

  /// Reads a text that is not in the source like this.
  ///
  /// - Parameters:
  ///   - path: of the text; `nil`: faults have their path inside the text.
  ///   - start: the position in the source of what the text was made of.
  private func read(
    _ text: Span<UInt8>, as what: String, path: String?, at start: Int, with nested: NestedReader
  ) throws(RecordFault) -> JSONTape {
    do throws(JSONError) {
      return try nested.read(text)
    } catch {
      throw RecordFault(
        stage: .row, code: error.code, path: path ?? error.path.knownNames, offset: start,
        message: "\(what): \(error.message) (\(error.offset) bytes into it)")
    }
  }
}
