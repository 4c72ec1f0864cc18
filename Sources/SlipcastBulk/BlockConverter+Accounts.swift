internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

// The lines of the provenance file. A worker writes all but their beginnings: it does not know the numbers of its records.
extension BlockConverter {
  /// A line of the provenance file, without its start (source and record number).
  struct ProvenanceLine {
    /// Counted from the block's start.
    var record: Int
    var bytes: Range<Int>
  }

  /// Writes the account of the current record.
  func noteAccount(id: String?) {
    let start = provenance.count
    provenance.byte(UInt8(ascii: ","))
    if let id { provenance.member("id", id) }
    converter.writeAccount(to: provenance)
    provenance.raw("}\n")
    provenanceLines.append(ProvenanceLine(record: book.counts.read + 1, bytes: start..<provenance.count))
  }

  /// Adds a finding to the account of a record, which is written already: its findings are the last member.
  func addToAccount(_ finding: RepeatFinding, record: Int) {
    let end = Array("]}\n".utf8)
    guard let place = provenanceLines.lastIndex(where: { $0.record == record }) else { return }
    let line = Array(provenance.buffer[provenanceLines[place].bytes].dropLast(end.count))
    let start = provenance.count
    provenance.raw(line.span)
    if line.last != UInt8(ascii: "[") { provenance.byte(UInt8(ascii: ",")) }
    finding.repeated.write(to: provenance)
    provenance.raw(end.span)
    provenanceLines[place].bytes = start..<provenance.count
  }

  /// Writes the whole lines of the block, in pieces: the accounts of a block do not fit in a processor's cache.
  ///
  /// - Parameters:
  ///   - before: records before the block.
  ///   - dropped: records without a line, counted from the block's start.
  ///   - write: takes the next lines, valid until it returns.
  func writeAccounts(before: Int, without dropped: Set<Int>, _ write: (Span<UInt8>) throws -> Void) rethrows {
    let text = provenanceText
    let start = JSONWriter.object(capacity: 256) { $0.member("source", book.sourceName) }
    start.truncate(to: start.count - 1)
    start.key("record")
    text.clear()
    for line in provenanceLines where dropped.isEmpty || !dropped.contains(line.record) {
      text.copy(0..<start.count, of: start)
      text.integer(Int64(before + line.record))
      text.copy(line.bytes, of: provenance)
      guard text.count >= Self.accountPiece else { continue }
      try write(text.buffer.span)
      text.clear()
    }
    if text.count > 0 { try write(text.buffer.span) }
  }

  private static let accountPiece = 128 << 10
}
