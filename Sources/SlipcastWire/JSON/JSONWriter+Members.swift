// Whole objects, arrays and members at once. Loops over many records write them piece by piece: closures take time.
extension JSONWriter {
  /// A new writer with one object, whose members the body writes.
  package static func object(capacity: Int, _ write: (JSONWriter) -> Void) -> JSONWriter {
    let writer = JSONWriter(capacity: capacity)
    writer.object { write(writer) }
    return writer
  }

  package static func line(capacity: Int, _ write: (JSONWriter) -> Void) -> JSONWriter {
    let writer = object(capacity: capacity, write)
    writer.byte(0x0A)
    return writer
  }

  package func object(_ write: () -> Void) {
    byte(UInt8(ascii: "{"))
    write()
    byte(UInt8(ascii: "}"))
  }

  package func object(_ name: String, _ write: () -> Void) {
    key(name)
    object(write)
  }

  package func array<Items: Sequence>(_ items: Items, _ write: (Items.Element) -> Void) {
    byte(UInt8(ascii: "["))
    for item in items {
      comma()
      write(item)
    }
    byte(UInt8(ascii: "]"))
  }

  package func array<Items: Sequence>(_ name: String, _ items: Items, _ write: (Items.Element) -> Void) {
    key(name)
    array(items, write)
  }

  /// A member whose value is an array of objects, whose members the body writes.
  package func list<Item>(_ name: String, _ items: [Item], _ write: (Item) -> Void) {
    array(name, items) { item in object { write(item) } }
  }

  package func member(_ name: String, _ values: [String]) { array(name, values) { text($0) } }

  package func member(_ name: String, _ value: Int64) {
    key(name)
    integer(value)
  }

  package func member(_ name: String, _ value: Bool) {
    key(name)
    boolean(value)
  }

  package func member(_ name: String, ifPresent value: String?) {
    if let value { member(name, value) }
  }

  package func member(_ name: String, ifPresent value: Int64?) {
    if let value { member(name, value) }
  }
}
