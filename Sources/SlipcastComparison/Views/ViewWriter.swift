internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Writes the compact form of a view: what is known of the record as a whole, which fields it has, and their values.
final class ViewWriter {
  private let table: ShapeTable
  /// The shapes that were met lately, so that the table that all workers share is seldom asked.
  private var known: [UInt64: (bytes: [UInt8], number: UInt32)] = [:]
  private var knownBytes = 0
  /// Shapes of some hundreds of kinds of records; the unlimited shapes of hostile input are not kept.
  private static let mostBytes = 4 << 20
  let shape = ShapeWriter()
  private let payload = JSONWriter(capacity: 2048)
  private let extraPayload = JSONWriter(capacity: 256)
  private(set) var leaves: [Leaf] = []

  init(_ table: ShapeTable) { self.table = table }

  func clear() {
    shape.clear()
    payload.clear()
    extraPayload.clear()
    if !leaves.isEmpty { leaves = [] }
  }

  /// Appends the view: its head, the number of its shape, the shape itself where no table has room for it, its values.
  func write(_ head: EventHead, to writer: JSONWriter) {
    let spelled = shape.spell()
    let number = number(of: spelled)
    EventImage.write(head, shape: number, to: writer)
    if number == ShapeTable.carried {
      writer.word(UInt32(spelled.count))
      writer.raw(spelled.buffer)
    }
    writer.raw(payload.buffer)
    writer.raw(extraPayload.buffer)
  }

  private func number(of shape: JSONText) -> UInt32 {
    let name = Fingerprint.number(shape.buffer.span)
    if let entry = known[name], entry.bytes.span.isSame(as: shape.buffer.span) { return entry.number }
    let number = table.number(of: shape)
    if knownBytes + shape.count <= Self.mostBytes, known[name] == nil {
      known[name] = (Array(shape.buffer), number)
      knownBytes += shape.count
    }
    return number
  }

  struct Source {
    var isInferred = false
    /// No other value was made of the same V1 value.
    var isSoleUse = false
    var relation = Relation.identical
    var place = LegacyPlace.none
    var row = ConversionOutline.noRow
  }

  func add(_ number: Int64, _ index: Int, _ source: Source = Source()) {
    payload.long(number)
    note(index, .integer, source)
  }

  func add(_ flag: Bool, _ index: Int, _ source: Source = Source()) {
    payload.byte(flag ? 1 : 0)
    note(index, .boolean, source)
  }

  func add(_ text: JSONText, _ index: Int, _ source: Source = Source()) {
    payload.word(UInt32(text.count))
    payload.raw(text.base, text.count)
    note(index, .text, source)
  }

  func add(_ text: String, _ index: Int, _ source: Source = Source()) {
    payload.word(UInt32(text.utf8.count))
    payload.raw(text)
    note(index, .text, source)
  }

  private func note(_ index: Int, _ kind: ScalarView.Kind, _ source: Source) {
    shape.add(
      field: EventShape.Field(
        index: index, kind: kind, isInferred: source.isInferred, isSoleUse: source.isSoleUse,
        relation: source.relation, place: source.place, row: source.row))
  }

  /// Adds an array or object, or a member that no table lists: leaf by leaf.
  ///
  /// - Parameter owner: the member's field, by part and slot; `nil` for one that no table lists.
  func addLeaves(_ named: FieldValue.NamedValue, _ part: ObjectPart, owner: Int?) {
    let new = Leaf.of(named, family: part.rules.family, prefix: part.rules.under, path: part.path)
      .filter { !$0.path.isSecret }
    for leaf in new {
      let owner = leaf.isUnknown ? nil : owner
      let isOwner = owner.map { leaf.path == ObjectPart.path(of: $0) } ?? false
      let isInside = isOwner || leaf.isUnknown || leaf.parent == part.path
      let outer = isInside ? Int(part.rawValue) : EventPart.count
      shape.add(extra: EventShape.Extra(path: leaf.path, owner: owner, part: outer))
      let text = leaf.value.json
      extraPayload.word(UInt32(text.utf8.count))
      extraPayload.raw(text)
    }
    leaves += new
  }
}
