internal import SlipcastWire

/// A file of rejected records as their sources have them, secrets included, to be repaired by hand.
///
/// The header row of a table stands before its first record, so that a file of records of one table is a table.
package final class RawRejects {
  package let output: any LineOutput
  /// The header rows that the file has.
  private var headers: Set<[UInt8]> = []
  /// What an earlier run wrote, which a header row is searched in.
  private let earlier: OutputState?

  /// - Parameter earlier: what an earlier run made final, when this one resumes it.
  package init(_ output: any LineOutput, resuming earlier: OutputState? = nil) {
    (self.output, self.earlier) = (output, earlier)
  }

  package func write(_ reject: Reject) throws {
    guard let raw = reject.raw, !raw.record.isEmpty else { return }
    if !raw.header.isEmpty, headers.insert(raw.header).inserted, try !isThere(raw.header) {
      try writeLine(raw.header)
    }
    try writeLine(raw.record)
  }

  private func writeLine(_ text: [UInt8]) throws {
    let line = text.last == 0x0A ? text : text + [0x0A]
    try output.write(line.span, part: .whole)
  }

  private func isThere(_ header: [UInt8]) throws -> Bool {
    guard let earlier else { return false }
    var (end, isFound) = ([UInt8](), false)
    try earlier.forEachPiece(entryBytes: 1) { piece in
      let text = end + piece
      isFound = isFound || text.contains(header)
      end = text.suffix(header.count)
    }
    return isFound
  }
}
