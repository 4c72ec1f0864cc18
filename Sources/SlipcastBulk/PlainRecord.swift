internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// A record without what its database or warehouse made of it.
enum PlainRecord {
  /// The record as Apple shapes it; `nil` for one that has this shape already.
  static func json(_ tape: JSONTape, _ root: Int = 0) -> [UInt8]? {
    guard let untyped = TypedRow.plain(tape, root) else { return V2Envelope.plain(tape, root) }
    return JSONReader(names: []).parse(JSONBuffer(untyped)) { V2Envelope.plain($0.tape, $0.index) } ?? untyped
  }
}
