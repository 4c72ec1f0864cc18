@_spi(Slipcast) internal import SlipcastWire

/// Rows in which each value states its type, as DynamoDB and MongoDB export them.
///
/// DynamoDB: a map of attribute values (`{"S":…}`, `{"N":…}`, `{"M":…}`), by itself, under `Item` (exports), or under
/// `NewImage` (streams). MongoDB: extended JSON, versions 1 and 2 (`$date`, `$oid`, `$numberLong`, `$binary`).
struct TypedRow {
  private let tape: JSONTape
  private let writer = JSONWriter(capacity: 4096)

  /// The same value as plain JSON; `nil` where it states no types.
  ///
  /// Numbers keep all their digits, dates become ISO 8601, and binary data stays base64.
  static func plain(_ tape: JSONTape, _ root: Int) -> [UInt8]? {
    guard tape[root].kind == .object else { return nil }
    let map = tape.image(root)
    guard map != nil || tape.hasExtendedValue(root) else { return nil }
    let row = TypedRow(tape: tape)
    if let map { row.writeMap(map) } else { row.writeExtended(root) }
    return row.writer.bytes
  }

  private init(tape: JSONTape) { self.tape = tape }

  // MARK: DynamoDB

  private func writeMap(_ index: Int) { writeObject(index) { writeAttribute($0) } }

  private func writeAttribute(_ index: Int) {
    guard tape.isAttribute(index) else { return copy(index) }
    let value = index + 1
    switch JSONTape.attributeType(tape.key(value)) {
    case .number: writeNumber(value)
    case .null: writer.raw("null")
    case .map: writeMap(value)
    case .list: writeArray(value) { writeAttribute($0) }
    case .numbers: writeArray(value) { writeNumber($0) }
    default: copy(value)
    }
  }

  // MARK: MongoDB

  private func writeExtended(_ index: Int) {
    switch tape[index].kind {
    case .array: return writeArray(index) { writeExtended($0) }
    case .object: break
    default: return copy(index)
    }
    guard tape.isExtended(index) else { return writeObject(index) { writeExtended($0) } }
    let value = index + 1
    switch JSONTape.extendedType(tape.key(value)) {
    case .number: writeNumber(value)
    case .date: writeDate(value)
    case .binary: copy(tape.member(value, "base64") ?? value)
    case .timestamp: copy(tape.member(value, "t") ?? value)
    case .undefined: writer.raw("null")
    default: copy(value)
    }
  }

  /// Text in version 2, or milliseconds: a number in version 1, `{"$numberLong":…}` in canonical version 2.
  private func writeDate(_ value: Int) {
    let number = tape.member(value, "$numberLong") ?? value
    let isNumber = number != value || tape[value].kind == .number
    guard isNumber, let time = Int64(tape.text(number).string), Self.years.contains(time) else { return copy(number) }
    writer.text(Timestamp(milliseconds: time).description)
  }

  /// Years of four digits.
  private static let years = Int64(-62_135_596_800_000)..<253_402_300_800_000

  // MARK: values

  private func writeObject(_ index: Int, _ write: (Int) -> Void) {
    writer.byte(UInt8(ascii: "{"))
    tape.forEach(index) { member in
      if member > index + 1 { writer.byte(UInt8(ascii: ",")) }
      writer.text(tape.key(member))
      writer.byte(UInt8(ascii: ":"))
      write(member)
      return true
    }
    writer.byte(UInt8(ascii: "}"))
  }

  private func writeArray(_ index: Int, _ write: (Int) -> Void) {
    guard tape[index].kind == .array else { return copy(index) }
    writer.byte(UInt8(ascii: "["))
    tape.forEach(index) { item in
      if item > index + 1 { writer.byte(UInt8(ascii: ",")) }
      write(item)
      return true
    }
    writer.byte(UInt8(ascii: "]"))
  }

  /// The digits as they are; in a string, where JSON has no such number (`NaN`, `007`).
  private func writeNumber(_ index: Int) {
    let text = tape.text(index)
    guard tape[index].kind == .string, Self.isNumber(text.buffer.span) else { return copy(index) }
    writer.raw(text.buffer)
  }

  /// JSON's grammar of numbers.
  private static func isNumber(_ text: Span<UInt8>) -> Bool {
    var at = text.first == UInt8(ascii: "-") ? 1 : 0
    func digits() -> Int {
      let start = at
      while at < text.count, 0x30...0x39 ~= text[at] { at += 1 }
      return at - start
    }
    let start = at
    let whole = digits()
    guard whole == 1 || whole > 1 && text[start] != UInt8(ascii: "0") else { return false }
    if at < text.count, text[at] == UInt8(ascii: ".") {
      at += 1
      guard digits() > 0 else { return false }
    }
    if at < text.count, text[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      if at < text.count, text[at] == UInt8(ascii: "+") || text[at] == UInt8(ascii: "-") { at += 1 }
      guard digits() > 0 else { return false }
    }
    return at == text.count
  }

  private func copy(_ index: Int) {
    if tape[index].kind == .string { return writer.text(tape.text(index)) }
    writer.raw(tape.json(index).buffer)
  }
}

extension TypedRow {
  /// The value inside one that states its type, for pointers that lead to the outer one (`/Item/at`, `/at/$date`).
  static func value(_ tape: JSONTape, _ index: Int) -> Int {
    guard let value = tape.only(index), tape.isAttribute(index) || tape.isExtended(index) else { return index }
    return Self.value(tape, value)
  }
}

// What types a value states.
extension JSONTape {
  /// Passes each member of an object, or item of an array, until the closure returns false.
  @inline(__always)
  fileprivate func forEach(_ index: Int, _ use: (Int) -> Bool) {
    let end = Int(self[index].nextOrSide)
    var at = index + 1
    while at < end, use(at) { at = after(at) }
  }

  fileprivate func member(_ index: Int, _ name: StaticString) -> Int? {
    guard self[index].kind == .object else { return nil }
    var found: Int?
    forEach(index) { at in
      // Names of types are never known keys.
      if self[at].key == JSONEntry.unknownKey, key(at) == name { found = at }
      return found == nil
    }
    return found
  }

  fileprivate func only(_ index: Int) -> Int? {
    self[index].kind == .object && self[index].length == 1 ? index + 1 : nil
  }

  /// The map of attribute values in a row.
  fileprivate func image(_ root: Int) -> Int? {
    if isMap(root) { return root }
    let image = member(root, "Item") ?? member(member(root, "dynamodb") ?? root, "NewImage")
    return image.flatMap { isMap($0) ? $0 : nil }
  }

  fileprivate func isMap(_ index: Int) -> Bool {
    guard self[index].kind == .object, self[index].length > 0 else { return false }
    var isMap = true
    forEach(index) { at in
      isMap = isAttribute(at)
      return isMap
    }
    return isMap
  }

  fileprivate func isAttribute(_ index: Int) -> Bool {
    guard let value = only(index) else { return false }
    return switch Self.attributeType(key(value)) {
    case .text, .number: self[value].kind == .string
    case .literal, .null: self[value].kind == .true || self[value].kind == .false
    case .map: self[value].kind == .object
    case .list, .texts, .numbers: self[value].kind == .array
    case nil: false
    }
  }

  fileprivate enum AttributeType {
    case text, number, literal, null, map, list, texts, numbers
  }

  private static let attributes: [(name: StaticString, type: AttributeType)] = [
    ("S", .text), ("B", .text), ("N", .number), ("BOOL", .literal), ("NULL", .null), ("M", .map), ("L", .list),
    ("SS", .texts), ("BS", .texts), ("NS", .numbers),
  ]

  /// Asked of every value: no strings are made.
  fileprivate static func attributeType(_ key: JSONText) -> AttributeType? {
    key.count > 4 ? nil : attributes.first { key == $0.name }?.type
  }

  fileprivate func hasExtendedValue(_ root: Int) -> Bool {
    guard hasDollarKey else { return false }
    return (root..<Int(self[root].nextOrSide)).contains { isExtended($0) }
  }

  /// The type of a value is its first key.
  fileprivate func isExtended(_ index: Int) -> Bool {
    guard self[index].kind == .object, self[index].length > 0 else { return false }
    return Self.extendedType(key(index + 1)) != nil
  }

  fileprivate enum ExtendedType {
    case text, number, date, binary, timestamp, undefined
  }

  private static let extended: [(name: StaticString, type: ExtendedType)] = [
    ("$oid", .text), ("$numberInt", .number), ("$numberLong", .number), ("$date", .date), ("$numberDouble", .number),
    ("$numberDecimal", .number), ("$binary", .binary), ("$uuid", .text), ("$symbol", .text),
    ("$timestamp", .timestamp), ("$undefined", .undefined),
  ]

  fileprivate static func extendedType(_ key: JSONText) -> ExtendedType? {
    guard !key.isEmpty, key[0] == UInt8(ascii: "$") else { return nil }
    return extended.first { key == $0.name }?.type
  }
}
