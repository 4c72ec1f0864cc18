/// Where the lines of a run go, and what gave none.
public protocol LineSink {
  /// Whole lines, in the order of the records.
  mutating func write(output: UnsafeBufferPointer<UInt8>) throws
  /// A record that nothing came of.
  mutating func write(reject: Reject) throws
}

/// Where the lines of a conversion go.
public protocol RunSink: LineSink {
  /// Whole lines of the provenance file.
  mutating func write(provenance: UnsafeBufferPointer<UInt8>) throws
}

/// How a run ended.
public enum RunEnd: String, Hashable, Sendable {
  /// All sources were read.
  case finished
  /// The policy for broken records is `stop`, and one came.
  case stopped
  /// It was asked to end, between two blocks.
  case interrupted
  /// More records were rejected than `maxRejects` allows.
  case tooManyRejects
}
