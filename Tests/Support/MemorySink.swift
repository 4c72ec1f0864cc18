package import SlipcastBulk
@_spi(Slipcast) import SlipcastWire

/// Takes what a run writes into memory.
package struct MemorySink: LineSink {
  package var output: [UInt8] = []
  package var provenance: [UInt8] = []
  package var rejects: [Reject] = []

  package init() {}

  package mutating func write(output bytes: Span<UInt8>) { output.append(contentsOf: bytes) }
  package mutating func write(provenance bytes: Span<UInt8>) { provenance.append(contentsOf: bytes) }
  package mutating func write(reject: Reject) { rejects.append(reject) }

  package var lines: [String] { Self.lines(output) }
  package var provenanceLines: [String] { Self.lines(provenance) }
  /// The rejects as the file of `--rejects` would hold them.
  package var rejectLines: [String] {
    rejects.map { reject in
      let writer = JSONWriter(capacity: 1024)
      reject.write(to: writer)
      return writer.string
    }
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
