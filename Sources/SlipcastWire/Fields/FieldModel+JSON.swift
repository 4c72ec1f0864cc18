extension FieldModel {
  /// Reads an object from a tape; JSON null counts as absent, unknown members are kept.
  package init(element: JSONElement) throws(FieldError) {
    self.init()
    guard element.kind == .object else { throw element.wrongKind(.object(Self.modelName)) }
    let (fields, tape) = (Self.fields, element.tape)
    var expected = 0
    for index in tape.children(of: element.index) where tape[index].kind != .null {
      let child = JSONElement(tape: tape, index: index)
      if let position = Self.position(of: tape.key(child.index), in: fields, from: expected) {
        try fields[position].read(&self, .json(child))
        expected = position + 1
      } else {
        unrecognized.append(UnrecognizedField(name: child.name, json: child.json))
      }
    }
  }

  /// Documents are mostly in table order, so the search starts after the field that was found last.
  private static func position(of name: JSONText, in fields: [Field<Self>], from expected: Int) -> Int? {
    fields[expected...].firstIndex { name.isSame(as: $0.name) }
      ?? fields[..<expected].firstIndex { name.isSame(as: $0.name) }
  }

  /// Reads an object from JSON text.
  ///
  /// - Throws: `JSONError` for broken JSON, `FieldError` for a field of another kind than Apple documents.
  public init(json: some Sequence<UInt8>) throws {
    let text = JSONBuffer(json)
    // The text is in memory already, so its size is not limited here.
    let usual = JSONLimits()
    let limits = JSONLimits(depth: usual.depth, recordBytes: max(usual.recordBytes, text.count))
    let reader = JSONReader(names: [], limits: limits)
    try self.init(element: JSONElement(tape: try reader.read(text)))
  }

  /// Reads an object from JSON text.
  ///
  /// - Throws: as `init(json:)` of bytes.
  public init(json: String) throws { try self.init(json: json.utf8) }

  /// The object as JSON text, members in Apple's order, absent ones left out, no null.
  public var json: String {
    let writer = JSONWriter(capacity: 1024)
    write(to: writer)
    return writer.string
  }

  package func write(to writer: JSONWriter) { writer.object { writeMembers(to: writer) } }

  /// Writes the members without the braces around them.
  package func writeMembers(to writer: JSONWriter) {
    for field in Self.fields { field.write(self, writer) }
    for field in unrecognized {
      writer.key(field.name)
      writer.raw(field.json)
    }
  }
}
