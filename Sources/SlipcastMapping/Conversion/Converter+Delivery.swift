@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) package import SlipcastWire

/// Facts of the current record for storing and sorting converted records.
extension Converter {
  /// The `notificationUUID` that was cast last, as two halves.
  package var notificationUUID: (high: UInt64, low: UInt64) { builder.identity.last }

  /// The event's `signedDate`, or the time of an answer's request; milliseconds since 1970 UTC.
  package var signedDate: Int64? { known.receivedAt ?? known.eventTime }

  package var eventTime: Int64? { known.eventTime }

  /// That time is a date of the event's own transaction, which the line item already identifies.
  package var isEventTimeOfPeriod: Bool {
    guard let target = known.subject.target, known.times.source != 0 else { return false }
    let origin = record.rows.origin(known.periods[target].row)
    return (origin..<Int(record.tape[origin].nextOrSide)).contains(known.times.source)
  }

  package var receivedAt: Int64? { known.receivedAt }

  /// The record was not written before this, in milliseconds since 1970 UTC: its event, its request, the creation of its
  /// receipt, or the newest purchase, cancellation or change of auto-renew that it shows.
  ///
  /// A renewal is dated by the start of its period, and charged up to a day before.
  package var writtenTime: Int64? {
    let early = known.length(compiled.parameters.early)
    var newest = record.instant(record.body, .statusChange) ?? Period.none
    if let receipt = record.receipt, let created = record.instant(receipt, .creation) { newest = max(newest, created) }
    for period in known.periods {
      newest = max(newest, period.cancellation)
      guard period.purchase > newest else { continue }
      newest = max(newest, mayBeChargedEarly(period) ? period.purchase &- early : period.purchase)
    }
    if let time = builder.statusTime {
      // A renewal, or its failure, is dated by the end of the period before.
      let isOfPeriod = isEventTimeOfPeriod && time == known.eventTime
      newest = max(newest, isOfPeriod ? time &- early : time)
    }
    return newest > Period.none / 2 ? newest : nil
  }

  /// It may renew another period: that ends where this one begins, or is not listed.
  private func mayBeChargedEarly(_ period: Period) -> Bool {
    if let original = period.original, original == period.id { return false }
    guard known.periods.count <= SubjectFinder.mostSearched else { return true }
    var isAlone = true
    for other in known.periods where other.row != period.row && other.original == period.original {
      if !other.expires.isOtherSecond(than: period.purchase) { return true }
      if other.purchase < period.purchase { isAlone = false }
    }
    return isAlone
  }

  /// A message without a list: it shows only the period that its event is about, which need not be the newest.
  package var showsOnePeriod: Bool { record.form == .notification && record.transactions.isEmpty }

  /// When auto-renew was last changed, where a message other than a change says that it is on.
  package var autoRenewOnSince: Int64? { known.autoRenewOnSince }

  package var isOfNotification: Bool { record.form == .notification }

  /// The message says that the purchase at hand was taken back, and does not date it.
  package var takesBackUndated: Bool { isCertainReversal && builder.takesBackUndated }

  /// The message says that a purchase was taken back which is not a subscription, and names it without listing it.
  package var takesBackUnlisted: Bool {
    isCertainReversal && known.type.is(.forOneTimePurchases) && known.subject.target == nil
      && known.subject.named != nil
  }

  private var isCertainReversal: Bool {
    guard isOfNotification, known.type.is(.reversal), !isAmbiguous else { return false }
    return !isAbsorbed && builder.decision?.own.event.takesBack ?? false
  }

  package var notification_type: String? { notificationTypeText?.string }

  /// V1's type of the event, where it stands.
  package var notificationTypeText: JSONText? {
    return record.form == .notification ? record.text(record.body, .notification_type) : nil
  }

  package var repeatedFindings: [RepeatedFinding] {
    var findings: [RepeatedFinding] = []
    builder.forEachFinding { finding in
      if let place = findings.firstIndex(where: { $0.code == finding.code }) {
        findings[place].occurrences += 1
      } else {
        let path =
          finding.index == 0 ? "" : JSONPath(tape: record.tape, index: finding.index, from: record.root).description
        findings.append(
          RepeatedFinding(
            code: finding.code, severity: finding.severity.rawValue, occurrences: 1, path: path,
            message: finding.message))
      }
    }
    return findings
  }
}

/// The findings of one code in a record, as a store keeps them.
package struct RepeatedFinding: Hashable, Sendable {
  package var code: String
  /// `info` or `warning`.
  package var severity: String
  package var occurrences: Int
  /// The legacy value that shows it first; empty for the record itself.
  package var path: String
  /// One sentence; never a value of the record.
  package var message: String

  package init(code: String, severity: String, occurrences: Int, path: String, message: String) {
    (self.code, self.severity, self.occurrences) = (code, severity, occurrences)
    (self.path, self.message) = (path, message)
  }

  /// Writes it as accounts have it.
  package func write(to writer: JSONWriter) {
    writer.byte(UInt8(ascii: "{"))
    writer.member("code", code)
    writer.member("severity", severity)
    writer.member("path", path)
    writer.member("message", message)
    writer.byte(UInt8(ascii: "}"))
  }
}
