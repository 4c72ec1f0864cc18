internal import SlipcastMapping
internal import SlipcastWire

// What a resumed run needs of the earlier messages: one entry for each that a sequence used, in their order.
extension EventTrace {
  /// Bytes of an entry: seven numbers of eight bytes, the least byte first.
  static let entryBytes = 56
  private static let unknown = Int64.min
  /// In the number of the kind: entries of older versions do not have it.
  private static let sandbox: UInt64 = 1 << 8

  func write(to bytes: inout [UInt8]) {
    let received = UInt64(bitPattern: receivedAt ?? Self.unknown)
    let kind = UInt64(kind.rawValue) | (isSandbox ? Self.sandbox : 0)
    for number in [kind, subscription, state, received, high, low, content] {
      bytes.append(bytesOf: number.littleEndian)
    }
  }

  /// The entries in some bytes; incomplete entries are ignored.
  static func all(in bytes: ArraySlice<UInt8>) -> [EventTrace] {
    let text = bytes.span
    return stride(from: 0, to: text.count - text.count % entryBytes, by: entryBytes).map { start in
      func number(_ place: Int) -> UInt64 { UInt64(littleEndian: text.word(start + 8 * place)) }
      var trace = EventTrace()
      trace.kind = Kind(rawValue: UInt8(truncatingIfNeeded: number(0))) ?? .dated
      trace.isSandbox = number(0) & sandbox != 0
      (trace.subscription, trace.state) = (number(1), number(2))
      let received = Int64(bitPattern: number(3))
      trace.receivedAt = received == unknown ? nil : received
      (trace.high, trace.low, trace.content) = (number(4), number(5), number(6))
      return trace
    }
  }
}
