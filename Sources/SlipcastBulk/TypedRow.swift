// Unsafe on purpose: reads texts in place in a tape.
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
    let row = TypedRow(tape: tape)
    if let map = row.image(root) {
      row.writeMap(map)
    } else if row.hasExtendedValue(root) {
      row.writeExtended(root)
    } else {
      return nil
    }
    return row.writer.bytes
  }

  private init(tape: JSONTape) { self.tape = tape }

  /// Passes each member of an object, or item of an array, until the closure returns false.
  @inline(__always)
  private func forEach(_ index: Int, _ use: (Int) -> Bool) {
    let end = Int(tape[index].nextOrSide)
    var at = index + 1
    while at < end, use(at) { at = tape.after(at) }
  }

  private func member(_ index: Int, _ name: StaticString) -> Int? {
    guard tape[index].kind == .object else { return nil }
    var found: Int?
    forEach(index) { at in
      if tape.key(at) == name { found = at }
      return found == nil
    }
    return found
  }

  /// The only member of an object.
  private func only(_ index: Int) -> Int? {
    tape[index].kind == .object && tape[index].length == 1 ? index + 1 : nil
  }

  // MARK: DynamoDB

  /// The map of attribute values in a row.
  private func image(_ root: Int) -> Int? {
    if isMap(root) { return root }
    let image = member(root, "Item") ?? member(member(root, "dynamodb") ?? root, "NewImage")
    return image.flatMap { isMap($0) ? $0 : nil }
  }

  private func isMap(_ index: Int) -> Bool {
    guard tape[index].kind == .object, tape[index].length > 0 else { return false }
    var isMap = true
    forEach(index) { at in
      isMap = isAttribute(at)
      return isMap
    }
    return isMap
  }

  private func isAttribute(_ index: Int) -> Bool {
    guard let value = only(index) else { return false }
    return switch Self.type(tape.key(value)) {
    case .text, .number: tape[value].kind == .string
    case .literal, .null: tape[value].kind == .true || tape[value].kind == .false
    case .map: tape[value].kind == .object
    case .list, .texts, .numbers: tape[value].kind == .array
    case nil: false
    }
  }

  private enum AttributeType {
    case text, number, literal, null, map, list, texts, numbers
  }

  /// Asked of every value: no strings are made.
  private static func type(_ key: JSONText) -> AttributeType? {
    switch (key.count, key.isEmpty ? 0 : key[0]) {
    case (1, UInt8(ascii: "S")), (1, UInt8(ascii: "B")): .text
    case (1, UInt8(ascii: "N")): .number
    case (1, UInt8(ascii: "M")): .map
    case (1, UInt8(ascii: "L")): .list
    case (2, UInt8(ascii: "S")) where key[1] == UInt8(ascii: "S"): .texts
    case (2, UInt8(ascii: "B")) where key[1] == UInt8(ascii: "S"): .texts
    case (2, UInt8(ascii: "N")) where key[1] == UInt8(ascii: "S"): .numbers
    case (4, UInt8(ascii: "B")) where key == "BOOL": .literal
    case (4, UInt8(ascii: "N")) where key == "NULL": .null
    default: nil
    }
  }

  private func writeMap(_ index: Int) { writeObject(index) { writeAttribute($0) } }

  private func writeAttribute(_ index: Int) {
    guard isAttribute(index) else { return copy(index) }
    let value = index + 1
    switch Self.type(tape.key(value)) {
    case .number: writeNumber(value)
    case .null: writer.raw("null")
    case .map: writeMap(value)
    case .list: writeArray(value) { writeAttribute($0) }
    case .numbers: writeArray(value) { writeNumber($0) }
    default: copy(value)
    }
  }

  // MARK: MongoDB

  private func hasExtendedValue(_ root: Int) -> Bool {
    // Hardly any other record has this sign, which is found far faster than a member.
    let text = tape.range(root)
    guard Platform.find(UInt8(ascii: "$"), in: tape.bytes, from: text.lowerBound, to: text.upperBound) != nil else {
      return false
    }
    return (root..<Int(tape[root].nextOrSide)).contains { isExtended($0) }
  }

  /// The type of a value is its first key.
  private func isExtended(_ index: Int) -> Bool {
    guard tape[index].kind == .object, tape[index].length > 0 else { return false }
    return Self.extendedType(tape.key(index + 1)) != nil
  }

  private enum ExtendedType {
    case text, number, date, binary, timestamp, undefined
  }

  private static let extended: [(name: StaticString, type: ExtendedType)] = [
    ("$oid", .text), ("$numberInt", .number), ("$numberLong", .number), ("$date", .date), ("$numberDouble", .number),
    ("$numberDecimal", .number), ("$binary", .binary), ("$uuid", .text), ("$symbol", .text),
    ("$timestamp", .timestamp), ("$undefined", .undefined),
  ]

  private static func extendedType(_ key: JSONText) -> ExtendedType? {
    guard !key.isEmpty, key[0] == UInt8(ascii: "$") else { return nil }
    return extended.first { key == $0.name }?.type
  }

  private func writeExtended(_ index: Int) {
    switch tape[index].kind {
    case .array: return writeArray(index) { writeExtended($0) }
    case .object: break
    default: return copy(index)
    }
    guard isExtended(index) else { return writeObject(index) { writeExtended($0) } }
    let value = index + 1
    switch Self.extendedType(tape.key(value)) {
    case .number: writeNumber(value)
    case .date: writeDate(value)
    case .binary: copy(member(value, "base64") ?? value)
    case .timestamp: copy(member(value, "t") ?? value)
    case .undefined: writer.raw("null")
    default: copy(value)
    }
  }

  /// Text in version 2, or milliseconds: a number in version 1, `{"$numberLong":…}` in canonical version 2.
  private func writeDate(_ value: Int) {
    let number = member(value, "$numberLong") ?? value
    let isNumber = number != value || tape[value].kind == .number
    guard isNumber, let time = Int64(tape.text(number).string), Self.years.contains(time) else { return copy(number) }
    writer.text(Timestamp(milliseconds: time).description)
  }

  /// Years of four digits.
  private static let years = Int64(-62_135_596_800_000)..<253_402_300_800_000

  // MARK: values

  private func writeObject(_ index: Int, _ write: (Int) -> Void) {
    writer.byte(UInt8(ascii: "{"))
    forEach(index) { member in
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
    forEach(index) { item in
      if item > index + 1 { writer.byte(UInt8(ascii: ",")) }
      write(item)
      return true
    }
    writer.byte(UInt8(ascii: "]"))
  }

  /// The digits as they are; in a string, where JSON has no such number (`NaN`, `007`).
  private func writeNumber(_ index: Int) {
    let text = tape.text(index)
    guard tape[index].kind == .string, Self.isNumber(text.buffer) else { return copy(index) }
    writer.raw(text.buffer)
  }

  /// JSON's grammar of numbers.
  private static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
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
    let range = tape.range(index)
    writer.raw(tape.bytes + range.lowerBound, range.count)
  }
}

extension TypedRow {
  /// The value inside one that states its type, for pointers that lead to the outer one (`/Item/at`, `/at/$date`).
  static func value(_ tape: JSONTape, _ index: Int) -> Int {
    let row = TypedRow(tape: tape)
    guard let value = row.only(index), row.isAttribute(index) || row.isExtended(index) else { return index }
    return Self.value(tape, value)
  }
}
