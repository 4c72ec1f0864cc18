extension FieldValue {
  package var json: String {
    let writer = JSONWriter(capacity: 64)
    write(to: writer)
    return writer.string
  }

  func write(to writer: JSONWriter) {
    switch self {
    case .text(let text): writer.text(text)
    case .integer(let number): writer.integer(number)
    case .boolean(let flag): writer.boolean(flag)
    case .texts(let texts): writer.array(texts) { writer.text($0) }
    case .object(let members): writer.object { Self.write(members, writer) }
    case .objects(let items): writer.array(items) { members in writer.object { Self.write(members, writer) } }
    case .json(let text): writer.raw(text)
    }
  }

  /// Writes members without braces around them.
  private static func write(_ members: [NamedValue], _ writer: JSONWriter) {
    for member in members {
      writer.key(member.name)
      member.value.write(to: writer)
    }
  }
}
