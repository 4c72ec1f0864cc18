extension FieldValue {
  /// The value as JSON text.
  package var json: String {
    let writer = JSONWriter(capacity: 64)
    write(to: writer)
    return writer.string
  }

  private func write(to writer: JSONWriter) {
    switch self {
    case .text(let text): writer.text(text)
    case .integer(let number): writer.integer(number)
    case .boolean(let flag): writer.boolean(flag)
    case .texts(let texts): writer.array(texts) { writer.text($0) }
    case .object(let members): Self.write(members, writer)
    case .objects(let items): writer.array(items) { Self.write($0, writer) }
    case .json(let text): writer.raw(text)
    }
  }

  private static func write(_ members: [NamedValue], _ writer: JSONWriter) {
    writer.byte(UInt8(ascii: "{"))
    for member in members {
      writer.key(member.name)
      member.value.write(to: writer)
    }
    writer.byte(UInt8(ascii: "}"))
  }
}
