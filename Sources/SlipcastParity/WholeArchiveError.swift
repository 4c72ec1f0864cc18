internal import SlipcastWire

/// The time that is given for a whole archive does not contain the part of it that was read.
///
/// Events outside of it would not count as missing: a wrong time would hide a lost refund.
package struct WholeArchiveError: Error, CustomStringConvertible {
  package let description: String

  private init(_ option: String, _ given: ClosedRange<Int64>?, _ found: ClosedRange<Int64>) {
    description =
      "--\(option): the records have dates of \(Self.words(found)), and the time of the whole archive is given as "
      + "\(given.map(Self.words) ?? "none"): state the time of the whole archive, which contains that of each part"
  }

  /// Both times are unknown where parts are only asked what they cover.
  static func check(_ given: WholeArchives, contains found: WholeArchives) throws(Self) {
    if given.legacy == nil, given.server == nil { return }
    try check("covers", given.legacy, found.legacy)
    try check("server-covers", given.server, found.server)
  }

  private static func check(
    _ option: String, _ given: ClosedRange<Int64>?, _ found: ClosedRange<Int64>?
  ) throws(Self) {
    guard let found else { return }
    if let given, given.lowerBound <= found.lowerBound, given.upperBound >= found.upperBound { return }
    throw Self(option, given, found)
  }

  private static func words(_ range: ClosedRange<Int64>) -> String {
    "\(Timestamp(milliseconds: range.lowerBound))..\(Timestamp(milliseconds: range.upperBound))"
  }
}
