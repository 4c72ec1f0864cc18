@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Decides what a reject keeps of its record, so that no shared secret can be in it.
///
/// - Text that was not read completely is not kept.
/// - A record that was recognized keeps the values under names that this program reads (`KnownNames`). Other values are
///   replaced by their kind and length; those under a name of the secret (`SecretName`) are removed.
/// - A record of unknown form keeps its names; all values are replaced. It is not read again.
/// - A name that looks like a value is replaced too (`ShownName`).
/// - A row keeps its record, and what the options read besides.
///
/// Nothing is searched: what is kept is written from what was read. It can be read again with the same options.
struct RejectText {
  /// Why a text is not kept; rejects contain it as `inputOmitted`.
  enum Omission: String, CaseIterable {
    /// It was not read completely.
    case unparsed
    /// Its form is unknown, so none of its values is kept.
    case values
  }

  /// What is kept of a text.
  struct Kept: Equatable {
    var text: [UInt8]
    /// All values were replaced.
    var isOutline = false
  }

  /// What the rows of the current source have where.
  var pointers = RowPointers()
  private var body: JSONPointer? { pointers.body.flatMap { $0.tokens.isEmpty ? nil : $0 } }
  private var besides: [JSONPointer] { [pointers.receivedAt, pointers.id].compactMap(\.self) }
  private let limits: JSONLimits

  init(_ options: ConvertOptions) { (pointers, limits) = (options.pointers, options.limits) }

  /// For records without rows around them.
  init(limits: JSONLimits) { self.limits = limits }

  /// What is kept of a record as its source has it; `nil` for text that was not read completely.
  func kept(of text: Span<UInt8>) -> Kept? { kept(of: text, Layer(pointer: body)) }

  // MARK: layers

  /// Bodies are unwrapped so often: as often as a run unwraps them, and once more for texts in their members.
  private static let layers = 6

  private struct Layer {
    var depth = 0
    /// The place of the record in the text; `nil`: the text is the record.
    var pointer: JSONPointer?
    /// The text is a value under a known name of a record that was recognized.
    var isPart = false

    func inner(of pointer: JSONPointer? = nil) -> Layer { Layer(depth: depth + 1, pointer: pointer, isPart: isPart) }

    var part: Layer { Layer(depth: depth + 1, isPart: true) }
  }

  private func kept(of text: Span<UInt8>, _ layer: Layer) -> Kept? {
    guard layer.depth < Self.layers else { return nil }
    let reader = NestedReader(limits)
    defer { withExtendedLifetime(reader) {} }
    guard let tape = try? reader.read(text) else { return keptEncoded(text, layer) }
    switch tape[0].kind {
    case .object: return keptObject(tape, layer)
    case .string:
      let content = NestedReader(limits)
      defer { withExtendedLifetime(content) {} }
      return kept(of: content.read(string: text).buffer.span, layer.inner(of: layer.pointer))
    case .array, .number, .true, .false, .null: return written(tape, keepsKnown: layer.isPart, layer)
    }
  }

  private func keptObject(_ tape: JSONTape, _ layer: Layer) -> Kept? {
    if let inner = RowReader.recordOfReject(tape) { return kept(of: inner.span, layer.inner(of: layer.pointer)) }
    if layer.pointer == nil, let body = RowReader.journalBody(tape) {
      return kept(of: body.buffer.span, layer.inner())
    }
    let plain = TypedRow.plain(tape, 0)
    if let pointer = layer.pointer { return keptRow(tape, plain: plain, at: pointer, layer) }
    if let plain { return kept(of: plain.span, layer.inner()) }
    return written(tape, keepsKnown: layer.isPart || Self.recognizes(tape), layer)
  }

  /// JSON in an encoding is kept as JSON; receipts and tokens are kept as they are.
  private func keptEncoded(_ text: Span<UInt8>, _ layer: Layer) -> Kept? {
    if let inner = LayeredBody.unwrap(text, limit: limits.recordBytes) {
      return kept(of: inner.span, layer.inner(of: layer.pointer))
    }
    guard layer.pointer == nil, Self.isComplete(text) else { return nil }
    return Kept(text: Array(text))
  }

  private static func recognizes(_ tape: JSONTape) -> Bool {
    V2Form(tape, 0) != nil
      || tape.children(of: 0).contains { ["status", "receipt_type"].contains(tape.key($0).string) }
  }

  // MARK: rows

  private func keptRow(_ tape: JSONTape, plain: [UInt8]?, at pointer: JSONPointer, _ layer: Layer) -> Kept? {
    let reader = NestedReader(limits)
    defer { withExtendedLifetime(reader) {} }
    let plain = plain.flatMap { try? reader.read($0.span) }
    let pointers = PointerReader(limits)
    defer { withExtendedLifetime(pointers) {} }
    guard let (found, index) = pointers.value(pointer, in: plain, or: tape) else {
      return written(tape, keepsKnown: false, layer)
    }
    let text = found[index].kind == .string ? found.text(index) : found.json(index)
    guard let record = kept(of: text.buffer.span, layer.inner()) else { return nil }
    var row = RowTree.members([])
    row.add(Self.json(record.text), at: pointer.tokens[...])
    for pointer in besides {
      guard let (found, index) = pointers.value(pointer, in: plain, or: tape),
        [.string, .number].contains(found[index].kind)
      else { continue }
      row.add(Array(found.json(index).buffer), at: pointer.tokens[...])
    }
    return Kept(text: row.json, isOutline: record.isOutline)
  }

  /// An object as it is; any other text as a JSON string, data that is not text in base64.
  private static func json(_ record: [UInt8]) -> [UInt8] {
    if record.first == UInt8(ascii: "{") { return record }
    let writer = JSONWriter(capacity: record.count + 2)
    writer.text(String(validating: record, as: UTF8.self) ?? Base64.encode(record))
    return writer.bytes
  }

  // MARK: values

  private func written(_ tape: JSONTape, keepsKnown: Bool, _ layer: Layer) -> Kept {
    let writer = JSONWriter(capacity: 1024)
    write(JSONElement(tape: tape), keepsKnown ? .objects : .nothing, layer, to: writer)
    return Kept(text: writer.bytes, isOutline: !keepsKnown)
  }

  /// What is kept of a value.
  private enum Extent {
    case nothing
    /// Members with known names, and texts that contain them.
    case objects
    case everything
  }

  private func write(_ element: JSONElement, _ extent: Extent, _ layer: Layer, to writer: JSONWriter) {
    switch element.kind {
    case .object: writeObject(element, extent, layer, to: writer)
    case .array: writer.array(element.children) { write($0, extent, layer, to: writer) }
    case .string where extent != .nothing: writeString(element, extent, layer, to: writer)
    case _ where extent == .everything: writer.raw(element.json)
    default: Self.writeKind(element, to: writer)
    }
  }

  /// Objects under unknown names have no known members: an export may name what it keeps as it likes.
  private func writeObject(_ object: JSONElement, _ extent: Extent, _ layer: Layer, to writer: JSONWriter) {
    writer.byte(UInt8(ascii: "{"))
    var names = ShownNames()
    for member in object.children {
      let name = member.name
      writer.key(names.next(name))
      if SecretName.matches(name) {
        writer.text(SecretName.replacement)
      } else {
        write(member, extent == .nothing ? .nothing : self.extent(of: name), layer, to: writer)
      }
    }
    writer.byte(UInt8(ascii: "}"))
  }

  private func extent(of name: String) -> Extent {
    if KnownNames.holdsObjects(name) { return .objects }
    return KnownNames.contains(name) || besides.contains { $0.tokens.contains(name) } ? .everything : .nothing
  }

  /// No value of Apple's is longer, but JSON, receipts and tokens; those are kept where they were read completely.
  private static let longest = 255

  private func writeString(_ element: JSONElement, _ extent: Extent, _ layer: Layer, to writer: JSONWriter) {
    let text = element.tape.text(element.index)
    let first = text.buffer.first { !$0.isBlank }
    let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    guard extent == .objects || isJSON || text.count > Self.longest || TextRecord.begins(text.buffer.span) else {
      return writer.raw(element.json)
    }
    guard let inner = kept(of: text.buffer.span, layer.part),
      let inner = String(validating: inner.text, as: UTF8.self)
    else { return Self.writeKind(element, to: writer) }
    writer.text(inner)
  }

  /// `string(22)`, `number(2)`: the kind of a value, and its length in bytes.
  private static func writeKind(_ element: JSONElement, to writer: JSONWriter) {
    switch element.kind {
    case .string: writer.text("string(\(element.tape.text(element.index).count))")
    case .number: writer.text("number(\(element.tape.text(element.index).count))")
    case .true, .false: writer.text("boolean")
    case .null, .array, .object: writer.raw("null")
    }
  }
}
