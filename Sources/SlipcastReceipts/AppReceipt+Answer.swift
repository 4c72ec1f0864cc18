@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastMapping
internal import SlipcastSignatures
@_spi(Slipcast) package import SlipcastWire

extension AppReceipt {
  /// The receipt as a verifyReceipt response, as far as the receipt contains it: `{"receipt":{…}}`.
  ///
  /// Keys and spelling are those of the response: numbers as text inside `in_app`, flags as `"true"` and `"false"`,
  /// dates only in milliseconds (`_ms`); empty dates and a line item 0 are omitted. `product_type` is Slipcast's own
  /// (attribute 1707).
  ///
  /// An attribute that cannot be read is an object under its key, which states its type and encoding: no reader can
  /// take it for a value, and none for an absent one. An attribute that occurs twice is a key that occurs twice. The
  /// first attribute counts and is therefore written last, because the last key counts in JSON.
  public var answer: [UInt8] {
    JSONWriter.object(capacity: 1024 + 512 * purchases.count) { writeReceipt(to: $0, isShown: false) }.bytes
  }

  /// Writes the members `receipt`, with only verifyReceipt's names and readable values, and `attributes`: all others.
  package func writeInspection(to writer: JSONWriter) {
    writeReceipt(to: writer, isShown: true)
    writer.key("attributes")
    writer.byte(UInt8(ascii: "["))
    Self.forEachHidden(of: entries) { write($0, purchase: nil, to: writer) }
    for (place, purchase) in purchases.enumerated() {
      Self.forEachHidden(of: purchase) { write($0, purchase: place, to: writer) }
    }
    writer.byte(UInt8(ascii: "]"))
  }

  // MARK: the answer

  private func writeReceipt(to writer: JSONWriter, isShown: Bool) {
    writer.object("receipt") {
      Self.write(entries, .receipt, isShown: isShown, to: writer)
      writer.list(LegacyKey.in_app.name, purchases) {
        Self.write($0, .latest_receipt_info, isShown: isShown, to: writer)
      }
    }
  }

  /// Members in the order of the field table.
  ///
  /// - Parameter isShown: leaves out what has no name in the response or cannot be read, and all but the first of
  ///   several attributes of one type.
  private static func write(_ entries: [Entry], _ scope: LegacyScope, isShown: Bool, to writer: JSONWriter) {
    var first: [LegacyKey: Int] = [:]
    var later: [(key: LegacyKey, place: Int)] = []
    for (place, entry) in entries.enumerated() {
      for key in entry.rule?.keys ?? [] {
        if first[key] == nil { first[key] = place } else { later.append((key, place)) }
      }
    }
    for field in scope.fields {
      guard let place = first[field.key] else { continue }
      if isShown {
        guard field.key != .product_type, entries[place].text != nil else { continue }
        entries[place].write(as: field, isRepeated: false, to: writer)
        continue
      }
      let repeated = later.isEmpty ? [] : later.filter { $0.key == field.key }
      for (_, place) in repeated { entries[place].write(as: field, isRepeated: true, to: writer) }
      entries[place].write(as: field, isRepeated: !repeated.isEmpty, to: writer)
    }
  }

  // MARK: what verifyReceipt does not show

  /// Attributes without a key, with a value that does not match the rule, or that occur a second time.
  private static func forEachHidden(of entries: [Entry], _ visit: (Entry) -> Void) {
    var met: Set<Int64> = []
    for entry in entries {
      let isFirst = met.insert(entry.attribute.type).inserted
      guard let rule = entry.rule, rule.keys.contains(where: { $0 != .product_type }) else {
        visit(entry)
        continue
      }
      if !isFirst || entry.text == nil && !entry.isAbsent { visit(entry) }
    }
  }

  private func write(_ entry: Entry, purchase: Int?, to writer: JSONWriter) {
    writer.comma()
    writer.byte(UInt8(ascii: "{"))
    writer.member("type", entry.attribute.type)
    if let purchase { writer.member("in_app", purchase) }
    writer.member("version", entry.attribute.version)
    writer.member("name", ifPresent: entry.rule?.name)
    entry.writeEncoding(to: writer)
    switch entry.attribute.decoded {
    case .integer(let value) where entry.rule?.encoding != .raw: writer.member("value", value)
    case .some(let decoded) where entry.rule?.encoding != .raw && decoded.text != nil:
      writer.member("value", decoded.text ?? "")
    default: writer.member("hex", Hexadecimal.encode(entry.attribute.value))
    }
    writer.byte(UInt8(ascii: "}"))
  }
}

extension AppReceipt.Entry {
  /// Writes the value as a member of the response.
  ///
  /// - Parameter isRepeated: another attribute has the same key, so absence is a value too.
  fileprivate func write(as field: LegacyField, isRepeated: Bool, to writer: JSONWriter) {
    if let text {
      writer.key(field.key.name)
      if field.kind == .number { writer.raw(text) } else { writer.text(text) }
    } else if !isAbsent {
      writer.object(field.key.name) {
        writer.member("type", attribute.type)
        writeEncoding(to: writer)
      }
    } else if isRepeated {
      writer.member(field.key.name, "")
    }
  }

  /// Writes the ASN.1 type of the value; `raw` for bytes that are not one text or number.
  fileprivate func writeEncoding(to writer: JSONWriter) {
    switch attribute.decoded {
    case .integer where rule?.encoding != .raw: writer.member("encoding", "INTEGER")
    case .some(let decoded) where rule?.encoding != .raw && decoded.text != nil:
      if case .utf8 = decoded {
        writer.member("encoding", "UTF8String")
      } else {
        writer.member("encoding", "IA5String")
      }
    default: writer.member("encoding", "raw")
    }
  }

  /// The value in verifyReceipt's spelling; `nil` when it is absent or does not match the rule.
  var text: String? {
    guard let rule, let decoded = attribute.decoded else { return nil }
    switch (rule.encoding, decoded) {
    case (.utf8, .utf8), (.ia5, .ia5):
      let text = decoded.text
      return text == "" ? nil : text
    case (.date, .ia5(let bytes)): return RFC3339Date.milliseconds(bytes).map { "\($0)" }
    // No number of Apple's is negative: such a value is shown as an attribute, not as a V1 value.
    case (.integer, .integer(let value)): return value < 0 ? nil : "\(value)"
    case (.identifier, .integer(let value)): return value <= 0 ? nil : "\(value)"
    case (.flag, .integer(0)): return "false"
    case (.flag, .integer(1)): return "true"
    default: return nil
    }
  }

  /// An empty text or a number that means "none": omitting it loses nothing.
  var isAbsent: Bool {
    switch attribute.decoded {
    case .utf8(let bytes), .ia5(let bytes): bytes.isEmpty
    case .integer(let value): value == 0 && rule?.encoding == .identifier
    case nil: false
    }
  }
}
