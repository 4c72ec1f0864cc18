internal import SlipcastDigest
package import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// The ids of the written records, to drop duplicates.
///
/// Exact, and in bounded memory: 24 bytes per id, with a digest of the record's content, in a table that is at most three
/// quarters full and doubles as it grows. A table that does not fit is in a temporary file (`SlotMap`).
package final class KnownIDs {
  /// One id, a UUID as two halves.
  package struct ID: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    package init?(uuid text: String) {
      guard let halves = UUIDText.halves(text) else { return nil }
      self.init(high: halves.high, low: halves.low)
    }

    /// An id made of the bytes themselves.
    package init(digestOf bytes: [UInt8]) {
      let digits = SHA256Stream.hexadecimal(of: bytes)
      self.init(
        high: UInt64(digits.prefix(16), radix: 16) ?? 0, low: UInt64(digits.dropFirst(16).prefix(16), radix: 16) ?? 0)
    }
  }

  /// The result for an id: `differs` is known with other content.
  package enum Result { case new, known, differs }

  private let contents: SlotMap<UInt32>
  /// A slot cannot have this id, of zeros.
  private var isZeroKnown = false

  /// - Parameter memory: the maximum size of the table in memory, in bytes; while it grows, half as much again.
  package init(memory: Int) { contents = SlotMap(memory: memory) }

  /// Adds an id; returns whether it was known.
  ///
  /// - Parameter content: a digest of the record's content; 0 where it is unknown.
  package func insert(_ id: ID, content: UInt32 = 0) throws(FileError) -> Result {
    guard id.high != 0 || id.low != 0 else {
      defer { isZeroKnown = true }
      return isZeroKnown ? .known : .new
    }
    let key = SlotKey(high: id.high, low: id.low)
    if let known = contents.find(key)?.pointee.values {
      return known == content || known == 0 || content == 0 ? .known : .differs
    }
    try contents.slot(key).pointee.values = content
    return .new
  }
}

/// The file of ids for a resumed run: 16 bytes per id, first byte first, and 4 bytes of content.
extension KnownIDs {
  /// Restores the ids that an earlier run had written.
  package func recall(_ state: OutputState) throws {
    try state.forEachPiece(entryBytes: Self.entryBytes) { piece in
      let entries = piece.span
      for at in stride(from: 0, to: entries.count, by: Self.entryBytes) {
        let id = ID(high: UInt64(bigEndian: entries.word(at)), low: UInt64(bigEndian: entries.word(at + 8)))
        // The last eight bytes of the entry, the second half of which is the content.
        _ = try insert(id, content: UInt32(truncatingIfNeeded: UInt64(bigEndian: entries.word(at + 12))))
      }
    }
  }

  private static let entryBytes = 20
}

extension KnownIDs.ID {
  func write(to bytes: inout [UInt8], content: UInt32) {
    bytes.append(bytesOf: high.bigEndian)
    bytes.append(bytesOf: low.bigEndian)
    bytes.append(bytesOf: content.bigEndian)
  }
}
