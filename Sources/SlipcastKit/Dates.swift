#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Times as Foundation's `Date`. Bytes as `Data` need nothing: it is a sequence of bytes.

extension Timestamp {
  /// The time of a date, cut to milliseconds; dates beyond the range of an `Int64` become its ends.
  public init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
    self.init(milliseconds: Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min))
  }

  /// The time as a date.
  public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension LegacyConverter {
  /// Converts one record that was received at a date.
  ///
  /// - Throws: as without a date.
  public func convert(
    _ json: some Sequence<UInt8>, receivedAt: Date, into emission: Emission = .auto
  ) throws(RecordError) -> Conversion {
    try convert(json, receivedAt: Timestamp(receivedAt), into: emission)
  }

  /// Converts one record from text that was received at a date.
  ///
  /// - Throws: as without a date.
  public func convert(
    _ json: String, receivedAt: Date, into emission: Emission = .auto
  ) throws(RecordError) -> Conversion {
    try convert(json.utf8, receivedAt: Timestamp(receivedAt), into: emission)
  }
}

extension RecordComparer {
  /// Compares one pair whose legacy record was received at a date.
  ///
  /// - Throws: as without a date.
  public func compare(
    legacy: some Sequence<UInt8>, server: some Sequence<UInt8>, receivedAt: Date,
    names: (legacy: String, server: String) = ("legacy", "server")
  ) throws(ComparisonError) -> Comparison {
    try compare(legacy: legacy, server: server, receivedAt: Timestamp(receivedAt), names: names)
  }
}
