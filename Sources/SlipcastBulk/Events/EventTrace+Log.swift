// Unsafe on purpose: reads numbers as the bytes that they are.
internal import SlipcastMapping

// What a resumed run needs of the earlier messages: one entry for each that a sequence used, in their order.
extension EventTrace {
  /// Bytes of an entry: seven numbers of eight bytes, the least byte first.
  static let entryBytes = 56
  private static let unknown = Int64.min

  func write(to bytes: inout [UInt8]) {
    let received = UInt64(bitPattern: receivedAt ?? Self.unknown)
    for number in [UInt64(kind.rawValue), subscription, state, received, high, low, content] {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
  }

  /// The entries in some bytes; incomplete entries are ignored.
  static func all(in bytes: ArraySlice<UInt8>) -> [EventTrace] {
    bytes.withUnsafeBytes { raw in
      stride(from: 0, to: raw.count - raw.count % entryBytes, by: entryBytes).map { start in
        func number(_ place: Int) -> UInt64 {
          UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: start + 8 * place, as: UInt64.self))
        }
        var trace = EventTrace()
        trace.kind = Kind(rawValue: UInt8(truncatingIfNeeded: number(0))) ?? .dated
        (trace.subscription, trace.state) = (number(1), number(2))
        let received = Int64(bitPattern: number(3))
        trace.receivedAt = received == unknown ? nil : received
        (trace.high, trace.low, trace.content) = (number(4), number(5), number(6))
        return trace
      }
    }
  }

  /// Reads the file of a resumed run, piece by piece.
  ///
  /// - Parameter state: the final part of the file.
  /// - Throws: `BulkError` when it cannot be read.
  static func read(_ state: OutputState, _ use: (ArraySlice<UInt8>) throws -> Void) throws {
    let part = FileOutput.partName(state.path)
    let stream = try FileBytes(InputFile(path: Platform.kind(part) == .file ? part : state.path))
    var piece = [UInt8](repeating: 0, count: entryBytes * 1024)
    var (held, left) = (0, state.bytes)
    while left > 0 {
      let got = try piece.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return 0 }
        return try stream.read(into: base + held, count: min(left, buffer.count - held))
      }
      if got == 0 { break }
      (left, held) = (left - got, held + got)
      let whole = held - held % entryBytes
      try use(piece[..<whole])
      piece.replaceSubrange(0..<held - whole, with: Array(piece[whole..<held]))
      held -= whole
    }
  }
}
