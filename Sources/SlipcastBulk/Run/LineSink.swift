/// Receives the lines of a run and its rejects.
public protocol LineSink {
  /// Whole lines, in the order of the records.
  mutating func write(output: Span<UInt8>) throws
  /// A rejected record.
  mutating func write(reject: Reject) throws
  /// Whole lines of the provenance file; only conversions have them.
  mutating func write(provenance: Span<UInt8>) throws
}

extension LineSink {
  /// Drops the lines of the provenance file.
  public mutating func write(provenance: Span<UInt8>) {}
}

/// Passes rejects on, for a run that delivers its lines itself.
struct RejectSink: LineSink {
  let onReject: (Reject) throws -> Void

  func write(output: Span<UInt8>) {}
  func write(reject: Reject) throws { try onReject(reject) }
}

/// The reason why a run ended.
public enum RunEnd: String, CaseIterable, Hashable, Sendable {
  /// All sources were read.
  case finished
  /// The policy for broken records is `stop`, and one occurred.
  case stopped
  /// The run was interrupted, or its task cancelled, between two blocks.
  case interrupted
  /// More records were rejected than `maxRejects` allows.
  case tooManyRejects
}
