internal import SlipcastMapping

/// What a record that the store already has adds to the kept one.
struct Repetition {
  /// Of a kept record, what decides that.
  struct Kept {
    var place: Int64
    /// The digest of its legacy content; `nil` if absent.
    var content: Int64?
    var receivedAt: Int64?
  }

  let place: Int64
  /// Both have content, which differs.
  let isDifferent: Bool
  /// When it was received, if that was before the kept one, in milliseconds since 1970 UTC.
  let delivered: Int64?

  init(of kept: Kept, content: Int64?, receivedAt: Int64?) {
    place = kept.place
    isDifferent = if let one = kept.content, let two = content { one != two } else { false }
    delivered = if let known = kept.receivedAt, let time = receivedAt, time < known { time } else { nil }
  }
}

extension StoreDatabase {
  /// Adds a finding to the kept record for each other one with its id and other content, and dates it by the first delivery,
  /// whatever the order of the archive.
  ///
  /// `writeDifferenceCode` comes before the first difference.
  func note(_ repetition: Repetition) throws(StoreError) {
    if repetition.isDifferent { try noteDifference(at: repetition.place) }
    guard let time = repetition.delivered else { return }
    try execute(
      "UPDATE notifications SET receivedAt = \(time) WHERE place = \(repetition.place) AND receivedAt > \(time)")
  }

  /// Explains the finding of a difference; written once, before the first.
  func writeDifferenceCode() throws(StoreError) {
    try write(codes: [RepeatFinding.repeatDiffers.repeated])
  }

  private func noteDifference(at place: Int64) throws(StoreError) {
    let finding = RepeatFinding.repeatDiffers
    let row = "place = \(place) AND code = '\(finding.rawValue)'"
    try execute("UPDATE findings SET occurrences = occurrences + 1 WHERE \(row)")
    try execute(
      """
      INSERT INTO findings (place, code, severity, occurrences, path)
      SELECT \(place), '\(finding.rawValue)', 'warning', 1, '' WHERE NOT EXISTS (SELECT 1 FROM findings WHERE \(row))
      """)
  }
}
