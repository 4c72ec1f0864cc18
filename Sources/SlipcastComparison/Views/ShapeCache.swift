@_spi(Slipcast) internal import SlipcastWire

/// The shapes that one worker has met, so that it seldom has to ask the table that all share.
final class ShapeCache {
  /// A shape that is known.
  private final class Entry {
    let bytes: [UInt8]
    let number: UInt32

    init(_ bytes: [UInt8], _ number: UInt32) { (self.bytes, self.number) = (bytes, number) }

    func isSame(_ shape: Span<UInt8>) -> Bool {
      let bytes = bytes
      return bytes.span.isSame(as: shape)
    }
  }

  private let table: ShapeTable
  private var known: [UInt64: Entry] = [:]
  private var bytes = 0
  /// Shapes of some hundreds of kinds of records; the unlimited shapes of hostile input are not kept.
  private static let mostBytes = 4 << 20

  init(_ table: ShapeTable) { self.table = table }

  /// Writes an image: its head, the number of its shape, the shape itself where no table has room for it, its values.
  func write(_ head: EventHead, _ shape: ShapeWriter, values: JSONWriter..., to writer: JSONWriter) {
    let spelled = shape.spell()
    let number = number(of: spelled)
    EventImage.write(head, shape: number, to: writer)
    if number == ShapeTable.carried {
      writer.word(UInt32(spelled.count))
      writer.raw(spelled.buffer)
    }
    for part in values { writer.raw(part.buffer) }
  }

  private func number(of shape: JSONText) -> UInt32 {
    let name = Fingerprint.number(shape.buffer.span)
    if let entry = known[name], entry.isSame(shape.buffer.span) { return entry.number }
    let number = table.number(of: shape)
    if bytes + shape.count <= Self.mostBytes, known[name] == nil {
      known[name] = Entry(Array(shape.buffer), number)
      bytes += shape.count
    }
    return number
  }
}
