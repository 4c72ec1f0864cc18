// Whole objects, arrays and members at once. Loops over many records write them piece by piece: closures take time.
extension JSONWriter {
  /// A new writer with one object, whose members the body writes.
  package static func object(capacity: Int, _ write: (JSONWriter) -> Void) -> JSONWriter {
    let writer = JSONWriter(capacity: capacity)
    writer.object { write(writer) }
    return writer
  }

  /// A new writer with one object and a line feed.
  package static func line(capacity: Int, _ write: (JSONWriter) -> Void) -> JSONWriter {
    let writer = object(capacity: capacity, write)
    writer.byte(0x0A)
    return writer
  }

  /// An object, whose members the body writes.
  package func object(_ write: () -> Void) {
    byte(UInt8(ascii: "{"))
    write()
    byte(UInt8(ascii: "}"))
  }

  /// A member whose value is an object.
  package func object(_ name: String, _ write: () -> Void) {
    key(name)
    object(write)
  }

  /// An array, each item of which the body writes.
  package func array<Items: Sequence>(_ items: Items, _ write: (Items.Element) -> Void) {
    byte(UInt8(ascii: "["))
    for item in items {
      comma()
      write(item)
    }
    byte(UInt8(ascii: "]"))
  }

  /// A member whose value is an array.
  package func array<Items: Sequence>(_ name: String, _ items: Items, _ write: (Items.Element) -> Void) {
    key(name)
    array(items, write)
  }

  /// A member with an array of texts.
  package func member(_ name: String, _ values: [String]) { array(name, values) { text($0) } }

  /// A member: name and value.
  package func member(_ name: String, _ value: Int64) {
    key(name)
    integer(value)
  }

  /// A member: name and value.
  package func member(_ name: String, _ value: Bool) {
    key(name)
    boolean(value)
  }

  /// A member that is left out without a value.
  package func member(_ name: String, ifPresent value: String?) {
    if let value { member(name, value) }
  }

  /// A member that is left out without a value.
  package func member(_ name: String, ifPresent value: Int64?) {
    if let value { member(name, value) }
  }
}
