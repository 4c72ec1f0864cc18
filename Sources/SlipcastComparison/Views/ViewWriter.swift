internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Writes the compact form of a view: what is known of the record as a whole, which fields it has, and their values.
final class ViewWriter {
  private let shapes: ShapeCache
  let shape = ShapeWriter()
  private let payload = JSONWriter(capacity: 2048)
  private let extraPayload = JSONWriter(capacity: 256)
  /// The values in no slot.
  private(set) var leaves: [Leaf] = []

  init(_ table: ShapeTable) { shapes = ShapeCache(table) }

  /// Forgets the record before.
  func clear() {
    shape.clear()
    payload.clear()
    extraPayload.clear()
    if !leaves.isEmpty { leaves = [] }
  }

  /// Appends the view to a writer.
  func write(_ head: EventHead, to writer: JSONWriter) {
    shapes.write(head, shape, values: payload, extraPayload, to: writer)
  }

  /// What is known of a value's V1 source.
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
  func addLeaves(_ named: FieldValue.NamedValue, _ part: PartTable.Part, owner: Int?) {
    let new = LeafList.of(named, family: part.family, prefix: part.under, path: part.prefix)
      .filter { !$0.path.isSecret }
    for leaf in new {
      let isOwner = owner.map { leaf.path == PartTable.shared.path($0) } ?? false
      let isInside = isOwner || leaf.parent == part.prefix
      let outer = isInside ? Int(part.part.rawValue) : EventPart.count
      shape.add(extra: EventShape.Extra(path: leaf.path, owner: owner, part: outer))
      let text = leaf.value.json
      extraPayload.word(UInt32(text.utf8.count))
      extraPayload.raw(text)
    }
    leaves += new
  }
}
